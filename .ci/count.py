"""Adds up the xunit files of the test runs: prints "N passed, N failed, N skipped".

count.py FOLDER RUN...            A run without a file has crashed; it counts as one failure. A
                                  test that failed and then passed in the run `again`, which has
                                  the machine for itself, is named and counts as passed. Exits 1
                                  if anything failed or nothing passed.
count.py --suites FOLDER RUN...   Prints the suites with a failed test, as a regular expression.
"""

import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree


def cases(folder, run):
    """Returns the test cases of a run; None if it left no file."""
    files = glob.glob(os.path.join(folder, run + "-*.xml"))
    if not files:
        return None
    return [case for file in files for case in ElementTree.parse(file).iter("testcase")]


def name(case):
    return f"{case.get('classname')}.{case.get('name')}"


def failures(case):
    found = case.findall("failure") + case.findall("error")
    return [reason.get("message") or "" for reason in found]


def skip(case):
    """Returns why a case was skipped; empty if it ran."""
    skipped = case.find("skipped")
    return "" if skipped is None else skipped.text or "no reason given"


def suites(folder, runs):
    found = [case for run in runs for case in cases(folder, run) or []]
    failed = {case.get("classname") for case in found if failures(case)}
    print("|".join(re.escape(suite) for suite in sorted(failed)))


def count(folder, runs):
    passed = failed = skipped = 0
    second = cases(folder, "again") or []
    again = {name(case) for case in second if not failures(case) and not skip(case)}
    for run in runs:
        found = cases(folder, run)
        if found is None:
            print(f"{run}: no results were written: the run did not finish")
            failed += 1
        for case in found or []:
            reasons = failures(case)
            if reasons and name(case) in again:
                passed += 1
                print("failed beside others, passed alone:", name(case))
            elif reasons:
                failed += 1
                print("failed:", name(case))
            elif skip(case):
                skipped += 1
                print("skipped:", name(case), "-", skip(case))
            else:
                passed += 1
            for reason in reasons:
                print("   ", reason.replace("\n", "\n    "))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if sys.argv[1] == "--suites":
    suites(sys.argv[2], sys.argv[3:])
else:
    sys.exit(count(sys.argv[1], sys.argv[2:]))
