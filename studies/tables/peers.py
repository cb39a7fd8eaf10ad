"""
Other models on the tables that `fetch.py` wrote, on the same rows; one line per table, rows, seed and model is kept:

    python studies/tables/peers.py --corpus FOLDER --journal studies/results/tables-peers.jsonl [--jobs N] [--seeds 3] [--groups named]

Lines that the journal has already are not computed again. Every model has one thread. Cut rows and seeds 1 to 3 of the named
tables come first, the smaller ones before the larger.

* linear    ridge (penalty by leave-one-out among 33 from 1e-3 to 1e5) or logistic regression (C among 10 from 1e-4 to 1e4).
* boosting  histogram gradient boosting as scikit-learn sets it; categories as categories, missing values as they are.
* mlp       100 hidden units, at most 500 passes over the rows, penalty among 1e-4, 1e-2 and 1; numeric targets standardised.

C and the MLP's penalty are those with the best mean R² or accuracy over five and three folds of the training rows, ties by
log loss. For linear models and MLPs numbers are standardised and categories become one column per level; missing numbers
become the training rows' median, missing categories the commonest level.
Score: R² or the share of right classes; log loss with probabilities of at least 1e-6.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import json
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import KFold
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

LEAST = 1e-6
VERSION = f"scikit-learn {sklearn.__version__}"
ALPHAS = np.logspace(-3, 5, 33)
STRENGTHS = np.logspace(-4, 4, 10)
PENALTIES = (1e-4, 1e-2, 1.0)


@cache
def read(corpus: Path, file: str, target: str, task: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Predictors, text being categories, and the target. Only an empty cell is missing."""
    table = pd.read_csv(corpus / file, keep_default_na=False, na_values=[""])
    y = table[target].to_numpy(float) if task == "regression" else table[target].astype(str).to_numpy(object)
    X = table.drop(columns=target)
    text = [name for name in X.columns if not pd.api.types.is_numeric_dtype(X[name]) or X[name].dtype == bool]
    return X.astype({name: object for name in text}), y


def kinds(X: pd.DataFrame) -> tuple[list[str], list[str]]:
    text = [name for name in X.columns if X[name].dtype == object]
    return [name for name in X.columns if name not in text], text


def units(X: pd.DataFrame) -> ColumnTransformer:
    numbers, text = kinds(X)
    levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
            ("levels", make_pipeline(SimpleImputer(strategy="most_frequent"), levels, StandardScaler()), text),
        ]
    )


def codes(X: pd.DataFrame) -> ColumnTransformer:
    """Boosting takes at most 255 levels: the rarer ones of a longer list are one."""
    numbers, text = kinds(X)
    coded = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=254)
    return ColumnTransformer([("levels", coded, text), ("numbers", "passthrough", numbers)])


def linear(X, y, task, seed):
    if task == "regression":
        return make_pipeline(units(X), RidgeCV(alphas=ALPHAS)).fit(X, y)
    return chosen(lambda C: LogisticRegression(C=C, max_iter=1000), STRENGTHS, 5, X, y, task, seed)


def boosting(X, y, task, seed):
    kind = HistGradientBoostingRegressor if task == "regression" else HistGradientBoostingClassifier
    text = len(kinds(X)[1])
    model = kind(categorical_features=list(range(text)) if text else None, random_state=seed)
    return make_pipeline(codes(X), model).fit(X, y)


def mlp(X, y, task, seed):
    def build(alpha):
        if task == "classification":
            return MLPClassifier(alpha=alpha, max_iter=500, random_state=seed)
        net = MLPRegressor(alpha=alpha, max_iter=500, random_state=seed)
        return TransformedTargetRegressor(net, transformer=StandardScaler())

    return chosen(build, PENALTIES, 3, X, y, task, seed)


MODELS = {"linear": linear, "boosting": boosting, "mlp": mlp}


