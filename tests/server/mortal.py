"""A server that is killed again and again: `python mortal.py STORE PORT SEED KILLS [KIND]`.

The parent imports everything and forks one life after the other; each life serves the same store at the same
address, and ends by SIGKILL at one step of an append that its seed picks. Its last word is that step and the entry that
was appended. After so many kills a life goes on. With a kind ("a press"), only appends of that kind are counted.
"""

import asyncio
import os
import random
import signal
import sys

import uvicorn

from spellheist.server.http.app import App
from spellheist.server.process.serve import bound, config
from spellheist.server.race.arbiter import Times
from spellheist.server.settings import Settings
from spellheist.server.store.sqlite import SQLite
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.moving import Moved
from spellheist.server.table.actions.pressing import Pressed, Ruled
from spellheist.server.table.actions.starting import Begun

STEPS = ("before the append", "in the transaction", "after the commit", "before the sending", "after the sending")
KINDS = {Moved: "a move", Pressed: "a press", Ruled: "a ruling", Begun: "the start"}


class Mortal(SQLite):
    """A store that kills its server at one step of one append."""

    def __init__(self, path, step, appends, only):
        super().__init__(path)
        self.step, self.appends, self.only = step, appends, only
        self.kind = ""

    def now(self, step):
        if self.appends == 0 and self.step == step:
            os.write(1, f"{step} of {self.kind}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)

    async def append(self, what):
        kind = KINDS.get(type(read_entry(what.body)), "another entry")
        if self.only not in ("", kind):
            return await super().append(what)
        self.kind = kind
        self.appends -= 1
        self.now("before the append")
        await super().append(what)
        self.now("before the sending")
        if self.appends == 0:
            self.loop.call_later(0.002, self.now, "after the sending")

    def _commit(self, connection, batch):
        if self.appends == 0 and self.step == "in the transaction":
            connection.execute("begin immediate")
            for job in batch:
                job.work(connection)
            self.now("in the transaction")
        super()._commit(connection, batch)
        self.now("after the commit")


def stop(child):
    """Pass the request to stop on; a life that has just ended needs none."""
    try:
        os.kill(child, signal.SIGTERM)
    except ProcessLookupError:
        sys.exit(0)


def live_once(store, listening, url, step, appends, only):
    from pathlib import Path

    times = Times(earliest=100, space=0, shut=1500, hold=100)
    settings = Settings(public_url=url, pace=0, rate=0, grace=0, thinkers=1, times=times)
    app = App(Mortal(Path(store), step, appends, only), settings)
    asyncio.run(uvicorn.Server(config(app.starlette())).serve([listening]))


def main():
    store, port, seed, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    only = sys.argv[5] if len(sys.argv) > 5 else ""
    listening = bound("127.0.0.1", port)
    listening.listen(100)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    print(url, flush=True)
    luck = random.Random(seed)
    for life in range(kills + 1):
        step = STEPS[life % len(STEPS)] if life < kills else "never"
        appends = luck.randint(1, 5)
        child = os.fork()
        if child == 0:
            live_once(store, listening, url, step, appends, only)
            os._exit(0)
        signal.signal(signal.SIGTERM, lambda *_, child=child: stop(child))
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            return


if __name__ == "__main__":
    main()
