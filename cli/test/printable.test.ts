import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth, fit, pad, printable, wrap } from "../src/output/printable.ts";

describe("printable", () => {
  test.each([
    ["plain ünïcode 基因 𝛽", "plain ünïcode 基因 𝛽"],
    ["\u001b[31mred", "\\u{1b}[31mred"],
    ["\u009b2J", "\\u{9b}2J"],
    ["a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["line\nbreak\ttab", "line\\u{a}break\\u{9}tab"],
    ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
    ["half \ud800", "half \\u{d800}"],
    ["👩\u200d🔬 and 👩🏽\u200d🚀 and ❤️\u200d🔥", "👩\u200d🔬 and 👩🏽\u200d🚀 and ❤️\u200d🔥"],
    ["a\u200db, 👩\u200d, \u200d🔬", "a\\u{200d}b, 👩\\u{200d}, \\u{200d}🔬"],
  ])("shows %j as %s", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("nothing that commands a terminal is left of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { seed: 1 },
    );
  });
});

test("displayWidth counts columns: wide letters two, marks none", () => {
  expect(displayWidth("abc")).toBe(3);
  expect(displayWidth("基因")).toBe(4);
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("👩🏽\u200d🔬")).toBe(2);
});

test("fit cuts to the width, and pad fills up to it", () => {
  expect(fit("abcdef", 6)).toBe("abcdef");
  expect(fit("abcdef", 4)).toBe("abc…");
  expect(fit("基因基因", 5)).toBe("基因…");
  expect(fit("基因基因", 4)).toBe("基…");
  expect(pad("基", 4)).toBe("基  ");
});

test("wrap keeps every word and no line is longer than asked, but for a single word", () => {
  const text = "one two three four five six seven eight nine ten";
  const wrapped = wrap(text, 12, "  ");
  expect(wrapped.split(/\s+/).join(" ")).toBe(text);
  for (const line of wrapped.split("\n")) expect(line.length).toBeLessThanOrEqual(12);
  expect(wrapped.split("\n")[1]).toMatch(/^ {2}\w/);
  expect(wrap("unbreakable", 3)).toBe("unbreakable");
});
