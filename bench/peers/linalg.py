"""Times one dense operation in NumPy: {operation, sizes, precision, repeats} on standard input."""
import json
import sys
import time

import numpy as np

ask = json.load(sys.stdin)
dtype = np.dtype(ask["precision"])
random = np.random.default_rng(1)


def normal(*shape):
    return random.standard_normal(shape).astype(dtype)


def definite(n):
    factor = normal(n, n)
    return factor @ factor.T / dtype.type(n) + np.eye(n, dtype=dtype)


operation = ask["operation"]
sizes = ask["sizes"]
if operation == "product":
    m, n, k = sizes
    a, b = normal(m, k), normal(k, n)
    work = lambda: a @ b
elif operation == "transposed product":
    m, n, k = sizes
    a, b = normal(k, m), normal(k, n)
    work = lambda: a.T @ b
elif operation == "cholesky":
    a = definite(sizes[0])
    work = lambda: np.linalg.cholesky(a)
elif operation == "eigen":
    a = definite(sizes[0])
    work = lambda: np.linalg.eigh(a)
else:
    sys.exit(f"unknown operation {operation}")

work()
times = []
for _ in range(ask["repeats"]):
    start = time.perf_counter()
    work()
    times.append(1e3 * (time.perf_counter() - start))


def blas():
    try:
        with open("/proc/self/maps") as maps:
            return sorted({line.split("/")[-1].strip() for line in maps if "blas" in line})[0]
    except (OSError, IndexError):
        return "unknown"


print(json.dumps({"ms": sorted(times)[len(times) // 2], "numpy": np.__version__, "blas": blas()}))
