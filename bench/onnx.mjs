// Hidden activations of a trained convolutional network from its ONNX file, beside PyTorch on the same weights and images.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFromSeed, matrix, uniforms, version } from "@ratewise/core";
import { readNpy, writeNpy } from "@ratewise/core/data";
import { activations, networkSaliency, openNetwork } from "@ratewise/onnx";
import { startPeer } from "./live-peer.mjs";
import { scoreboard } from "./peer.mjs";

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
  const peer = await startPeer("onnx.py");
  await peer?.ask({ folder });
  const board = scoreboard("ONNX networks, one thread each", {
    ratewise: version,
    PyTorch: peer?.about.version ?? "missing",
  });
  let made;
  const forward = await takeTurns(peer, "hidden", async () => {
    made = await activations(network, X);
  });
  const reference = peer && readNpy(readFileSync(join(folder, "hidden.npy"))).data;
  const difference = reference
    ? made.hidden.data.reduce((most, h, e) => Math.max(most, Math.abs(h - reference[e])), 0)
    : Number.NaN;
  board.line("time of the hidden activations of 10,000 images over PyTorch's", forward.ratio, {
    atMost: 3,
    detail: `${forward.ours.toFixed(0)} ms by ${made.by}, PyTorch ${forward.theirs?.toFixed(0)} ms, largest difference ${difference.toExponential(1)}`,
  });
  const few = matrix(200, PIXELS, X.data.slice(0, 200 * PIXELS));
  const backward = await takeTurns(peer, "gradient", () =>
    networkSaliency(network, few, { method: "gradient" }),
  );
  board.line("time of the gradients of 200 images over PyTorch's", backward.ratio, {
    detail: `${backward.ours.toFixed(0)} ms in double precision, PyTorch ${backward.theirs?.toFixed(0)} ms in single`,
  });
  board.finish();
  peer?.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Medians over rounds in which we and the peer take turns, so that a busy machine is hard on both alike. */
async function takeTurns(peer, run, work, rounds = 5) {
  await work();
  await peer?.ask({ run });
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    const ours = performance.now() - start;
    const theirs = (await peer?.ask({ run }))?.ms ?? null;
    times.push({ ours, theirs, ratio: theirs && ours / theirs });
  }
  const median = (field) => times.map((time) => time[field]).sort((a, b) => a - b)[rounds >> 1];
  return { ours: median("ours"), theirs: median("theirs"), ratio: peer && median("ratio") };
}
