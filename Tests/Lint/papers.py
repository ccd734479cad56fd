"""The table of faults and its tests, and the links of the README and the articles."""

import os
import re

from swifttext import without_comments

TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|[^|]*\|(.*)\|\s*$")
FAULTS = 63

# The most rows with a sentence instead of a test; the sentence explains why no test is possible.
UNTESTED_FAULTS = 4
UNTESTED = "Not tested: "
TEST = re.compile(r"@Test\b[^{]*?\bfunc\s+(?:(\w+)|`([^`\n]+)`)")


def fault_table_faults(root, path="Tests/Faults.md", count=FAULTS):
    """Yields the mistakes in the table of faults.

    Each fault from 1 to `count` must have one row. The row names existing tests (`Suite/test`) or
    make targets, or has a sentence.
    """
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    targets = set(re.findall(r"^([\w-]+):", makefile(root, "Makefile"), re.MULTILINE))
    tests = known_tests(os.path.join(root, "Tests"))
    seen, untested = set(), 0
    for number, line in enumerate(lines, 1):
        row = TABLE_ROW.match(line)
        if not row:
            continue
        fault = int(row.group(1))
        if fault in seen:
            yield f"{path}:{number}: fault {fault} has two rows"
        seen.add(fault)
        if row.group(2).strip().startswith(UNTESTED):
            untested += 1
            continue
        named = re.findall(r"`([^`]+)`", row.group(2))
        if not named:
            yield f"{path}:{number}: fault {fault} has no test"
        for name in named:
            known = name[5:] in targets if name.startswith("make ") else name in tests
            if not known:
                yield f"{path}:{number}: there is no {name}"
    for fault in sorted(set(range(1, count + 1)) - seen):
        yield f"{path}: fault {fault} is missing"
    if untested > UNTESTED_FAULTS:
        yield f"{path}: {untested} faults are not tested, at most {UNTESTED_FAULTS}"


def makefile(root, path):
    """The text of a makefile, with the makefiles that it includes."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    names = " ".join(re.findall(r"^include (.+)$", text, re.MULTILINE)).split()
    return "\n".join([text] + [makefile(root, name) for name in names])


LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")


def link_faults(root):
    """Yields the links of the README and the articles to files that do not exist."""
    catalog = os.path.join("Sources", "UserNotifications", "UserNotifications.docc")
    articles = sorted(os.listdir(os.path.join(root, catalog)))
    for path in ["README.md"] + [os.path.join(catalog, name) for name in articles]:
        if not path.endswith(".md"):
            continue
        folder = os.path.dirname(os.path.join(root, path))
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines, 1):
            for picture, target in LINK.findall(line):
                # A picture of the catalog is named without its folder and its suffix.
                if "://" in target or target.startswith("#") or picture and "/" not in target:
                    continue
                if not os.path.exists(os.path.join(folder, target)):
                    yield f"{path}:{number}: there is no {target}"


def known_tests(folder):
    """`Suite/test` of every test function below a folder; a raw identifier without its backquotes."""
    tests = set()
    for place, _, files in os.walk(folder):
        for name in files:
            if not name.endswith(".swift"):
                continue
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = without_comments(file.read())
            for suite in re.findall(r"\b(?:struct|class|extension)\s+(\w+Tests)\b", text):
                tests.update(f"{suite}/{plain or raw}" for plain, raw in TEST.findall(text))
    return tests
