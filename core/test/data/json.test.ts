import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson } from "../../src/data/json.ts";
import { RatewiseError } from "../../src/errors.ts";

/** Maps back to objects, to compare with JSON.parse. */
function plain(value: Json): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)]));
  return value;
}

describe("parseJson", () => {
  test("agrees with JSON.parse on all that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2, "\t"), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        expect(plain(parseJson(spaced))).toEqual(JSON.parse(spaced));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("accepts and refuses what JSON.parse accepts and refuses", () => {
    const parts = fc.constantFrom(
      ..."[]{},:\"'\\01.-+eE \n\ttrufalsn",
      "true",
      "null",
      "1",
      "-0",
      "1e5",
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      '"\u0001"',
      "NaN",
      "\u00a0",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parseJson(text)).toThrow(RatewiseError);
          return;
        }
        try {
          expect(plain(parseJson(text))).toEqual(expected);
        } catch (error) {
          // The one difference that is meant.
          if (!(error instanceof RatewiseError && /every key once/.test(error.message)))
            throw error;
        }
      }),
      { seed: 1, numRuns: 10_000 },
    );
  });

  test("keeps the order of keys that look like numbers, and treats no key specially", () => {
    const value = parseJson('{"10": 1, "2": 2, "__proto__": 3}');
    expect([...(value as Map<string, Json>)]).toEqual([
      ["10", 1],
      ["2", 2],
      ["__proto__", 3],
    ]);
  });

  test.each([
    ["", "needs a value, got the end of the text at line 1, column 1"],
    ["[1,\n 2,\n NaN]", 'needs a value, got "NaN]" at line 3, column 2'],
    ["[1 2]", 'needs a comma or ], got "2]" at line 1, column 4'],
    ['{"a": 1,}', 'needs a text in quotes, got "}" at line 1, column 9'],
    ['{"a" 1}', 'needs a colon, got "1}" at line 1, column 6'],
    ['{"a": 1, "a": 2}', 'needs every key once, got "\\"a\\":" at line 1, column 10'],
    ["[1] 2", 'needs nothing more, got "2" at line 1, column 5'],
    ['"never closed', 'needs a text in quotes, got "\\"never" at line 1, column 1'],
  ])("says where %j fails", (text, message) => {
    expect(() => parseJson(text)).toThrow(`parseJson: ${message}`);
  });

  test("refuses depth before the stack ends, and reads long texts", () => {
    expect(() => parseJson("[".repeat(1e6))).toThrow("at most 100 levels");
    const long = "x".repeat(5e6);
    expect(parseJson(JSON.stringify(long))).toBe(long);
    expect(parseJson(`"\\n${long}"`)).toBe(`\n${long}`);
  });
});
