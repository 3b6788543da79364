"""Checks a Parquet export against the CSV export of the same run, with a reader of its own (pyarrow).

    pip install pyarrow
    npx tilebench runs export ID --format parquet -o run.parquet
    npx tilebench runs export ID --format csv -o run.csv
    python3 bench/parquet-check.py run.parquet run.csv
"""
import csv
import json
import sys

import pyarrow.parquet as parquet

parquet_path, csv_path = sys.argv[1:3]
file = parquet.ParquetFile(parquet_path)
facts = file.metadata.metadata
print(f"{file.metadata.num_rows} rows in {file.metadata.num_row_groups} row groups, by {file.metadata.created_by}")
print("marks:", [mark["word"] for mark in json.loads(facts[b"tilebench.marks"])], "run:", json.loads(facts[b"tilebench.run"])["run"]["name"])

rows = 0
wrong = 0
with open(csv_path, encoding="utf-8", newline="") as text:
    lines = csv.DictReader(text)
    for batch in file.iter_batches(batch_size=50_000, columns=["t_ms", "elapsed_ms", "phase", "tile", "entity", "metric", "unit", "value"]):
        for row in batch.to_pylist():
            line = next(lines)
            rows += 1
            same = (
                round(row["t_ms"].timestamp() * 1000) == int(line["t_ms"])
                and row["elapsed_ms"] == round(float(line["elapsed_s"]) * 1000)
                and (row["phase"] or "") == line["phase"]
                and str(row["tile"] or "") == line["tile"]
                and row["entity"] == line["entity"]
                and row["metric"] == line["metric"]
                and row["unit"] == line["unit"]
                and row["value"] == float(line["value"])
            )
            wrong += not same
    left = sum(1 for _ in lines)
print(f"{rows} rows compared, {wrong} differ, {left} only in the CSV")
sys.exit(1 if wrong or left else 0)
