"""RATE of a million effects from arrays in memory, by the formulas of docs/rate.md, in NumPy."""
import json
import sys
import time

import numpy as np
from scipy.linalg import solve_triangular

request = json.load(sys.stdin)
p, l, folder, repeats = request["p"], request["l"], request["folder"], request["repeats"]
rng = np.random.default_rng(1)
np.save(f"{folder}/mean.npy", rng.standard_normal(p))
np.save(f"{folder}/factor.npy", rng.standard_normal((p, l)))
np.save(f"{folder}/noise.npy", rng.uniform(0.5, 1.5, p))

start = time.perf_counter()
mean, factor, noise = (np.load(f"{folder}/{name}.npy") for name in ("mean", "factor", "noise"))
load = time.perf_counter() - start


def compute():
    scale = 1 / np.sqrt(noise)
    U = factor * scale[:, None]
    m = mean * scale
    L = np.linalg.cholesky(np.eye(l) + U.T @ U)
    Z = solve_triangular(L, U.T, lower=True, check_finite=False)
    h = np.einsum("ij,ij->j", Z, Z)
    r = np.einsum("ij,ij->i", U, U)
    w = (1 - h) * (1 + r)
    kld = 0.5 * m * m * (r / (1 + r) - h)
    exact = 0.5 * (w - 1 - np.log(w)) + kld
    information = 0.5 * np.log(w)
    rate = kld / kld.sum()
    delta = (rate * np.log(p * rate)).sum()
    rank = np.argsort(np.argsort(-rate, kind="stable"), kind="stable") + 1
    return rate, exact, information, delta, rank


times = []
for _ in range(repeats):
    start = time.perf_counter()
    rate, *_ = compute()
    times.append(time.perf_counter() - start)
first = [float(value) for value in rate[:5]]
json.dump({"version": np.__version__, "load": load, "compute": sorted(times)[repeats // 2], "first": first}, sys.stdout)
