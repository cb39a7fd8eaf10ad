"""HistGradientBoosting or RandomForest on the rows of bench/learners: milliseconds of a fit and held-out error."""
import json
import sys
import time

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

request = json.load(sys.stdin)
rows, columns, repeats = request["rows"], request["columns"], request["repeats"]
X = np.fromfile(request["folder"] + "/x").reshape(-1, columns)
y = np.fromfile(request["folder"] + "/y")
times, errors = [], []
for seed in range(1, repeats + 1):
    if request["name"] == "boosting":
        model = HistGradientBoostingRegressor(max_iter=100, max_leaf_nodes=31, early_stopping=False)
    else:
        model = RandomForestRegressor(100, n_jobs=request["threads"], random_state=seed)
    start = time.perf_counter()
    model.fit(X[:rows], y[:rows])
    times.append(1000 * (time.perf_counter() - start))
    errors.append(float(np.mean((y[rows:] - model.predict(X[rows:])) ** 2)))
answer = {"version": sklearn.__version__, "ms": sorted(times)[repeats // 2], "error": sum(errors) / repeats}
json.dump(answer, sys.stdout)
