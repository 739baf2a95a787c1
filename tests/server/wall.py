"""A wall clock that a test can step, for a server and the processes that it starts; the machine's own is never touched.

The storm copies this file as `sitecustomize.py` to a folder of its own that is first on PYTHONPATH, so that every Python
there runs it at its start. The file that STORM_WALL names holds one number: nanoseconds to be added to the time.
"""

import mmap
import os
import struct
import time

path = os.environ.get("STORM_WALL")
if path:
    with open(path, "rb") as file:
        added = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
    true = time.time_ns

    def time_ns() -> int:
        return true() + int(struct.unpack_from("<q", added)[0])

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1e9
