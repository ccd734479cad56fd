"""Counts that may only fall: each names a habit to remove, with the number of places left.

`ratchet.json` holds the numbers. A count above its number is a fault. A count below its number is
one too: write the lower number, so that the count cannot rise again. A count of 0 becomes a rule
in `lint.py`. Without any count left, this file can go.
"""

import collections
import io
import json
import os
import re
import subprocess
import tarfile

COMMENT = re.compile(r"^[ \t]*///?[ \t]?(.*)$", re.M)
# Sentences that begin with a free clause, and words that have a plainer one.
DIALECT = re.compile(
    r"^(?:What|Who|Whoever|That|Those)\b|\b[Tt]he person\b|\bperson's\b|\bis told of\b|\bcan be had\b"
    r"|\bcomes to nothing\b|\bnone of ours\b")
TESTABLE = re.compile(r"^@testable import", re.M)

REMEDIES = {
    "@testable imports": "test what the module offers to the package, without @testable",
    "comment lines in the dialect": "begin with the actor and an active verb, "
    "\"The daemon keeps the request\", and call the person the user",
}
FILES = {
    f"source files that name {word}": word for word in ("filterCriteria", "setPreviews", "denied_on")}
FILES_REMEDY = "name it in a file that names it already, or in a table"

# A counted place, and the text by which it is recognised in another commit.
Place = collections.namedtuple("Place", "path line text")


def swift_files(root, folder):
    """The paths in the package and the texts of the Swift files below a folder."""
    for place, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, root), file.read()


def places(files):
    """Returns the places of each count, by its name; `files` are paths and texts."""
    found = {name: [] for name in [*REMEDIES, *FILES]}

    def add(name, path, text, start):
        line = text.count("\n", 0, start) + 1
        found[name].append(Place(path, line, text.split("\n")[line - 1].strip()))

    for path, text in files:
        if path.startswith("Tests/"):
            for match in TESTABLE.finditer(text):
                add("@testable imports", path, text, match.start())
        else:
            for name, word in FILES.items():
                if word in text:
                    add(name, path, text, text.index(word))
        for match in COMMENT.finditer(text):
            if DIALECT.search(match.group(1)):
                add("comment lines in the dialect", path, text, match.start())
    return found


def counts(root):
    """Every count by its name."""
    files = [*swift_files(root, "Sources"), *swift_files(root, "Tests")]
    return {name: len(found) for name, found in places(files).items()}


def kept_places(root, path):
    """The places in the commit that wrote the numbers down last; None outside of a repository."""
    def git(*arguments):
        run = subprocess.run(["git", *arguments], cwd=root, capture_output=True)
        return run.stdout if run.returncode == 0 else b""

    commit = git("log", "-1", "--format=%H", "--", path).decode().strip()
    archive = commit and git("archive", commit, "Sources", "Tests")
    if not archive:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return places([
            (member.name, tar.extractfile(member).read().decode())
            for member in tar if member.isfile() and member.name.endswith(".swift")])


def new_places(found, kept, name):
    """Yields the places that are new since the commit of the numbers; a line may have moved."""
    def identity(place):
        return place.path if name in FILES else place.text

    left = collections.Counter(map(identity, kept[name]))
    for place in found[name]:
        if left[identity(place)]:
            left[identity(place)] -= 1
        else:
            yield place


def faults(root, path="Tests/Lint/ratchet.json"):
    """Yields a line for each count that differs from its number; new places come before it."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        numbers = json.load(file)
    found = places([*swift_files(root, "Sources"), *swift_files(root, "Tests")])
    kept = None
    for name in sorted(set(numbers) | set(found)):
        number, count = numbers.get(name), len(found.get(name, []))
        if number is None or name not in found:
            yield f"{path}: '{name}' is counted here or there alone"
        elif count > number:
            remedy = REMEDIES.get(name, FILES_REMEDY)
            kept = kept or kept_places(root, path)
            for place in new_places(found, kept, name) if kept else []:
                yield f"{place.path}:{place.line}: one more of the {name}: {place.text}"
            yield f"{path}: {count} {name}; no more than {number} are allowed: {remedy}"
        elif count < number:
            yield f"{path}: {count} {name} are left; write that in place of {number}"
