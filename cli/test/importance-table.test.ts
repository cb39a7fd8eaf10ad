import { rate } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import type { Io } from "../src/io.ts";
import { rankingText } from "../src/output/importance-table.ts";
import { displayWidth } from "../src/output/printable.ts";
import { gaussian } from "./support/posterior.ts";

const io = (changes: Partial<Io> = {}): Io =>
  ({ isTTY: false, columns: 80, environment: {}, ...changes }) as Io;
const effects = gaussian(30, 4);
const result = rate(effects);

/** [rank, name, share] of every row. */
const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => /^ +\d+ {2}\S/.test(line))
    .map((line) => line.trim().split(/\s{2,}/));

describe("rankingText", () => {
  test("shows the twenty best in order, and says how many more there are", () => {
    const text = rankingText(result, io());
    const rows = rowsOf(text);
    const order = [...result.variables.rank.keys()].sort(
      (a, b) => result.variables.rank[a] - result.variables.rank[b],
    );
    expect(rows.map(([, name]) => name)).toEqual(order.slice(0, 20).map((j) => effects.names[j]));
    expect(rows.map(([rank]) => Number(rank))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(Number(rows[0][2])).toBeCloseTo(result.variables.rate[order[0]], 4);
    expect(text).toContain("… and 10 more");
  });

  test("the bars are in proportion to the shares", () => {
    const bars = rowsOf(rankingText(result, io())).map((row) => /█*/.exec(row[3] ?? "")![0].length);
    const shares = [...result.variables.rate].sort((a, b) => b - a).slice(0, 20);
    const full = bars[0];
    expect(full).toBeGreaterThan(20);
    bars.forEach((bar, i) => {
      expect(Math.abs(bar - (full * shares[i]) / shares[0])).toBeLessThanOrEqual(1);
    });
  });

  test("the columns stand under each other, for wide names too", () => {
    const names = effects.names.map((name, j) => (j % 3 === 0 ? `基因${j}` : name));
    const text = rankingText(rate({ ...effects, names }), io());
    const rows = text.split("\n").filter((line) => /^ *(\d+|rank) {2}\S/.test(line));
    expect(new Set(rows.map(displayWidth)).size).toBe(1);
  });

  test.each([40, 60, 80, 120, 200])("no line is longer than %d columns", (columns) => {
    for (const line of rankingText(result, io({ columns })).split("\n"))
      expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  test("colours on a terminal only, and not where NO_COLOR is set", () => {
    expect(rankingText(result, io({ isTTY: true }))).toContain("\u001b[34m█");
    expect(rankingText(result, io())).not.toContain("\u001b");
    const without = { isTTY: true, environment: { NO_COLOR: "1" } };
    expect(rankingText(result, io(without))).not.toContain("\u001b");
    const dumb = { isTTY: true, environment: { TERM: "dumb" } };
    expect(rankingText(result, io(dumb))).not.toContain("\u001b");
  });

  test("hostile names cannot command the terminal, in the rows and in the cautions", () => {
    const names = effects.names.map((name, j) => `\u001b[2J\u202e${name}\n${j}`);
    const duplicated = {
      ...effects,
      names,
      mean: effects.mean.map((value, j) => (j < 2 ? 1 : value)),
      noise: effects.noise.map((value, j) => (j < 2 ? 1 : value)),
      factor: {
        ...effects.factor,
        data: effects.factor.data.map((v, e) => (e < 8 ? effects.factor.data[e % 4] : v)),
      },
    };
    const text = rankingText(
      rate(duplicated, { groups: [{ name: "\u009b1m", members: [0, 1] }] }),
      io(),
    );
    expect(text).toContain("\\u{1b}[2J\\u{202e}x1\\u{a}0 =");
    expect(text).toContain("\\u{9b}1m");
    expect(text).not.toMatch(/[\p{Cf}]|[^\P{Cc}\n]/u);
  });

  test("groups have a table of their own, with sizes; the nullified are counted", () => {
    const groups = [
      { name: "few", members: [1, 2] },
      { name: "many", members: [3, 4, 5, 6, 7] },
    ];
    const text = rankingText(rate(effects, { groups, nullify: [0] }), io());
    expect(text).toMatch(/ +\d {2}many .* 5\n/);
    expect(text).toMatch(/ +\d {2}few .* 2\n/);
    expect(text).toContain("1 nullified, without a score");
  });

  test("effects that are all zero are shown as such", () => {
    const text = rankingText(rate({ ...effects, mean: new Float64Array(30) }), io());
    expect(rowsOf(text)[0].slice(0, 3)).toEqual(["1", "x1", "0"]);
    expect(text).toMatch(/every\s+divergence\s+is\s+0/);
  });

  test("every diagnostic is said", () => {
    const text = rankingText(result, io()).replace(/\s+/g, " ");
    expect(result.diagnostics.length).toBeGreaterThan(0);
    for (const { message } of result.diagnostics) expect(text).toContain(message);
  });
});
