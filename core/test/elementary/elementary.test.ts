import { describe, expect, test } from "vitest";
import {
  binaryExponent,
  cos,
  exp,
  expm1,
  log,
  log1p,
  pow,
  sin,
  tanh,
} from "../../src/elementary/index.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { exact, exactPow, nearQuarterTurn, real, ulpError } from "./exact.ts";

const functions = { exp, expm1, log, log1p, sin, cos, tanh };
type Name = keyof typeof functions;

const TINY = 2 ** -1074;
const SMALLEST_NORMAL = 2 ** -1022;

/** `count` numbers from lo to hi. */
const between = (label: string, lo: number, hi: number, count = 500): number[] => {
  const next = uniforms(fold(keyFromSeed(1), label));
  return Array.from({ length: count }, () => lo + (hi - lo) * next());
};

/** `count` numbers of all sizes from 2^lo to 2^hi. */
const sizes = (label: string, lo: number, hi: number, count = 500): number[] => {
  const exponents = between(`${label}/exponent`, lo, hi, count);
  return between(`${label}/mantissa`, 1, 2, count).map(
    (m, i) => m * 2 ** Math.floor(exponents[i]!),
  );
};

const bothSigns = (x: readonly number[]): number[] => [...x, ...x.map((v) => -v)];

/** The doubles next to x, on both sides, and x. */
function around(x: number, steps = 3): number[] {
  const bits = new BigInt64Array(1);
  const value = new Float64Array(bits.buffer);
  value[0] = x;
  const middle = bits[0]!;
  return Array.from({ length: 2 * steps + 1 }, (_, i) => {
    bits[0] = middle + BigInt(i - steps);
    return value[0]!;
  });
}

const multiples = [1, 2, 3, 4, 5, 6, 7, 8, 11, 101, 1e4, 667_544, 1e6].flatMap((n) =>
  around((n * Math.PI) / 2),
);
const angles = bothSigns([
  ...between("angles", 2 ** -20, 8, 1000),
  ...sizes("small angles", -59, 0),
  ...between("medium angles", 8, 2 ** 20),
  ...sizes("large angles", 20, 1023),
  ...around(Math.PI / 4),
  ...around(2 ** 20),
  ...around(2 ** 53),
  ...multiples,
  ...Array.from({ length: 200 }, (_, i) => nearQuarterTurn(970 - 5 * i)),
  // The double nearest to a multiple of π/2 (Muller et al., Handbook of Floating-Point Arithmetic).
  6381956970095103 * 2 ** 797,
  Number.MAX_VALUE,
]);

const samples: Record<Name, number[]> = {
  exp: [
    ...between("exp", -745, 709.7, 1000),
    ...bothSigns([...between("exp small", 0, 2), ...sizes("exp tiny", -80, 0)]),
    ...bothSigns([1, 2, 3, 1000].flatMap((k) => around((k - 0.5) * Math.LN2))),
    ...around(709.782712893384, 1).filter((x) => x <= 709.782712893384),
    ...around(-708.3964185322641),
    ...between("exp subnormal", -745.13, -708.4),
  ],
  expm1: bothSigns([
    ...between("expm1", 2 ** -20, 3, 1000),
    ...between("expm1 large", 3, 100),
    ...sizes("expm1 small", -59, 0),
    ...[1, 2, 3, 19, 20, 21, 55, 56, 57].flatMap((k) => around((k - 0.5) * Math.LN2)),
    ...around(0.25 * Math.LN2),
    709.7,
  ]),
  log: [
    ...between("log", 0.4, 2.5, 1000),
    ...sizes("log sizes", -1022, 1023, 1000),
    ...sizes("log subnormal", -1074, -1022, 200),
    ...around(1, 20).filter((x) => x !== 1),
    ...around(Math.SQRT1_2),
    ...around(Math.SQRT2),
    TINY,
    SMALLEST_NORMAL,
    Number.MAX_VALUE,
  ],
  log1p: [
    ...between("log1p", -0.999999, 3, 1500),
    ...bothSigns(sizes("log1p small", -59, 0)).filter((x) => x > -1),
    ...sizes("log1p large", 0, 1023),
    ...around(-0.29289),
    ...around(0.41421),
    ...around(-1).filter((x) => x > -1),
    Number.MAX_VALUE,
  ],
  sin: angles,
  cos: angles,
  tanh: bothSigns([
    ...between("tanh", 2 ** -20, 0.625, 1000),
    ...between("tanh middle", 0.625, 2, 1000),
    ...between("tanh large", 2, 22),
    ...sizes("tanh small", -59, 0),
    ...around(0.625),
    ...around(22),
  ]),
};

