"""Tables on standard output, and the same figures as JSON."""

import json
import os
import platform
import time


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def add_ratio(rows, name, field, peer):
    """Adds the ratio `name` to each row: its `field` divided by that of the row `peer`."""
    base = rows.get(peer, {}).get(field)
    for row in rows.values():
        if base and row.get(field) is not None:
            row[name] = row[field] / base


class Report:
    """The measured figures: tables of rows by name, each with figures by field."""

    def __init__(self):
        self.tables = {}

    def table(self, key, title, columns, rows):
        """Prints the rows; `columns` has the heading and the format of each field to show."""
        if not rows:
            return
        self.tables[key] = {"date": time.strftime("%Y-%m-%d"), "title": title, "rows": rows}
        print(f"\n## {key}: {title}\n")
        lines = [[""] + [heading for heading, _ in columns.values()]]
        for name, row in rows.items():
            cells = [format(row[field], form) if row.get(field) is not None else "-"
                     for field, (_, form) in columns.items()]
            lines.append([name] + cells)
        widths = [max(len(line[index]) for line in lines) for index in range(len(lines[0]))]
        for line in lines:
            cells = [line[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
            print("  ".join(cells).rstrip(), flush=True)

    def write(self, path):
        """Writes the tables to a file, which keeps its tables that were not measured again."""
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        tables = read(path)["tables"] if os.path.exists(path) else {}
        about = {"system": f"{platform.system()} {platform.release().split('-')[0]}", "processors": os.cpu_count()}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**about, "tables": {**tables, **self.tables}}, file, indent=1)
            file.write("\n")


def read(path):
    """Returns the tables that `write` stored in a file."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)
