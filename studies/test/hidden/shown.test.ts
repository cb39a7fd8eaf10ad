import { expect, test } from "vitest";
import { figuresOf } from "../../src/hidden/shown.ts";

test("the figure of sets has the answer's order, whole names and what its bars are", () => {
  const names = Array.from({ length: 14 }, (_, s) => `set number ${s} of a rather long name`);
  const shares = Float64Array.from(names, (_, s) => (s + 1) / 105);
  const genes = [{ name: "Aa", place: { chromosome: "1", position: 180e6 } }];
  const [along, sets] = figuresOf(
    names.map((name) => ({ name })),
    genes,
    { genes: Float64Array.of(1), sets: shares },
    "all mice",
  );
  expect(sets.caption).toContain("The first 12 of 14 sets");
  expect(sets.caption).toContain("trained on all mice");
  const shown = Array.from(
    sets.svg.matchAll(/> +(set number \d+ of a rather long name)</g),
    ([, n]) => n,
  );
  expect(shown).toEqual(names.toReversed().slice(0, 12));
  expect(sets.svg).toContain(">RATE of the unit<");
  expect(along.svg).toContain(">around Apoa2<");
});
