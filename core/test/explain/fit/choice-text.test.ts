import { expect, test } from "vitest";
import { choiceText } from "../../../src/explain/fit/choice-text.ts";
import type { ScaleComparison } from "../../../src/network/compare-scales.ts";
import type { Tried } from "../../../src/network/tried.ts";

const gain = { mean: 0.1, error: 0.01, convincing: true };
const tried = (loss: number, more: Partial<Tried> = {}): Tried => ({
  form: "linear",
  layers: [],
  expanded: 0,
  log: false,
  gain,
  loss,
  taken: true,
  ...more,
});
const units = { form: "network", layers: [32, 16] } as const;
const scales: ScaleComparison = { asIs: 0.4, log: 0.3, gain, density: gain, better: "log" };

test("names what was tried, and leaves out blends that gained nothing", () => {
  expect(choiceText([tried(0.5)])).toBeNull();
  expect(
    choiceText([
      tried(0.5),
      tried(0.4, units),
      tried(0.45, { ...units, form: "blend", taken: false }),
      tried(0.39, { form: "network", layers: [128, 64], taken: false }),
    ]),
  ).toBe(
    "Chosen by the error on rows held back from training: linear 0.500, 32-16 units 0.400 (chosen), 128-64 units 0.390 (no clear gain).",
  );
});

test("compares scales in the target's own unit, and models of a logarithm by themselves", () => {
  const asIs = [tried(0.5), tried(0.4, units)];
  const logged = [tried(0.2, { log: true }), tried(0.15, { ...units, log: true })];
  expect(choiceText([...asIs, ...logged], scales)).toBe(
    "Chosen by the error on rows held back from training: linear 0.500, 32-16 units 0.400; the target's logarithm 0.300 against 0.400 in its own unit; on the log scale linear 0.200, 32-16 units 0.150 (chosen).",
  );
  const lost = logged.map((each) => ({ ...each, taken: false }));
  expect(choiceText([...asIs, ...lost], { ...scales, log: 0.41, better: "as-is" })).toBe(
    "Chosen by the error on rows held back from training: linear 0.500, 32-16 units 0.400 (chosen); the target's logarithm 0.410 against 0.400 in its own unit (not chosen).",
  );
});

test("tells of expanded columns, of models that lost by the best of them", () => {
  const before = [tried(0.5), tried(0.4, units)];
  const after = [tried(0.35, { expanded: 2 }), tried(0.3, { ...units, expanded: 2 })];
  const text =
    "Chosen by the error on rows held back from training: linear 0.500, 32-16 units 0.400";
  expect(choiceText([...before, ...after])).toBe(
    `${text}; with 2 rough columns expanded linear 0.350, 32-16 units 0.300 (chosen).`,
  );
  const lost = after.map((each) => ({ ...each, expanded: 1, taken: false }));
  expect(choiceText([...before, ...lost])).toBe(
    `${text} (chosen); with one rough column expanded 32-16 units 0.300 (no clear gain).`,
  );
});
