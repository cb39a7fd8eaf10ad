import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { readNpy, writeNpy } from "@ratewise/core/data";
import { methodTable } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type ModelText,
  type NodeText,
  type Weights,
  writeOnnx,
} from "../../onnx/test/support/write-onnx.ts";
import { run, temporaryFolder } from "./support/run.ts";
import { next, trunk, weights, whole } from "./support/small-network.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
const ROWS = 60;
const write = (name: string, changes: Partial<ModelText> = {}) =>
  writeFileSync(file(name), writeOnnx({ ...whole, ...changes }));
const X = Float64Array.from({ length: 3 * ROWS }, next);
const sigmoid: NodeText[] = [
  ...trunk,
  { op: "Gemm", inputs: ["h", "w2", "b2"], outputs: ["f"] },
  { op: "Sigmoid", inputs: ["f"], outputs: ["y"] },
];

beforeAll(() => {
  write("net.onnx");
  write("sigmoid.onnx", { nodes: sigmoid });
  writeFileSync(file("X.npy"), writeNpy({ data: X, shape: [ROWS, 3] }));
  const y = Float64Array.from({ length: ROWS }, (_, i) => X[3 * i] + 0.1 * X[3 * i + 1]);
  writeFileSync(file("y.npy"), writeNpy({ data: y, shape: [ROWS] }));
  const rows = Array.from({ length: ROWS }, (_, i) =>
    [...X.subarray(3 * i, 3 * i + 3), y[i], y[i] > 0 ? "up" : "down"].join(","),
  );
  writeFileSync(file("data.csv"), `a,b,c,y,way\n${rows.join("\n")}\n`);
});

