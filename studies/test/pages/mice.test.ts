import { expect, test } from "vitest";
import { mean, meanWithError } from "../../src/mean-with-error.ts";
import { APOA2 } from "../../src/mice/apoa2.ts";
import { HIDDEN } from "../../src/mice/network.ts";
import { hits } from "../../src/mice/trait-plan.ts";
import { handText, lookUp, recordOf } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

interface Other {
  readonly covariate: string;
  readonly correlations: number[];
}
interface Trait {
  readonly mice: number;
  readonly correlations: number[];
  readonly others: readonly Other[];
  readonly ridge: { readonly correlations: number[]; readonly others: readonly Other[] };
  readonly rate: number[];
  readonly enriched: readonly unknown[];
  readonly control: { readonly enriched: readonly (readonly string[])[] };
  readonly pValuesOfShares: number[];
  readonly pValuesWithinLitter: number[];
  readonly qValuesWithinLitter: number[];
  readonly regions: readonly {
    chromosome: string;
    from: number;
    to: number;
    w: number;
    q: number;
  }[];
}

const record = recordOf("mice");
const { ours, paper } = lookUp(record);
const { genes, traits } = record.numbers as {
  genes: readonly { name: string; snps: number; chromosome: string }[];
  traits: readonly Trait[];
};
const [hdl, bmi] = traits;
const both = (what: string): number[] => [...ours(`HDL: ${what}`), ...ours(`BMI: ${what}`)];
const answer = handText("mice", "Answer").split("\n* ");
const part = (name: string): string => answer.find((text) => text.startsWith(`**${name}`))!;
const splits = (count: number, taken = ""): string =>
  `${taken}, mean and standard error of ${count} splits`;

/** Two standard errors of a correlation over the fifth that was not seen, where nothing is predicted. */
const predicts = ({ mice }: Trait, correlations: readonly number[]): boolean =>
  mean(correlations) >= 2 / Math.sqrt(mice / 5);

test("predictions and the linear model have the numbers of the record", () => {
  const left = (covariate: string): number[] =>
    both(`correlation, network${splits(3, `, ${covariate} taken out too`)}`);
  expectNumbers(part("Prediction"), [
    ...[...both(`correlation, network${splits(5)}`), hdl.correlations.length],
    ...[...both("mice that have"), ...left("cage"), ...left("litter")],
    hdl.others[0].correlations.length,
  ]);
  expectNumbers(part("A linear"), [
    ...both(`correlation, ridge regression${splits(5)}`),
    ...ours(`HDL: network less ridge${splits(3, ", cage taken out too")}`),
    ...ours(`HDL: network less ridge${splits(3, ", litter taken out too")}`),
  ]);
});

test("what is predicted, and which model is better, is as the page says", () => {
  expect(traits.map((trait) => predicts(trait, trait.correlations))).toEqual([true, true]);
  for (const o of [0, 1]) {
    expect(predicts(hdl, hdl.others[o].correlations)).toBe(true);
    expect(predicts(bmi, bmi.others[o].correlations)).toBe(false);
    expect(predicts(hdl, hdl.ridge.others[o].correlations)).toBe(false);
  }
  // Student's t of the differences split by split, at the level 0.05.
  const better = (own: readonly number[], other: readonly number[], t: number): boolean => {
    const { mean: gap, error } = meanWithError(own.map((value, s) => value - other[s]));
    return Math.abs(gap) > t * error;
  };
  for (const { correlations, ridge } of traits)
    expect(better(correlations, ridge.correlations, 2.776)).toBe(false);
  for (const o of [0, 1])
    expect(
      traits.map((trait) =>
        better(trait.others[o].correlations, trait.ridge.others[o].correlations, 4.303),
      ),
    ).toEqual([true, false]);
});

test("the paper's rule and what calibration leaves have the numbers of the record", () => {
  const asMany = traits.map(
    ({ enriched, control }) =>
      control.enriched.filter((sets) => sets.length >= enriched.length).length,
  );
  const printed = [
    ...paper("HDL: genes above 1/G, groupRATE"),
    ...paper("BMI: genes above 1/G, groupRATE"),
  ];
  const permuted = both("sets of dbGaP with q < 0.05 with the trait permuted, mean");
  expectNumbers(part("The paper's rule"), [
    ...[1, ...both("genes above 1/G, groupRATE"), genes.length, ...printed],
    ...[...both("genes above 1/G with the trait permuted, mean"), 20],
    ...[...both("sets of dbGaP with q < 0.05, genes"), ...permuted, ...asMany, 20],
    ...both("Spearman of groupRATE"),
  ]);
  expect(hdl.control.enriched).toHaveLength(20);
  expectNumbers(part("Calibrated"), [
    ...[
      0.1,
      ...both("genes at q ≤ 0.1, calibrated"),
      ...both("genes at q ≤ 0.1, calibrated within"),
    ],
    ...[20, ...both("genes at q ≤ 0.1 by full refits"), ...both("genes at q ≤ 0.1, shares")],
  ]);
});

test("Apoa2, BMI within litters and knockoffs have the numbers of the record", () => {
  const within = (trait: Trait): number => hits(Float64Array.from(trait.qValuesWithinLitter));
  const [alike] = ours("HDL: of 3,824 runs of 22");
  const [region, found] = [
    ...[
      ours("HDL: genes around Apoa2 (")[0],
      ours("HDL: genes around Apoa2 among those within")[0],
    ],
  ];
  expectNumbers(part("Around Apoa2"), [
    ...[1, APOA2.from / 1e6, APOA2.to / 1e6, found, region, within(hdl) / genes.length],
    ...[...ours("HDL: p of as many"), 3824, region, alike, alike / 3824],
  ]);
  const sorted = bmi.pValuesWithinLitter.toSorted((a, b) => a - b);
  expectNumbers(part("BMI within"), [
    ...[within(bmi), genes.length, ...both("p-values within litters, four fifths").slice(2)],
    ...[sorted[0], HIDDEN.at(-1)!],
  ]);
  const [first] = hdl.regions.toSorted((a, b) => b.w - a.w);
  const least = traits.map(({ regions }) => Math.min(...regions.map(({ q }) => q)));
  expectNumbers(part("Knockoffs"), [
    ...[5, 0.1, hdl.regions.length, ...least],
    ...[Number(first.chromosome), first.from / 1e6, first.to / 1e6],
  ]);
  expect(both("regions selected by knockoffs at 0.1")).toEqual([0, 0]);
});

test("the limits have the numbers of the record", () => {
  const [, spread, largest] = handText("mice", "Limits").split("\n* ");
  const sorted = traits.map(({ rate }) => rate.toSorted((a, b) => b - a));
  const firsts = (t: number, count: number): number =>
    sorted[t].slice(0, count).reduce((sum, share) => sum + share, 0);
  expectNumbers(spread, [1, sorted[0][0], sorted[1][0], 44, 49, firsts(0, 44), firsts(1, 49)]);
  const g = genes.findIndex(({ snps }) => snps === Math.max(...genes.map((gene) => gene.snps)));
  const place = (t: number): number => 1 + sorted[t].indexOf(traits[t].rate[g]);
  expectNumbers(largest, [
    ...[genes[g].snps, 21, Number(genes[g].chromosome), hdl.rate[g], place(0)],
    ...[bmi.rate[g], place(1), hdl.pValuesOfShares[g], bmi.pValuesOfShares[g]],
  ]);
  expect(largest).toContain(`${genes[g].name},`);
});
