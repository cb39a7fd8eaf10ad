import { RatewiseError } from "@ratewise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openModel, openNetwork } from "../src/network.ts";
import { readOnnx } from "../src/read-onnx.ts";
import { readNumbers } from "../src/tensor.ts";
import { field, varint, type Weights, writeOnnx } from "./support/write-onnx.ts";

const layer = {
  nodes: [
    { op: "Gemm", inputs: ["x", "w1", "b1"], outputs: ["h"] },
    { op: "Relu", inputs: ["h"], outputs: ["r"] },
    { op: "Gemm", inputs: ["r", "w2"], outputs: ["y"], attributes: { alpha: { float: 2 } } },
  ],
  weights: {
    w1: { dims: [4, 3], data: Array.from({ length: 12 }, (_, k) => k / 7 - 1) },
    b1: { dims: [3], data: [0.5, -0.25, 1], as: "listed" },
    w2: { dims: [3, 1], data: [1, -2, 3], type: "double" },
  },
} as const;
const file = writeOnnx(layer);

/** Runs and says whether it ended as a file may end: with a value or one of our errors. */
async function ends(bytes: Uint8Array): Promise<"value" | "error"> {
  try {
    await openNetwork(bytes);
    return "value";
  } catch (error) {
    if (error instanceof RatewiseError) return "error";
    throw error;
  }
}

test("a file is read as it was written", () => {
  const model = readOnnx(file);
  expect(model).toMatchObject({ producer: "tests", opset: 17 });
  expect(model.nodes.map(({ operator, inputs }) => [operator, ...inputs])).toEqual([
    ["Gemm", "x", "w1", "b1"],
    ["Relu", "h"],
    ["Gemm", "r", "w2"],
  ]);
  expect(model.nodes[2].attributes.get("alpha")?.float).toBe(2);
  expect(model.inputs).toEqual([{ name: "x", type: 1, shape: ["n", 4] }]);
  expect(model.outputs.map(({ name }) => name)).toEqual(["y"]);
});

describe("the numbers of a tensor", () => {
  const data = [1, -2, 100];
  const kinds: readonly NonNullable<Weights["type"]>[] = [
    "float",
    "double",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
  ];
  test.each(kinds)("of type %s are read from bytes", (type) => {
    const bytes = writeOnnx({
      ...layer,
      weights: { ...layer.weights, t: { dims: [3], data, type } },
    });
    expect([...readNumbers(readOnnx(bytes).initializers.get("t")!).data]).toEqual(data);
  });
  test.each(["float", "double", "float16", "int32", "int64"] as const)(
    "of type %s are read from a list",
    (type) => {
      const t: Weights = { dims: [3], data, type, as: "listed" };
      const bytes = writeOnnx({ ...layer, weights: { ...layer.weights, t } });
      expect([...readNumbers(readOnnx(bytes).initializers.get("t")!).data]).toEqual(data);
    },
  );
});

describe("what is wrong with a file is said", () => {
  const without = (change: Partial<Parameters<typeof writeOnnx>[0]>) =>
    openNetwork(writeOnnx({ ...layer, ...change }), { where: "net.onnx" });

  test("text, nothing and another format are not ONNX", async () => {
    for (const bytes of [
      new TextEncoder().encode("name,age\nAda,36\n"),
      new Uint8Array(0),
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    ])
      await expect(openNetwork(bytes, { where: "a.onnx" })).rejects.toThrow(
        /^a\.onnx: not an ONNX file/,
      );
  });

  test("a file that is cut off, wherever, is an error", async () => {
    for (let length = 0; length < file.length; length++)
      expect([length, await ends(file.subarray(0, length))]).toEqual([length, "error"]);
  });

  test("a tensor that claims 2 GB and has 12 bytes", async () => {
    const huge = { dims: [23170, 23170], data: [1, 2, 3] };
    await expect(without({ weights: { ...layer.weights, w1: huge } })).rejects.toThrow(
      'net.onnx: the tensor "w1" claims 23170×23170 numbers and has 3',
    );
    const beyond = { dims: [2 ** 40, 2 ** 40], data: [] };
    await expect(without({ weights: { ...layer.weights, w1: beyond } })).rejects.toThrow(/claims/);
  });

  test("a length of 2 GB in a header, with a few bytes behind it", async () => {
    const claim = [...varint(BigInt(7 * 8 + 2)), ...varint(2n ** 31n), 1, 2, 3];
    await expect(openNetwork(Uint8Array.from(claim))).rejects.toThrow(/claims 2147483648 bytes/);
  });

  test("a constant that asks for more memory than there is", async () => {
    const nodes = [
      { op: "ConstantOfShape", inputs: ["size"], outputs: ["big"] },
      { op: "Add", inputs: ["x", "big"], outputs: ["h"] },
      { op: "Gemm", inputs: ["h", "w2"], outputs: ["y"] },
    ];
    const weights = {
      size: { dims: [2], data: [1e6, 1e6], type: "int64" },
      w2: { dims: [4, 1], data: [1, 2, 3, 4] },
    } as const;
    await expect(without({ nodes, weights })).rejects.toThrow(/does not fit into memory/);
  });

  test("a graph in a circle", async () => {
    const nodes = [
      { op: "Add", inputs: ["x", "b"], outputs: ["a"] },
      { op: "Relu", inputs: ["a"], outputs: ["b"] },
      { op: "Gemm", inputs: ["b", "w2"], outputs: ["y"] },
    ];
    await expect(without({ nodes })).rejects.toThrow(/runs in a circle through Add/);
  });

  test("a tensor that nothing makes, and one that is made twice", async () => {
    const lost = [{ op: "Gemm", inputs: ["nowhere", "w2"], outputs: ["y"] }];
    await expect(without({ nodes: lost })).rejects.toThrow(/needs the tensor "nowhere"/);
    await expect(without({ nodes: [...layer.nodes, ...layer.nodes] })).rejects.toThrow(
      /made twice/,
    );
  });

  test("a custom operator", async () => {
    const nodes = [
      { op: "Magic", domain: "com.example", inputs: ["x"], outputs: ["r"] },
      layer.nodes[2],
    ];
    await expect(without({ nodes, domains: { "com.example": 1 } })).rejects.toThrow(
      /custom operator com\.example\.Magic/,
    );
  });

  test("two outputs, two inputs, no linear last layer, an old opset", async () => {
    await expect(without({ outputs: [{ name: "y" }, { name: "r" }] })).rejects.toThrow(
      'needs a network with one output, got 2: "y", "r"',
    );
    await expect(
      without({
        inputs: [
          { name: "x", shape: ["n", 4] },
          { name: "z", shape: ["n", 4] },
        ],
      }),
    ).rejects.toThrow('needs a network with one input, got 2: "x", "z"');
    await expect(
      without({ nodes: layer.nodes.slice(0, 2), outputs: [{ name: "r" }] }),
    ).rejects.toThrow(/needs a linear last layer \(Gemm, or MatMul and Add\), got Relu/);
    await expect(without({ opset: 8 })).rejects.toThrow(/needs operators of opset 9 to 26, got 8/);
  });
});

