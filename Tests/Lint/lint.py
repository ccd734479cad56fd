"""The checks that the formatter does not make: imports against the target graph, and house style.

Prints one line for each fault, and exits 1 if there is any.
"""

import json
import os
import subprocess
import sys

from imports import Graph, imports
from papers import fault_table_faults, link_faults
from style import style_faults
from testable import testable_faults
from waiting import python_faults

# The programs of articles, as the articles print them; the house style does not apply to them.
LISTINGS = "Tests/Seeds/"

# Each word belongs to one feature, whose changes touch every file with the word. So at most this
# number of files in Sources may have it.
TRACERS = {"filterCriteria": 3, "setPreviews": 5, "denied_on": 2}


def tracer_faults(sources, most=TRACERS):
    """Yields the words that too many source files have; `sources` are paths and texts."""
    for word, limit in most.items():
        paths = [path for path, text in sources if word in text]
        if len(paths) > limit:
            yield (f"{len(paths)} source files name {word}, at most {limit}: name it in a file that does so "
                   f"already, or in a table ({', '.join(paths)})")


def swift_files(root, describe):
    """The target, path and text of each Swift file of the package in `root`."""
    for target in sorted(describe["targets"], key=lambda target: target["name"]):
        for source in target.get("sources", []):
            path = os.path.join(target["path"], source)
            if path.endswith(".swift"):
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    yield target["name"], path, file.read()


def check(root, describe):
    """All faults of the package in `root`, as lines."""
    graph = Graph(describe)
    faults = list(graph.declared_faults())
    for name, path, text in swift_files(root, describe):
        for number, module in imports(text):
            fault = graph.import_fault(name, module)
            if fault:
                faults.append(f"{path}:{number}: {fault}")
        if not path.startswith(LISTINGS):
            faults.extend(style_faults(path, text, name))
    return faults


def whole_faults(root, describe):
    """The faults that only all files together show, as lines."""
    tests, sources, modules = [], [], {}
    for name, path, text in swift_files(root, describe):
        (tests if path.startswith("Tests/") else sources).append((path, text))
        modules[name] = modules.get(name, "") + text + "\n"
    yield from testable_faults(tests, modules)
    yield from tracer_faults(sources)


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=root, stdout=subprocess.PIPE)
    if described.returncode != 0:
        sys.exit("lint: `swift package describe` failed; its message is above")
    text = described.stdout.decode()
    describe = json.loads(text[text.index("{"):])
    faults = check(root, describe)
    faults += [
        *whole_faults(root, describe), *fault_table_faults(root), *link_faults(root),
        *python_faults(root)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
