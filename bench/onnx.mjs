// Hidden activations of a trained convolutional network from its ONNX file, beside PyTorch on the same weights and images.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFromSeed, matrix, readNpy, uniforms, version, writeNpy } from "@ratewise/core";
import { activations, networkSaliency, openNetwork } from "@ratewise/onnx";
import { medianMs, runPeer, scoreboard } from "./peer.mjs";

const IMAGES = 10_000;
const PIXELS = 324;

const references = process.env.RATEWISE_REFERENCES;
if (!references) {
  console.log(
    "FAILED: set RATEWISE_REFERENCES to the folder of reference answers, which holds the network",
  );
  process.exit(1);
}
const file = join(references, "networks/cnn-mnist-01/model.onnx");
const network = await openNetwork(readFileSync(file), { where: file });
const next = uniforms(keyFromSeed(1));
const X = matrix(
  IMAGES,
  PIXELS,
  Float64Array.from({ length: IMAGES * PIXELS }, () => Math.fround(next())),
);

const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
try {
  const names = ["1.weight", "1.bias", "4.weight", "4.bias"];
  for (const name of names) {
    const { data, dims } = network.program.constants.get(name);
    writeFileSync(join(folder, `${name}.npy`), writeNpy({ data, shape: dims }));
  }
  writeFileSync(join(folder, "x.npy"), writeNpy({ data: X.data, shape: [IMAGES, PIXELS] }));
  const peer = runPeer("onnx.py", { folder });
  const board = scoreboard("ONNX networks, one thread each", {
    ratewise: version,
    PyTorch: peer?.version ?? "missing",
  });
  let made;
  const ms = await medianMs(async () => {
    made = await activations(network, X);
  }, 3);
  if (peer) {
    const { data } = readNpy(readFileSync(join(folder, "hidden.npy")));
    const difference = made.hidden.data.reduce(
      (most, h, e) => Math.max(most, Math.abs(h - data[e])),
      0,
    );
    board.line("time of the hidden activations of 10,000 images over PyTorch's", ms / peer.ms, {
      atMost: 3,
      detail: `${ms.toFixed(0)} ms by ${made.by}, PyTorch ${peer.ms.toFixed(0)} ms, largest difference ${difference.toExponential(1)}`,
    });
    const few = matrix(200, PIXELS, X.data.slice(0, 200 * PIXELS));
    const slope = await medianMs(() => networkSaliency(network, few, { method: "gradient" }), 3);
    board.line(
      "time of the gradients of 200 images over PyTorch's, ours in double precision",
      slope / peer.gradientMs,
      {
        detail: `${slope.toFixed(0)} ms, PyTorch ${peer.gradientMs.toFixed(0)} ms in single`,
      },
    );
  } else
    board.line("time of the hidden activations of 10,000 images over PyTorch's", Number.NaN, {
      atMost: 3,
    });
  board.finish();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
