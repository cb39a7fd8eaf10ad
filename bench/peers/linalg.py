"""
Times dense operations in NumPy, one line of JSON in, one out. {operation, sizes, precision} prepares
operands, for so many in a row with {times}; {} runs the operation once more and answers {ms};
{core, program} keeps this program and another to a core, or to all with null, and answers {kept}.
"""
import json
import os
import sys
import time

import numpy as np

random = np.random.default_rng(1)


def blas():
    try:
        with open("/proc/self/maps") as maps:
            return sorted({line.split("/")[-1].strip() for line in maps if "blas" in line})[0]
    except (OSError, IndexError):
        return "unknown"


def prepare(operation, sizes, precision):
    dtype = np.dtype(precision)
    normal = lambda *shape: random.standard_normal(shape).astype(dtype)
    if operation == "product":
        m, n, k = sizes
        a, b = normal(m, k), normal(k, n)
        return lambda: a @ b
    if operation == "transposed product":
        m, n, k = sizes
        a, b = normal(k, m), normal(k, n)
        return lambda: a.T @ b
    factor = normal(sizes[0], sizes[0])
    definite = factor @ factor.T / dtype.type(sizes[0]) + np.eye(sizes[0], dtype=dtype)
    if operation == "cholesky":
        return lambda: np.linalg.cholesky(definite)
    if operation == "eigen":
        return lambda: np.linalg.eigh(definite)
    sys.exit(f"unknown operation {operation}")


def keep(core, program):
    try:
        for process in (0, program):
            os.sched_setaffinity(process, range(os.cpu_count()) if core is None else [core])
        return True
    except (AttributeError, OSError):
        return False


def answer(value):
    print(json.dumps(value), flush=True)


answer({"numpy": np.__version__, "blas": blas()})
work, times = None, 1
for line in sys.stdin:
    ask = json.loads(line)
    if "core" in ask:
        answer({"kept": keep(**ask)})
    elif ask:
        times = ask.pop("times", 1)
        work = prepare(**ask)
        work()
        answer({})
    else:
        start = time.perf_counter()
        for _ in range(times):
            work()
        answer({"ms": 1e3 * (time.perf_counter() - start)})