const json = async (...argv: string[]) => {
  const { code, out, err } = await run([...argv, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

describe("ratewise model", () => {
  test("says what is in a network and what was found", async () => {
    const { code, out } = await run(["model", file("sigmoid.onnx")]);
    expect(code).toBe(0);
    expect(out).toBe(`made by      tests, opset 17
inputs       x (float n×3)
outputs      y (float n×1)
operators    Gemm ×2, Tanh, Sigmoid
parameters   21
ends with    a sigmoid
last layer   4 units of h → 1
rows         3 numbers each
derivatives  of all operators: saliency and direct importance work
`);
  });

  test("prints the same as JSON, and takes another hidden tensor", async () => {
    expect(await json("model", file("net.onnx"), "--hidden", "z")).toMatchObject({
      kind: "model",
      opset: 17,
      operators: [
        { name: "Gemm", count: 2 },
        { name: "Tanh", count: 1 },
      ],
      detected: { link: "identity", hidden: "z", units: null, columns: 3, rowsAtOnce: null },
    });
  });

  test("describes a sound file that cannot be explained, and says why", async () => {
    write("relu.onnx", { nodes: [{ op: "Relu", inputs: ["x"], outputs: ["y"] }] });
    const { code, out } = await run(["model", file("relu.onnx")]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toContain(
      "explaining not possible as it is: needs a linear last layer",
    );
  });

  test("needs one .onnx file", async () => {
    expect((await run(["model"])).code).toBe(2);
    expect((await run(["model", file("data.csv")])).code).toBe(2);
  });
});

describe("ratewise explain --model net.onnx", () => {
  test("ranks the columns of an array, with the response of another", async () => {
    const document = await json(
      "explain",
      file("X.npy"),
      "--model",
      file("net.onnx"),
      "--target",
      file("y.npy"),
    );
    expect(document).toMatchObject({
      kind: "explain",
      task: "regression",
      recipe: null,
      model: { kind: "onnx", hidden: "h", layers: [4], heldOut: null, refit: { around: "mode" } },
    });
    const total = document.variables.reduce(
      (sum: number, { rate }: { rate: number }) => sum + rate,
      0,
    );
    expect(total).toBeCloseTo(1, 12);
    expect(document.variables.map(({ name }: { name: string }) => name)).toEqual([
      "x1",
      "x2",
      "x3",
    ]);
  });

  test("gives the same from a table, and writes a report with all that belongs to it", async () => {
    const common = [
      "--model",
      file("net.onnx"),
      "--noise-variance",
      "0.5",
      "--prior-precision",
      "2",
    ];
    const fromArray = await json("explain", file("X.npy"), ...common, "--target", file("y.npy"));
    const argv = ["explain", file("data.csv"), ...common, "--target", "y", "--exclude", "way"];
    const { code, out } = await run([...argv, "--out", file("result")]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toContain(
      `RATE: ${methodTable.rate.asks}. direct: ${methodTable.gradient.asks}.`,
    );
    expect(readdirSync(file("result")).sort()).toEqual([
      "figures",
      "importance.csv",
      "importance.parquet",
      "report.html",
      "result.json",
    ]);
    expect(readdirSync(file("result/figures"))).toEqual(["importance.png", "importance.svg"]);
    const report = readFileSync(file("result/report.html"), "utf8");
    expect(report).toContain("<title>What matters for y</title>");
    expect(report).toContain(`ratewise explain ${file("data.csv")} --model ${file("net.onnx")}`);
    const written = JSON.parse(readFileSync(file("result/result.json"), "utf8"));
    expect(written.variables.map(({ rate }: { rate: number }) => rate)).toEqual(
      fromArray.variables.map(({ rate }: { rate: number }) => rate),
    );
    expect(written.model.refit).toMatchObject({
      priorPrecision: 2,
      noiseVariance: 0.5,
      priorFrom: "given",
    });
    expect(readFileSync(file("result/importance.csv"), "utf8")).toMatch(/^name,rank,rate,.*\na,/);
  });

  test("takes classes by name, in the order that is given", async () => {
    const argv = [
      "explain",
      file("data.csv"),
      "--model",
      file("sigmoid.onnx"),
      "--target",
      "way",
      "--exclude",
      "y",
    ];
    const guessed = await json(...argv);
    expect(guessed.diagnostics.map(({ code }: { code: string }) => code)).toContain(
      "classes-alphabetical",
    );
    const said = await json(...argv, "--classes", "up,down");
    expect(said.model.score.score).toBeCloseTo(1 - guessed.model.score.score, 12);
    expect(said.task).toBe("classification");
  });

  test("leaves rows with missing values out and says how many", async () => {
    writeFileSync(
      file("hole.csv"),
      `a,b,c\n${Array.from({ length: 30 }, (_, i) => (i === 3 ? "1,,2" : [...X.subarray(3 * i, 3 * i + 3)].join(","))).join("\n")}\n`,
    );
    const document = await json("explain", file("hole.csv"), "--model", file("sigmoid.onnx"));
    expect(document.diagnostics[0]).toMatchObject({ code: "rows-missing", rows: 1 });
    expect(document.model.rows.train).toBe(29);
    const { code, err } = await run([
      "explain",
      file("hole.csv"),
      "--model",
      file("sigmoid.onnx"),
      "--missing",
      "error",
    ]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('hole.csv: needs every value, but "b" is missing in row 4'),
    ]);
  });

  test("says in words what a network of numbers lacks without a response", async () => {
    const argv = ["explain", file("X.npy"), "--model", file("net.onnx")];
    const bare = await run(argv);
    expect([bare.code, bare.out]).toEqual([2, ""]);
    expect(bare.err).toContain("add --target, or --noise-variance if you know it");
    const fitted = await run([...argv, "--hidden", "z", "--noise-variance", "1"]);
    expect([fitted.code, fitted.out]).toEqual([2, ""]);
    expect(fitted.err).toContain(
      'no linear layer leads from "z" to the output, so ratewise has to fit one: add --target',
    );
    expect(bare.err + fitted.err).not.toContain("refitLastLayer");
  });

  test("tells probabilities from classes", async () => {
    const shares = Float64Array.from({ length: ROWS }, (_, i) => (i + 0.5) / ROWS);
    writeFileSync(file("shares.npy"), writeNpy({ data: shares, shape: [ROWS] }));
    const argv = ["explain", file("X.npy"), "--model", file("sigmoid.onnx")];
    const { code, err } = await run([...argv, "--target", file("shares.npy")]);
    expect(code).toBe(1);
    expect(err).toContain("got 0.008333333333333333 in row 1; these look like probabilities");
    expect(err).toContain("omit --target");
    expect(err).not.toContain("--classes");
  });

  test("is wary of a response that is the network's own output", async () => {
    const { w1, b1, w2, b2 } = weights;
    const own = Float64Array.from({ length: ROWS }, (_, i) =>
      b1.data.reduce((sum, b, k) => {
        const z = [0, 1, 2].reduce((s, j) => s + X[3 * i + j] * w1.data[4 * j + k], b);
        return sum + w2.data[k] * Math.tanh(z);
      }, b2.data[0]),
    );
    writeFileSync(file("own.npy"), writeNpy({ data: own, shape: [ROWS] }));
    const argv = ["explain", file("X.npy"), "--model", file("net.onnx")];
    const { diagnostics } = await json(...argv, "--target", file("own.npy"));
    expect(diagnostics.map(({ code }: { code: string }) => code)).toContain(
      "response-is-own-output",
    );
    const honest = await json(...argv, "--target", file("y.npy"));
    expect(honest.diagnostics.map(({ code }: { code: string }) => code)).not.toContain(
      "response-is-own-output",
    );
  });

  test("refuses what belongs to training, and its own options elsewhere", async () => {
    for (const argv of [
      ["explain", file("data.csv"), "--model", file("net.onnx"), "--recipe", "paper"],
      ["explain", file("data.csv"), "--model", file("net.onnx"), "--select", "fdr=0.1"],
      ["explain", file("data.csv"), "--target", "y", "--noise-variance", "1"],
      ["explain", file("data.csv"), "--model", file("net.onnx"), "--bias", "none"],
    ]) {
      const { code, err } = await run(argv);
      expect([argv.slice(2), code, err]).toEqual([
        argv.slice(2),
        2,
        expect.stringContaining("--help"),
      ]);
    }
  });
});

describe("ratewise saliency --model net.onnx", () => {
  test("writes the gradient of f: here by hand", async () => {
    const out = file("gradient.npy");
    const { code } = await run([
      "saliency",
      file("X.npy"),
      "--model",
      file("net.onnx"),
      "--method",
      "gradient",
      "--out",
      out,
    ]);
    expect(code).toBe(0);
    const { data, shape } = readNpy(readFileSync(out));
    expect(shape).toEqual([ROWS, 3]);
    const { w1, b1, w2 } = weights;
    for (const i of [0, 7])
      for (const j of [0, 1, 2]) {
        const slope = b1.data.reduce((sum, b, k) => {
          const z = [0, 1, 2].reduce(
            (s, c) => s + X[3 * i + c] * Math.fround(w1.data[4 * c + k]),
            Math.fround(b),
          );
          return (
            sum +
            Math.fround(w2.data[k]) * (1 - Math.tanh(z) ** 2) * Math.fround(w1.data[4 * j + k])
          );
        }, 0);
        expect((data as Float64Array)[3 * i + j]).toBeCloseTo(slope, 12);
      }
  });

  test("names the operator without derivatives, and what works", async () => {
    write("sin.onnx", {
      nodes: [trunk[0], { op: "Sin", inputs: ["z"], outputs: ["h"] }, whole.nodes[2]],
    });
    const { code, err } = await run([
      "saliency",
      file("X.npy"),
      "--model",
      file("sin.onnx"),
      "--method",
      "gradient",
    ]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("the operator Sin has none here; RATE (ratewise explain) works"),
    ]);
    const document = await json(
      "explain",
      file("X.npy"),
      "--model",
      file("sin.onnx"),
      "--noise-variance",
      "1",
    );
    expect(document.variables[0].direct).toBeNull();
  });
});

describe("a bad network ends with one line, exit code 1 and nothing written:", () => {
  const bytes = () => readFileSync(file("net.onnx"));
  const outside = (location: string): Record<string, Weights> => ({
    ...weights,
    w1: { ...weights.w1, as: { location } },
  });
  const cases: readonly (readonly [string, () => void, string])[] = [
    [
      "cut off",
      () => writeFileSync(file("bad.onnx"), bytes().subarray(0, 120)),
      "not an ONNX file, or one that is cut off",
    ],
    ["no ONNX", () => writeFileSync(file("bad.onnx"), "a,b\n1,2\n"), "not an ONNX file"],
    ["empty", () => writeFileSync(file("bad.onnx"), ""), "not an ONNX file"],
    [
      "weights that are missing",
      () => write("bad.onnx", { weights: outside("gone.bin") }),
      'lies in "gone.bin" beside the model, which cannot be read',
    ],
    [
      "weights outside its folder",
      () => write("bad.onnx", { weights: outside("../secret.bin") }),
      "outside the model's folder",
    ],
    [
      "an absolute path for weights",
      () => write("bad.onnx", { weights: outside("/etc/hosts") }),
      "outside the model's folder",
    ],
    [
      "another width",
      () => write("bad.onnx", { inputs: [{ name: "x", shape: ["n", 5] }] }),
      "needs rows of 5 numbers, got 3",
    ],
    [
      "no linear last layer",
      () => write("bad.onnx", { nodes: [{ op: "Relu", inputs: ["x"], outputs: ["y"] }] }),
      "needs a linear last layer",
    ],
    [
      "two outputs",
      () => write("bad.onnx", { outputs: [{ name: "y" }, { name: "h" }] }),
      'needs a network with one output, got 2: "y", "h"',
    ],
    [
      "a custom operator",
      () =>
        write("bad.onnx", {
          nodes: [
            trunk[0],
            { op: "Magic", domain: "com.example", inputs: ["z"], outputs: ["h"] },
            whole.nodes[2],
          ],
          domains: { "com.example": 1 },
        }),
      "custom operator com.example.Magic",
    ],
    [
      "an operator that nobody knows",
      () =>
        write("bad.onnx", {
          nodes: [trunk[0], { op: "Magic", inputs: ["z"], outputs: ["h"] }, whole.nodes[2]],
        }),
      "onnxruntime-web cannot run this network",
    ],
    [
      "a claim of 2 GB",
      () => write("bad.onnx", { weights: { ...weights, w1: { dims: [23170, 23170], data: [1] } } }),
      "claims 23170×23170 numbers and has 1",
    ],
    [
      "a graph in a circle",
      () =>
        write("bad.onnx", {
          nodes: [{ op: "Add", inputs: ["x", "h"], outputs: ["z"] }, trunk[1], whole.nodes[2]],
        }),
      "the graph runs in a circle",
    ],
    [
      "an opset of the future",
      () => write("bad.onnx", { opset: 999 }),
      "needs operators of opset 9 to 26, got 999",
    ],
  ];

  test.each(cases)("%s", async (_, make, message) => {
    make();
    const { code, out, err } = await run([
      "explain",
      file("X.npy"),
      "--model",
      file("bad.onnx"),
      "--noise-variance",
      "1",
      "--out",
      file("never"),
    ]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`bad.onnx: `);
    expect(err).toContain(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(existsSync(file("never"))).toBe(false);
  });

  test("weights behind a link that leads out of its folder", async () => {
    mkdirSync(file("box"), { recursive: true });
    writeFileSync(file("secret.bin"), new Uint8Array(48));
    if (!existsSync(file("box/w.bin"))) symlinkSync(file("secret.bin"), file("box/w.bin"));
    write("box/bad.onnx", { weights: outside("w.bin") });
    const { code, err } = await run(["model", file("box/bad.onnx")]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("link that leads out of the model's folder"),
    ]);
    writeFileSync(file("box/w2.bin"), new Uint8Array(48));
    write("box/good.onnx", { weights: outside("w2.bin") });
    expect((await run(["model", file("box/good.onnx")])).code).toBe(0);
  });
});

test("external weights give the answer of those inside, through the whole command", async () => {
  mkdirSync(file("external"), { recursive: true });
  writeFileSync(file("external/w1.bin"), new Uint8Array(Float32Array.from(weights.w1.data).buffer));
  write("external/net.onnx", {
    weights: {
      ...weights,
      w1: { ...weights.w1, as: { location: "w1.bin", offset: 0, length: 48 } },
    },
  });
  const argv = ["--noise-variance", "1"];
  const inside = await json("explain", file("X.npy"), "--model", file("net.onnx"), ...argv);
  const beside = await json(
    "explain",
    file("X.npy"),
    "--model",
    file("external/net.onnx"),
    ...argv,
  );
  expect(beside.variables).toEqual(inside.variables);
});

test("the real command prints nothing of the runtime's own", async () => {
  const bin = join(import.meta.dirname, "../bin/ratewise.mjs");
  const argv = [
    bin,
    "explain",
    file("X.npy"),
    "--model",
    file("net.onnx"),
    "--noise-variance",
    "1",
    "--json",
  ];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv);
  // A busy machine may have time for a line of progress.
  expect(stderr.replace(/^.*\d% · .* elapsed.*\n/gm, "")).toBe("");
  expect(JSON.parse(stdout).kind).toBe("explain");
});