describe("against series in exact whole numbers", () => {
  test.each(Object.keys(functions) as Name[])("%s errs by less than 1 ulp", (name) => {
    const errors = samples[name].map((x) => ulpError(functions[name](x), exact[name](x)));
    const worst = errors.reduce((at, error, i) => (error > errors[at]! ? i : at), 0);
    expect(errors[worst], `${name}(${samples[name][worst]})`).toBeLessThan(0.9);
    // Rounding alone makes errors near a half, so a reference that echoed the answer would show.
    expect(errors[worst]).toBeGreaterThan(0.45);
  });

  test("pow errs by less than 1 ulp", () => {
    const bases = [
      ...between("base", 0, 50, 1000),
      ...sizes("base sizes", -1074, 1023),
      ...between("base near 1", 0.999, 1.001),
    ];
    const exponents = [
      ...between("exponent", -10, 10, 1000),
      ...between("exponent small", -1, 1),
      ...between("exponent large", -5e5, 5e5),
    ];
    const pairs = bases
      .map((x, i) => [x, exponents[i]!] as const)
      .concat(
        between("base by the whole", 0.9, 1, 300).map((x, i) => [x, 7 * i] as const),
        between("huge exponent", -3e11, 3e11, 200).map(
          (y, i) => [1 + (i - 100) * 2 ** -37, y] as const,
        ),
        [
          [2, -1074],
          [2, 1023],
          [2, 1023.9999999999999],
          [2, -1074.5],
          [1.5, 1023],
          [10, 308],
          [10, -323],
          [Math.SQRT2, 2047.9],
          [1 - 2 ** -53, 2 ** 62],
        ],
      );
    let worst = { error: 0, pair: "" };
    for (const [x, y] of pairs) {
      const error = ulpError(pow(x, y), exactPow(x, y));
      if (error > worst.error) worst = { error, pair: `${x}, ${y}` };
    }
    expect(worst.error, worst.pair).toBeLessThan(0.9);
    expect(worst.error).toBeGreaterThan(0.45);
  });

  test("the angles near quarter turns are near them", () => {
    for (const e of [970, 500, 0, -30]) {
      const { digits, scale } = exact.sin(2 * nearQuarterTurn(e));
      expect(Math.abs(Number(digits) * 2 ** scale)).toBeLessThan(2 ** -48);
    }
  });

  test("a double counts as its own exact value", () => {
    for (const x of [1, -1.5, 0.1, TINY, -3 * TINY, Number.MAX_VALUE, SMALLEST_NORMAL])
      for (const [i, y] of around(x, 2).entries())
        if (Number.isFinite(y) && Math.abs(y) >= Math.abs(x))
          expect(ulpError(y, real(x))).toBe(Math.abs(i - 2));
  });
});

test.each(["expm1", "log1p", "sin", "tanh"] as const)(
  "%s of tiny numbers is the number",
  (name) => {
    for (const x of bothSigns([
      0,
      TINY,
      SMALLEST_NORMAL,
      1e-300,
      ...sizes("tiny", -1070, -61, 100),
    ]))
      expect(functions[name](x)).toBe(x);
  },
);

