"""What every store does alike."""

import asyncio

import pytest

from spellheist.server.store import Append, Taken


async def twice(store):
    """Of two entries of one number in one batch the first is written."""
    first, second, other = (store.append(Append(*what)) for what in (("t", 1, b"a"), ("t", 1, b"b"), ("u", 1, b"c")))
    assert isinstance(first, asyncio.Future)
    done = await asyncio.gather(first, second, other, return_exceptions=True)
    assert done[0] is None and isinstance(done[1], Taken) and done[2] is None
    assert (await store.entries("t"), await store.count("t"), await store.count("none")) == ([b"a"], 1, 0)


async def left_alone(store):
    """An entry for which nobody waits any more is written all the same."""

    async def wait():
        await store.append(Append("v", 1, b"a"))

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    with pytest.raises(Taken):
        await store.append(Append("v", 1, b"b"))
    await store.append(Append("v", 2, b"c"))
    assert await store.entries("v") == [b"a", b"c"]


async def beaten(store):
    """The highest number stays."""
    assert await store.beat(5_000) in (5_000, 9_000)
    assert await store.beat(9_000) == 9_000
    assert await store.beat(7) == 9_000
