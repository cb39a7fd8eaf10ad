import { describe, expect, test } from "vitest";
import { beyondReach, fewestSelected, guaranteeOf } from "../../../src/explain/selection/words.ts";

/** `selected` of `count` variables. */
const fields = (selected: number, count: number) =>
  Array.from({ length: count }, (_, v) => ({
    selected: v < selected,
    pValue: null,
    qValue: v < selected ? 0.1 : 1,
  }));
const byKnockoffs = (fdr: number, selected: number, count: number) =>
  guaranteeOf({ fdr, by: "knockoffs" }, fields(selected, count), count);

describe("a selection by knockoffs", () => {
  test("explains copies before it promises anything", () => {
    const [{ message }, ...others] = byKnockoffs(0.1, 12, 40);
    expect(message).toMatch(
      /^12 of 40 variables .* competes with an artificial copy of itself .* Guaranteed if .* that at most 10% of this one selection are false/,
    );
    expect(message).not.toMatch(/at least/);
    expect(others).toEqual([]);
  });

  test.each([
    [0.1, 10, 10, "at least 10 would have to be selected, which is all of them"],
    [0.05, 10, 20, "at least 20 would have to be selected."],
  ])("at rate %f of %i variables was out of reach", (fdr, count, fewest, needs) => {
    const [note, reach] = byKnockoffs(fdr, 0, count);
    expect(note).toMatchObject({ selected: 0, fewest, outOfReach: true });
    expect(reach).toMatchObject({ code: "selection-out-of-reach", fewest, variables: count });
    expect(reach.message).toContain(`cannot be reached with ${count} variables by knockoffs`);
    expect(reach.message).toContain(needs);
    expect(reach.message).toContain("a higher rate (select: { fdr: 0.25 }) needs only 4");
  });

  test("that selects all, or could have selected some, was within reach", () => {
    expect(byKnockoffs(0.1, 10, 10)).toMatchObject([{ selected: 10, outOfReach: false }]);
    const [none, ...others] = byKnockoffs(0.1, 0, 11);
    expect(none).toMatchObject({ outOfReach: false });
    expect(none.message).toContain("at least 10 variables or none");
    expect(others).toEqual([]);
  });

  test("suggests no rate where that would need most of the variables, or is no higher", () => {
    for (const [, reach] of [byKnockoffs(0.1, 0, 5), byKnockoffs(0.3, 0, 4)]) {
      expect(reach.message).not.toContain("select:");
      expect(reach.message).toContain("stability says how stable");
    }
  });

  test("does not advise the stability that is told beside it", () => {
    for (const count of [5, 10]) {
      const asked = { fdr: 0.1, by: "knockoffs", stability: true } as const;
      const [, { message }] = guaranteeOf(asked, fields(0, count), count);
      expect(message).not.toContain("--stability");
      expect(message).toMatch(/an empty selection tells you nothing about them\.(?: .*[^ ])?$/);
    }
  });

  test("of several draws needs twice as many, for each is filtered at half the rate", () => {
    const options = { fdr: 0.1, by: "knockoffs", draws: 5 } as const;
    const [note, reach] = guaranteeOf(options, fields(0, 20), 20);
    expect(note).toMatchObject({ fewest: 20, outOfReach: true });
    expect(note.message).toContain("5 draws of copies are combined by e-values made for this rate");
    expect(reach.message).toContain("One draw of copies needs half as many");
    expect(fewestSelected({ ...options, combination: "frequency" })).toBe(10);
  });

  test("of groups is out of reach in their own words", () => {
    const reach = beyondReach({ fdr: 0.25, by: "knockoffs" }, "groups", 3, false);
    expect(reach).toMatchObject({ code: "selection-out-of-reach", fewest: 4, groups: 3 });
    expect(reach.message).toContain("cannot be reached with 3 groups by knockoffs");
  });

  test("rests on independent rows", () => {
    expect(byKnockoffs(0.1, 12, 40)[0].message).toContain(
      "if the rows are independent (no relatives, no repeats)",
    );
  });
});

test("a selection by permutation is never out of reach", () => {
  const notes = guaranteeOf({ fdr: 0.1, by: "permutation" }, fields(0, 3), 3, {
    permutations: 999,
  });
  expect(notes.map(({ code }) => code)).toEqual(["selection"]);
  expect(notes[0].message).toContain("0 of 3 variables are selected by 999 permutations");
  expect(notes[0]).toMatchObject({ permutations: 999 });
  expect(notes[0].message).toContain("anything about a single variable once others matter");
});

test("a run that says how stable the ranks are is not told to ask for it", () => {
  for (const count of [4, 20, 40]) {
    const words = (stability: boolean): string =>
      guaranteeOf({ fdr: 0.1, by: "knockoffs" }, fields(0, count), count, { stability })
        .map(({ message }) => message)
        .join(" ");
    expect(words(false)).toContain(" stability says how stable the ranks are.");
    expect(words(true)).not.toContain("stability");
    expect(words(true)).toBe(
      words(false).replaceAll(" stability says how stable the ranks are.", ""),
    );
  }
});
