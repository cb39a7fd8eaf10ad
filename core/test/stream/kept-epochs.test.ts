import { afterAll, describe, expect, test } from "vitest";
import { scratchInMemory } from "../../src/host/byte-source.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { type KeptEpochs, type StreamFit, streamFit } from "../../src/stream/index.ts";
import { bedOf, genotypes } from "./tables.ts";

afterAll(closeWorkers);

const [n, p] = [80, 300];
const counts = genotypes(1, n, p);
const y = Float64Array.from(
  { length: n },
  (_, i) => counts.X.data[i * p + 3] - counts.X.data[i * p + 70] + ((i * 7) % 5) / 10,
);

async function fitting(keep?: KeptEpochs, link: "identity" | "logistic" = "identity") {
  return streamFit(
    await bedOf(counts.bytes, n, p),
    link === "identity" ? y : y.map((v) => +(v > 0)),
    {
      key: keyFromSeed(7),
      plan: { blockSize: 100, blocks: 3 },
      ...{ link, hidden: [6, 4], epochs: 4, patience: 2, penalties: [0.3, 1], batchSize: 16 },
      scratch: async (size) => scratchInMemory(size),
      ...(keep && { keep }),
    },
  );
}

/** Keeps a copy of what is put, and lets the process die after the `last`th epoch. */
function dyingAfter(last: number) {
  let kept: { numbers: Float64Array; arrays: Float32Array[] } | null = null;
  let puts = 0;
  const keep: KeptEpochs = {
    put: async ({ numbers, arrays, epochs }) => {
      puts++;
      kept = { numbers: numbers.slice(), arrays: arrays.map((array) => array.slice()) };
      if (epochs === last) throw new Error("killed");
    },
    take: async (arrays) => {
      if (!kept) return null;
      arrays.forEach((array, k) => {
        array.set(kept!.arrays[k]);
      });
      return kept.numbers;
    },
  };
  return { keep, puts: () => puts };
}

function expectSame(got: StreamFit, whole: StreamFit): void {
  expect(new Uint8Array(got.network.parameters.slice().buffer)).toEqual(
    new Uint8Array(whole.network.parameters.slice().buffer),
  );
  const { network: _, ...rest } = got;
  const { network: __, ...expected } = whole;
  expect(rest).toEqual(expected);
}

describe.each(["identity", "logistic"] as const)("a training (%s) that was killed", (link) => {
  test("after any epoch goes on to the bytes of one that was not, and does no epoch twice", async () => {
    const whole = await fitting(undefined, link);
    const epochs = whole.history.length;
    // Both penalties, and a stop for want of patience or at the last epoch between them.
    expect(new Set(whole.history.map(({ penalty }) => penalty)).size).toBe(2);
    for (let last = 1; last <= epochs; last++) {
      const { keep, puts } = dyingAfter(last);
      await expect(fitting(keep, link)).rejects.toThrow("killed");
      expectSame(await fitting(keep, link), whole);
      expect(puts(), `epochs of both runs, killed after ${last}`).toBe(epochs);
    }
  });
});

test("killed twice, it goes on twice", async () => {
  const whole = await fitting();
  const first = dyingAfter(1);
  await expect(fitting(first.keep)).rejects.toThrow("killed");
  const second = dyingAfter(3);
  const both: KeptEpochs = { put: second.keep.put, take: first.keep.take };
  await expect(fitting(both)).rejects.toThrow("killed");
  expectSame(await fitting(second.keep), whole);
});

test("a training that finds nothing begins with its first epoch, and keeping changes nothing", async () => {
  const { keep, puts } = dyingAfter(-1);
  const whole = await fitting();
  expectSame(await fitting(keep), whole);
  expect(puts()).toBe(whole.history.length);
});

test("the state is what would have to be known: without the moments the bytes are others", async () => {
  const whole = await fitting();
  const { keep } = dyingAfter(2);
  await expect(fitting(keep)).rejects.toThrow("killed");
  const forgetful: KeptEpochs = {
    put: async () => {},
    take: async (arrays) => {
      const numbers = await keep.take(arrays);
      arrays[1].fill(0);
      return numbers;
    },
  };
  const got = await fitting(forgetful);
  expect(got.network.parameters).not.toEqual(whole.network.parameters);
});
