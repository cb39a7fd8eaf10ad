"""One epoch of PyTorch on the shapes of bench/train: minibatch Adam, mean squared error, one thread."""
import json
import sys
import time

import torch

request = json.load(sys.stdin)
torch.set_num_threads(request["threads"])
torch.manual_seed(1)
results = []
for case in request["cases"]:
    n, batch, sizes, repeats = case["rows"], case["batch"], case["sizes"], case["repeats"]
    X = torch.randn(n, case["sizes"][0])
    y = torch.randn(n, 1)
    layers = []
    if "convolution" in case:
        image, filters, kernel = case["image"], case["convolution"]["filters"], case["convolution"]["kernel"]
        shape = (image["channels"], image["height"], image["width"])
        layers = [torch.nn.Unflatten(1, shape), torch.nn.Conv2d(shape[0], filters, kernel), torch.nn.ReLU(), torch.nn.Flatten()]
        sizes = [filters * (shape[1] - kernel + 1) * (shape[2] - kernel + 1)] + sizes[1:]
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.ReLU()]
    model = torch.nn.Sequential(*layers[:-1])
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        order = torch.randperm(n)
        for i in range(0, n, batch):
            rows = order[i : i + batch]
            optimiser.zero_grad()
            loss = ((model(X[rows]) - y[rows]) ** 2).mean()
            loss.backward()
            optimiser.step()
        times.append(1000 * (time.perf_counter() - start))
    results.append(sorted(times[1:])[repeats // 2])
json.dump({"version": torch.__version__, "ms": results}, sys.stdout)
