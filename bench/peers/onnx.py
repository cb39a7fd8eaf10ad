"""
Hidden activations and gradients of a convolutional network in PyTorch, from weights and images in .npy files. One line of
JSON in, one out: {folder} reads the files and writes hidden.npy, {run: "hidden"} or {run: "gradient"} answers {ms}.
"""
import json
import os
import sys
import time

import numpy as np
import torch

torch.set_num_threads(1)


def answer(value):
    print(json.dumps(value), flush=True)


def prepare(folder):
    read = lambda name: torch.from_numpy(np.load(os.path.join(folder, name + ".npy")).astype(np.float32))
    x = read("x")
    network = torch.nn.Sequential(
        torch.nn.Unflatten(1, (1, 18, 18)),
        torch.nn.Conv2d(1, 32, 5),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(6272, 64),
        torch.nn.ReLU(),
    ).eval()
    with torch.no_grad():
        for at, name in ((1, "1"), (4, "4")):
            network[at].weight.copy_(read(name + ".weight"))
            network[at].bias.copy_(read(name + ".bias"))

    def hidden():
        with torch.no_grad():
            return torch.cat([network(part) for part in x.split(256)])

    def gradient():
        rows = x[:200].clone().requires_grad_()
        network(rows).sum().backward()

    np.save(os.path.join(folder, "hidden.npy"), hidden().numpy().astype(np.float64))
    return {"hidden": hidden, "gradient": gradient}


answer({"version": torch.__version__})
work = {}
for line in sys.stdin:
    question = json.loads(line)
    if "folder" in question:
        work = prepare(question["folder"])
        answer({})
        continue
    start = time.perf_counter()
    work[question["run"]]()
    answer({"ms": 1000 * (time.perf_counter() - start)})
