"""Facts from the kernel about a running process."""

import glob
import os
import re
import select
import time


def cpu_seconds(pid):
    """Returns the processor time of a process so far, with that of ended threads.

    Reads the clock that clock_getcpuclockid(3) names: /proc/PID/stat counts only hundredths of a
    second, and /proc/PID/task lists only the threads that still run.
    """
    return time.clock_gettime(~pid << 3 | 2)


def voluntary_switches(pid):
    """Returns how often the threads of a process went to sleep; each sleep ends with a wake-up."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/status"):
        with open(path) as file:
            found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.MULTILINE)
        total += int(found.group(1))
    return total


def memory(pid):
    """Returns (resident, anonymous) megabytes."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        sizes = dict(re.findall(r"^(\w+):\s+(\d+) kB", file.read(), re.MULTILINE))
    return int(sizes["Rss"]) / 1024, int(sizes["Anonymous"]) / 1024


def wait_for_end(pid, seconds=60):
    """Returns when a process that need not be a child has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if not select.select([descriptor], [], [], seconds)[0]:
            raise RuntimeError(f"process {pid} did not end within {seconds} s")
    finally:
        os.close(descriptor)


def wait_until_quiet(pid, pause, longest):
    """Returns when a process did nothing for `pause` seconds; after `longest` at the latest."""
    deadline = time.monotonic() + longest
    before = voluntary_switches(pid)
    while time.monotonic() < deadline:
        time.sleep(pause)
        now = voluntary_switches(pid)
        if now == before:
            return
        before = now
