import { expect, test } from "vitest";
import { checkArchitecture } from "../../src/network/check-architecture.ts";
import { paperArchitecture } from "../../src/network/index.ts";
import { layoutOf } from "../../src/network/layout.ts";

const image = { height: 18, width: 18, channels: 1 };

test("the paper's networks have the paper's layers", () => {
  const widths = (name: Parameters<typeof paperArchitecture>[0]) => {
    const architecture = paperArchitecture(name, { inputs: 1000, image, link: "logistic" });
    checkArchitecture(architecture);
    return layoutOf(architecture).stages.map(({ kind, units }) =>
      kind === "dropout" ? "dropout" : units,
    );
  };
  expect(widths("simulation")).toEqual([32, 16]);
  expect(widths("text")).toEqual([128, 128, 128]);
  expect(widths("genotypes")).toEqual([512, "dropout", 512, "dropout", 512, "dropout"]);
  expect(widths("images")).toEqual([14 * 14 * 32, 14 * 14 * 32, 256, 128]);
  expect(widths("images-stride-5")).toEqual([3 * 3 * 32, 3 * 3 * 32, 256, 128]);
});

test("their dropout rates are 0.5, 0.5 and 0.2", () => {
  const { layers } = paperArchitecture("genotypes", { inputs: 10, link: "identity" });
  expect(layers.flatMap((layer) => (layer.kind === "dropout" ? [layer.rate] : []))).toEqual([
    0.5, 0.5, 0.2,
  ]);
});

test("they ask for what they need", () => {
  expect(() => paperArchitecture("images", { inputs: 324, link: "logistic" })).toThrow(
    '"images" needs image: { height, width, channels }, got none',
  );
  expect(() => paperArchitecture("text", { link: "logistic" })).toThrow(
    '"text" needs inputs, the number of columns, got none',
  );
});