describe("weights outside the file", () => {
  const at = (place: Exclude<Weights["as"], string | undefined>) =>
    writeOnnx({ ...layer, weights: { ...layer.weights, w1: { ...layer.weights.w1, as: place } } });
  const bytes = new Uint8Array(Float32Array.from([9, ...layer.weights.w1.data]).buffer);

  test("are read from where the file says", async () => {
    const asked: string[] = [];
    const readBeside = async (location: string) => {
      asked.push(location);
      return bytes;
    };
    const { model, files } = await openModel(at({ location: "w.bin", offset: 4, length: 48 }), {
      readBeside,
    });
    const record = model.initializers.get("w1")!;
    const raw = files.get("w.bin")!.subarray(4, 52);
    expect(asked).toEqual(["w.bin"]);
    expect(readNumbers(record, raw).data[0]).toBeCloseTo(-1, 6);
  });

  test("that are missing, or shorter than claimed, are an error", async () => {
    await expect(openModel(at({ location: "w.bin" }))).rejects.toThrow(
      /"w1" lies in "w\.bin" beside the model, which cannot be read/,
    );
    const readBeside = async () => bytes;
    await expect(openModel(at({ location: "w.bin", offset: 40 }), { readBeside })).rejects.toThrow(
      /claims/,
    );
    await expect(
      openModel(at({ location: "w.bin", offset: 0, length: 2 ** 31 }), { readBeside }),
    ).rejects.toThrow(/claims the bytes 0 to 2147483648/);
  });

  test.each([
    "../w.bin",
    "/etc/passwd",
    "a/../../w.bin",
    "C:\\w.bin",
    "..\\w.bin",
    "file:///w.bin",
  ])("at %s are outside the model's folder, and nothing is opened", async (location) => {
    const readBeside = async () => {
      throw new Error("was opened");
    };
    await expect(openModel(at({ location }), { readBeside })).rejects.toThrow(
      /outside the model's folder/,
    );
  });
});

describe("the reader, fuzzed,", () => {
  test("gives a value or one of our errors for any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await ends(bytes);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  test("gives a value or one of our errors for a file with bytes changed, left out or put in", async () => {
    const edit = fc.record({
      at: fc.nat(file.length - 1),
      remove: fc.nat(4),
      put: fc.uint8Array({ maxLength: 6 }),
    });
    const seen = { value: 0, error: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let bytes = [...file];
        for (const { at, remove, put } of edits)
          bytes = [...bytes.slice(0, at), ...put, ...bytes.slice(at + remove)];
        seen[await ends(Uint8Array.from(bytes))]++;
      }),
      { seed: 2, numRuns: 3000 },
    );
    // Both ends are reached: the changes are neither all fatal nor all harmless.
    expect(seen.value).toBeGreaterThan(20);
    expect(seen.error).toBeGreaterThan(1000);
  });

  test("gives a value or one of our errors for messages nested as deep as they like", async () => {
    let nested: number[] = [];
    for (let depth = 0; depth < 2000; depth++) nested = field(7, nested);
    expect(await ends(Uint8Array.from(nested))).toBe("error");
  });
});
