import { expect, test } from "vitest";
import { OWN_SET } from "../../src/hidden/summary.ts";
import { APOA2 } from "../../src/mice/apoa2.ts";
import { handText, lookUp, recordOf } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

const record = recordOf("hidden");
const { ours, first } = lookUp(record);
const { genes, sets, rest, summary } = record.numbers as {
  genes: unknown[];
  sets: unknown[];
  rest: { genes: number };
  summary: Record<"real" | "exchanged" | "difference", { mean: number; error: number }> & {
    genes: { withSize: { units: number; groups: number } };
    sets: { own: { real: number; exchanged: number }; between: { real: number; crossed: number } };
  };
};
const answer = handText("hidden", "Answer");

test("the answer has the numbers of the record", () => {
  const { real, exchanged, difference } = summary;
  const mice = lookUp(recordOf("mice"));
  expectNumbers(answer, [
    ...[real.mean, real.error, exchanged.mean, exchanged.error],
    ...[difference.mean, difference.error, ...mice.ours("HDL: correlation in held-out mice")],
    ...[1, APOA2.from / 1e6, APOA2.to / 1e6, ...ours("best place of a gene around Apoa2 (")],
    ...ours("best place of a gene around Apoa2, by groupRATE"),
    ...[summary.genes.withSize.units, summary.genes.withSize.groups],
    ...[rest.genes, ...ours("share of the unit"), summary.sets.own.real, sets.length],
    ...[summary.sets.own.exchanged, summary.sets.between.real, summary.sets.between.crossed],
  ]);
  expect(handText("hidden", "Method")).toContain(`${genes.length.toLocaleString("en")} genes,`);
});

test("genes and sets are named in their order, and the difference is within chance", () => {
  expect(answer).toContain(`are ${first("Genes by RATE", 5)}.`);
  expect(answer).toContain(`are ${first("Sets by RATE", 5)}.`);
  expect(answer).toContain(`“${OWN_SET}”`);
  // Student's t with four degrees of freedom at the level 0.05.
  const { mean, error } = summary.difference;
  expect(Math.abs(mean)).toBeLessThan(2.776 * error);
});
