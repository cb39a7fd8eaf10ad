import { afterAll, expect, test } from "vitest";
import { withEngine } from "../../../src/compute/index.ts";
import { fitEnsemble } from "../../../src/explain/fit/fit-member.ts";
import type { Architecture } from "../../../src/network/index.ts";
import { fit } from "../../../src/network/index.ts";
import { closeWorkers } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

afterAll(closeWorkers);

test("one network is trained again with the rows held back, members of an ensemble are not", async () => {
  const next = normals(keyFromSeed(1));
  const X = { data: Float32Array.from({ length: 700 * 3 }, next), rows: 700, cols: 3 };
  const y = Float64Array.from({ length: 700 }, (_, i) => X.data[3 * i] + next());
  const architecture: Architecture = {
    inputs: 3,
    layers: [{ kind: "dense", units: 4, activation: "relu" }],
    link: "identity",
  };
  const penaltyGroups = [[0], [1], [2]];
  const shared = { key: keyFromSeed(2), recipe: "standard", penaltyGroups } as const;
  const setup = { ...shared, architectures: [architecture] };
  const [alone] = await fitEnsemble(X, y, { ...setup, members: 1 });
  const pair = await fitEnsemble(X, y, { ...setup, members: 2, workers: 0 });
  for (let k = 0; k < 2; k++) {
    const key = fold(shared.key, "member", k);
    const expected = await fit(X, y, { ...shared, architecture, linearAlone: false, key });
    if (k === 0) expect(alone.network).toEqual(expected.network);
    expect(pair[k].network).toEqual(expected.pathNetwork);
    expect(expected.pathNetwork).not.toEqual(expected.network);
  }
});

test("one network has the same bits whatever engine is in use: training is the kernels', its linear part too", async () => {
  const next = normals(keyFromSeed(4));
  const X = { data: Float32Array.from({ length: 200 * 3 }, next), rows: 200, cols: 3 };
  const y = Float64Array.from({ length: 200 }, (_, i) => 2 * X.data[3 * i] + next());
  const architecture: Architecture = {
    inputs: 3,
    layers: [{ kind: "dense", units: 4, activation: "relu" }],
    link: "identity",
  };
  const options = {
    key: keyFromSeed(2),
    recipe: "standard",
    penaltyGroups: [[0], [1], [2]],
    architectures: [architecture],
    linearAlone: true,
    members: 1,
  } as const;
  const [expected] = await fitEnsemble(X, y, options);
  const [found] = await withEngine("naive", () => fitEnsemble(X, y, options));
  expect(found.network).toEqual(expected.network);
  expect(found.tried[0].form).toBe("linear");
});
