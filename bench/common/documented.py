"""Compares the rows of a table that was just measured with those of docs/benchmarks.md."""
import os
import re
import sys

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "docs", "benchmarks.md")
NOISE = 0.25  # beside the spread of the row itself: what the hour of the day and other work on the machine make


def cells(line):
    return [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]


def rows_of(columns):
    """The rows of all tables with these columns."""
    inside = False
    with open(PAGE, encoding="utf-8") as page:
        for line in page:
            if not line.startswith("|"):
                inside = False
            elif cells(line) == columns:
                inside = True
            elif inside and not set(line) <= set("|-: \n"):
                yield cells(line)


def number(text):
    match = re.match(r"[≥≤ ]*([\d,]*\.?\d+)", text)
    return float(match.group(1).replace(",", "")) if match else None


def tell(columns, texts, rows, better):
    """Says on stderr which figures are worse than documented by more than noise, and which counts differ.

    The first `texts` columns name a row. better: column -> +1 (more is better), -1 (less is) or 0 (it must be equal).
    Of several tables with these columns the first counts. A row that is not documented, as those of small programs, is passed over. Returns how many were told of."""
    known = {}
    for row in rows_of(columns):
        known.setdefault(tuple(row[:texts]), row)
    told = 0
    for row in rows:
        documented = known.get(tuple(row[:texts]))
        for i, column in enumerate(columns if documented else []):
            now, then = number(row[i]), number(documented[i])
            if column not in better or now is None or not then:
                continue
            spread = number(row[columns.index("spread")]) if "spread" in columns else 0
            noise = NOISE + (spread or 0) / 100
            sign = better[column]
            if (sign > 0 and now < then * (1 - noise)) or (sign < 0 and now > then * (1 + noise)) or (not sign and now != then):
                what = "differs from" if not sign else "is worse than"
                print(f"{' '.join(row[:texts])}: {column} {row[i]} {what} the documented {documented[i]}", file=sys.stderr)
                told += 1
    return told