def chosen(build, settings, count, X, y, task, seed):
    """Fits with the setting that predicts the folds best. A fold whose training rows have one class alone says nothing."""
    found = {setting: [] for setting in settings}
    for train, test in KFold(count, shuffle=True, random_state=seed).split(X):
        if task == "classification" and len(set(y[train])) < 2:
            continue
        coding = units(X).fit(X.iloc[train])
        known, held = coding.transform(X.iloc[train]), coding.transform(X.iloc[test])
        for setting in settings:
            score, loss = scores(build(setting).fit(known, y[train]), held, y[test], task)
            found[setting].append((score, 0.0 if loss is None else -loss))
    best = max(settings, key=lambda setting: tuple(np.mean(found[setting], axis=0)))
    return make_pipeline(units(X), build(best)).fit(X, y)


def scores(model, X, y, task) -> tuple[float, float | None]:
    if task == "regression":
        predicted = model.predict(X)
        return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum()), None
    names = list(model.classes_)
    probabilities = model.predict_proba(X)
    came = np.array([names.index(name) if name in names else -1 for name in y])
    taken = np.where(came < 0, LEAST, probabilities[np.arange(len(y)), np.maximum(came, 0)])
    return float((probabilities.argmax(axis=1) == came).mean()), float(-np.log(np.maximum(taken, LEAST)).mean())


def measure(corpus: Path, entry: dict, split: dict, name: str) -> dict:
    warnings.filterwarnings("ignore")  # steps that did not settle, levels that training rows lack
    task = entry["task"]
    X, y = read(corpus, entry["file"], entry["target"], task)
    train, test = split["train"], split["test"]
    began = time.perf_counter()
    model = MODELS[name](X.iloc[train].reset_index(drop=True), y[train], task, split["seed"])
    seconds = time.perf_counter() - began
    score, loss = scores(model, X.iloc[test], y[test], task)
    return {
        "table": entry["name"],
        "sha256": entry["sha256"],
        "cut": split["cut"],
        "seed": split["seed"],
        "model": name,
        "score": score,
        "logLoss": loss,
        "seconds": round(seconds, 3),
        "version": VERSION,
    }


def identity(row: dict) -> tuple:
    return row["table"], row["sha256"], row["cut"], row["seed"], row["model"]


def wanted(corpus: Path, entries: list[dict], seeds: int) -> list[tuple[dict, dict, str]]:
    jobs = []
    for entry in entries:
        for split in json.loads((corpus / f"{entry['name']}.splits.json").read_text()):
            if split["seed"] <= seeds:
                jobs += [(entry, split, name) for name in (MODELS if split["cut"] is None else ("linear",))]

    def late(job):
        entry, split, _ = job
        whole = split["cut"] is None
        return entry["group"] != "named", whole and split["seed"] > 3, whole, entry["rows"] >= 1000, split["seed"]

    return sorted(jobs, key=late)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--groups", default="named,further")
    parser.add_argument("--tables", help="names, with commas between")
    options = parser.parse_args()
    entries = json.loads((options.corpus / "manifest.json").read_text())
    entries = [entry for entry in entries if entry["group"] in options.groups.split(",")]
    if options.tables:
        entries = [entry for entry in entries if entry["name"] in options.tables.split(",")]
    lines = options.journal.read_text().splitlines() if options.journal.exists() else []
    done = {identity(json.loads(line)) for line in lines}
    jobs = [
        (entry, split, name)
        for entry, split, name in wanted(options.corpus, entries, options.seeds)
        if identity({**split, "table": entry["name"], "sha256": entry["sha256"], "model": name}) not in done
    ]
    failed = []
    with options.journal.open("a") as journal, ProcessPoolExecutor(options.jobs) as pool:
        running = {pool.submit(measure, options.corpus, *job): job for job in jobs}
        for count, finished in enumerate(as_completed(running), 1):
            if finished.exception() is not None:
                entry, split, name = running[finished]
                failed.append(f"{entry['name']} {split['cut']} {split['seed']} {name}: {finished.exception()!r}")
                print(f"failed: {failed[-1]}", flush=True)
                continue
            row = finished.result()
            journal.write(json.dumps(row) + "\n")
            journal.flush()
            if row["seconds"] > 120:
                print(f"slow: {identity(row)} took {row['seconds']} s", flush=True)
            if count % 50 == 0 or count == len(jobs):
                print(f"{count}/{len(jobs)} {identity(row)}", flush=True)
    if failed:
        raise SystemExit(f"{len(failed)} of {len(jobs)} failed")


if __name__ == "__main__":
    main()
