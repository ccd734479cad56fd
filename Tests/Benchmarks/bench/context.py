"""The surroundings of every benchmark."""

import contextlib
import dataclasses
import json
import os
import shutil

from bench import processes, session

# The most requests that one app may have.
REQUESTS_OF_AN_APP = 100_000


@dataclasses.dataclass
class Bench:
    """The programs by name, the options, and the report for the figures."""

    folder: str
    peers: dict
    programs: dict
    rounds: int
    count: int
    large: bool
    report: object
    states: dict = dataclasses.field(default_factory=dict)

    def program(self, name):
        return self.programs[name]

    def left_out(self, name, problem):
        print(f"left out: {name}: {problem}", flush=True)

    @contextlib.contextmanager
    def leaving_out(self, name):
        """Runs a block that measures a row; if the block fails, only this row is left out."""
        try:
            yield
        except session.PROBLEMS as problem:
            self.left_out(name, problem)

    def sizes(self):
        """Returns the numbers of pending requests: none, many, and with --large very many."""
        return [0, 100_000] + ([1_000_000] if self.large else [])

    def filled(self, count):
        """Returns a folder of stores with this many requests of the far future; makes it once."""
        if count == 0:
            return None
        if count not in self.states:
            self.states[count] = self.fill(count)
        return self.states[count]

    def fill(self, count):
        """Imports the requests, for several apps if they are more than one app may have."""
        target = os.path.join(self.folder, f"state-{count}")
        lines = os.path.join(self.folder, "requests.jsonl")
        write_requests(lines, min(count, REQUESTS_OF_AN_APP))
        with session.fresh_session(self) as place:
            for number in range(-(-count // REQUESTS_OF_AN_APP)):
                app = ["--app", f"dev.bench{number}"] if number else []
                place.measure([self.program("tocsin"), "import", lines] + app)
            daemon = place.daemon()
            place.end_daemon()
            processes.wait_for_end(daemon)
            # Skip the wake pipe, which the next daemon makes again.
            shutil.copytree(place.environment["XDG_STATE_HOME"], target,
                            ignore=shutil.ignore_patterns(".bell"))
        os.remove(lines)
        return target


def identifier(index):
    """Returns an identifier whose first seven letters name only this request."""
    return f"r{index:06d}-bench"


def write_requests(path, count, date=None):
    """Writes JSON lines for `tocsin import`, due at `date`, or one a minute from 2090 on."""
    with open(path, "w", encoding="utf-8") as file:
        for index in range(count):
            minute, hour = index % 60, index // 60 % 24
            day, month, year = index // 1440 % 28 + 1, index // 40320 % 12 + 1, 2090
            when = date or f"{year}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:00Z"
            request = {"id": identifier(index), "title": f"{index}", "body": "body",
                       "trigger": {"kind": "at", "date": when}}
            file.write(json.dumps(request) + "\n")