test("special values are those of Math", () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  const table: Record<Name, [number, number][]> = {
    exp: [
      [0, 1],
      [-0, 1],
      [inf, inf],
      [-inf, 0],
      [nan, nan],
      [709.7827128933841, inf],
      [-745.1332191019412, 0],
      [TINY, 1],
    ],
    expm1: [
      [0, 0],
      [-0, -0],
      [inf, inf],
      [-inf, -1],
      [nan, nan],
      [710, inf],
      [-40, -1],
      [-1e9, -1],
    ],
    log: [
      [1, 0],
      [0, -inf],
      [-0, -inf],
      [inf, inf],
      [-1, nan],
      [-inf, nan],
      [nan, nan],
      [-TINY, nan],
    ],
    log1p: [
      [0, 0],
      [-0, -0],
      [-1, -inf],
      [-1.5, nan],
      [inf, inf],
      [-inf, nan],
      [nan, nan],
    ],
    sin: [
      [0, 0],
      [-0, -0],
      [inf, nan],
      [-inf, nan],
      [nan, nan],
    ],
    cos: [
      [0, 1],
      [-0, 1],
      [inf, nan],
      [-inf, nan],
      [nan, nan],
      [TINY, 1],
    ],
    tanh: [
      [0, 0],
      [-0, -0],
      [inf, 1],
      [-inf, -1],
      [nan, nan],
      [40, 1],
      [-40, -1],
    ],
  };
  for (const name of Object.keys(table) as Name[])
    for (const [x, value] of table[name]) expect(functions[name](x), `${name}(${x})`).toBe(value);
});

test("pow has the special cases of Math.pow", () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  const special = bothSigns([
    0,
    0.25,
    0.5,
    1,
    2,
    3,
    4,
    2.5,
    1e10,
    2 ** 53 - 1,
    2 ** 53,
    1e300,
    TINY,
    inf,
  ]).concat(nan);
  for (const x of special)
    for (const y of special) {
      const expected = x ** y;
      const found = pow(x, y);
      // Where Math rounds, its last bits are its own.
      if (Number.isFinite(expected) && expected !== 0)
        expect(found / expected, `${x}, ${y}`).toBeCloseTo(1, 14);
      else expect(found, `${x}, ${y}`).toBe(expected);
    }
});

test("pow of small whole numbers is exact", () => {
  for (let x = 1; x <= 10; x++)
    for (let n = 0, product = 1; product <= 2 ** 53; n++, product *= x) {
      if (n > 60) break;
      expect(pow(x, n), `${x}, ${n}`).toBe(product);
      expect(pow(-x, n), `${-x}, ${n}`).toBe(n % 2 ? -product : product);
    }
});

test("the binary exponent is exact at every power of two and beside it", () => {
  for (let k = -1074; k <= 1023; k++) {
    for (const sign of [1, -1]) expect(binaryExponent(sign * 2 ** k)).toBe(k);
    if (k > -1074) expect(binaryExponent(around(2 ** k, 1)[0]!)).toBe(k - 1);
  }
});

/** FNV-1a of the doubles' bytes: changes with any bit of any of them. */
function digest(values: readonly number[]): string {
  let h = 0x811c9dc5;
  for (const byte of new Uint8Array(Float64Array.from(values).buffer))
    h = Math.imul(h ^ byte, 0x01000193);
  return (h >>> 0).toString(16);
}

test("bits are fixed for good: results files depend on them", () => {
  const digests = Object.fromEntries(
    (Object.keys(functions) as Name[]).map((name) => [
      name,
      digest(samples[name].map(functions[name])),
    ]),
  );
  const powers = between("pinned pow", 0, 20, 2000).map((x, i) => pow(x, (i - 1000) / 37));
  expect({ ...digests, pow: digest(powers) }).toMatchInlineSnapshot(`
    {
      "cos": "ae44d2b5",
      "exp": "73cb73ab",
      "expm1": "b7ce9b2d",
      "log": "c76525c4",
      "log1p": "f8c243cd",
      "pow": "e6bbe629",
      "sin": "d118d0d5",
      "tanh": "71bc9245",
    }
  `);
  expect([
    exp(1),
    expm1(0.5),
    log(3),
    log1p(0.5),
    sin(1),
    cos(1),
    tanh(0.9),
    pow(3, 0.3),
  ]).toMatchInlineSnapshot(`
    [
      2.7182818284590455,
      0.6487212707001282,
      1.0986122886681096,
      0.4054651081081644,
      0.8414709848078965,
      0.5403023058681398,
      0.7162978701990245,
      1.3903891703159093,
    ]
  `);
});
