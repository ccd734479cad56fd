"""Counts that may only fall: what the tree has too much of, each with the number that is left.

`ratchet.json` holds the numbers. A count above its number is a fault, and so is one below it: then the
number has to follow, so that nobody takes the room up again. A count of 0 belongs into `lint.py`, as a
rule; when all are gone, this file goes.
"""

import json
import os
import re

COMMENT = re.compile(r"^\s*///?\s?(.*)$")
# Sentences that begin with a free clause, and words that have a plainer one.
DIALECT = re.compile(
    r"^(?:What|Who|Whoever|That|Those)\b|\b[Tt]he person\b|\bperson's\b|\bis told of\b|\bcan be had\b"
    r"|\bcomes to nothing\b|\bnone of ours\b")
CAMEL_CASE_TEST = re.compile(r"@Test\b[^{`]*?\bfunc\s+[a-z]\w*\(", re.S)


def swift_files(root, folder):
    """The paths and texts of the Swift files below a folder."""
    for place, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    yield path, file.read()


def counts(root):
    """Every count by its name."""
    sources = list(swift_files(root, "Sources"))
    tests = list(swift_files(root, "Tests"))
    result = {
        f"source files that name {word}": sum(word in text for _, text in sources)
        for word in ("filterCriteria", "setPreviews", "denied_on")}
    result["@testable imports"] = sum(
        len(re.findall(r"^@testable import", text, re.M)) for _, text in tests)
    result["tests in camel case"] = sum(
        len(CAMEL_CASE_TEST.findall(text)) for _, text in tests)
    result["comment lines in the dialect"] = sum(
        bool(DIALECT.search(match.group(1)))
        for _, text in sources + tests
        for match in map(COMMENT.match, text.split("\n")) if match)
    return result


def faults(root, path="Tests/Lint/ratchet.json"):
    """Counts that differ from their numbers, as lines."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        kept = json.load(file)
    found = counts(root)
    for name in sorted(set(kept) | set(found)):
        if kept.get(name) is None or found.get(name) is None:
            yield f"{path}: '{name}' is counted here or there alone"
        elif found[name] > kept[name]:
            yield f"{path}: {found[name]} {name}; no more than {kept[name]} are allowed"
        elif found[name] < kept[name]:
            yield f"{path}: {found[name]} {name} are left; write that in place of {kept[name]}"
