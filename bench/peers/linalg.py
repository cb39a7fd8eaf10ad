"""
Times dense operations in NumPy, one line of JSON in, one out. {operation, sizes, precision} prepares
operands, for so many in a row with {times}; {} runs the operation once more and answers {ms};
{cores, program} keeps this program and another to these cores.
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
        a, b, c = normal(m, k), normal(k, n), np.empty((m, n), dtype)
        return lambda: np.matmul(a, b, out=c)
    if operation == "transposed product":
        m, n, k = sizes
        a, b, c = normal(k, m), normal(k, n), np.empty((m, n), dtype)
        return lambda: np.matmul(a.T, b, out=c)
    factor = normal(sizes[0], sizes[0])
    definite = factor @ factor.T / dtype.type(sizes[0]) + np.eye(sizes[0], dtype=dtype)
    if operation == "cholesky":
        return lambda: np.linalg.cholesky(definite)
    if operation == "eigen":
        return lambda: np.linalg.eigh(definite)
    sys.exit(f"unknown operation {operation}")


def cores():
    """Those this program may run on; none where the system cannot say, and cannot keep programs to some."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def keep(cores, program):
    for process in (0, program):
        os.sched_setaffinity(process, cores)


def answer(value):
    print(json.dumps(value), flush=True)


answer({"numpy": np.__version__, "blas": blas(), "cores": cores()})
work, times = None, 1
for line in sys.stdin:
    ask = json.loads(line)
    if "cores" in ask:
        keep(**ask)
        answer({})
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
