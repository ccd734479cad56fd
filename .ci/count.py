"""Adds up the xunit files of the test runs: prints "N passed, N failed, N skipped".

count.py FOLDER RUN...   A run that left no file crashed before it could report: one failure.
Exits 1 if anything failed or nothing passed.
"""

import glob
import os
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = skipped = 0
for run in sys.argv[2:]:
    files = glob.glob(os.path.join(sys.argv[1], run + "*.xml"))
    if not files:
        print(f"{run}: no results were written: the run did not finish")
        failed += 1
    for file in files:
        for case in ElementTree.parse(file).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print("failed:", name)
            elif case.find("skipped") is not None:
                skipped += 1
                print("skipped:", name, "-", case.find("skipped").text)
            else:
                passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
