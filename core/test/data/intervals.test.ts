import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsFromIntervals, parseBedIntervals } from "../../src/data/index.ts";

const at = (chromosome: string, position: number) => ({ chromosome, position });

test("both ends are inside, the window widens them, chr1 is 1, one name is one group", () => {
  const positions = [at("1", 10), at("1", 20), at("chr1", 21), at("2", 15), at("1", 0), at("X", 5)];
  const intervals = [
    { name: "a", chromosome: "chr1", start: 10, end: 20 },
    { name: "b", chromosome: "2", start: 16, end: 30 },
    { name: "a", chromosome: "chrX", start: 5, end: 5 },
    { name: "none", chromosome: "3", start: 1, end: 9 },
  ];
  expect(groupsFromIntervals(intervals, positions)).toEqual({
    groups: [{ name: "a", members: [0, 1, 5] }],
    emptyIntervals: 2,
    outside: 2,
    unplaced: 1,
  });
  expect(groupsFromIntervals(intervals, positions, 1).groups).toEqual([
    { name: "a", members: [0, 1, 2, 5] },
    { name: "b", members: [3] },
  ]);
  expect(() => groupsFromIntervals(intervals, positions, -1)).toThrow("a window from 0, got -1");
});

test("is the naive search, for any intervals and positions", () => {
  const position = fc.record({
    chromosome: fc.constantFrom("1", "chr2", "X"),
    position: fc.nat(50),
  });
  const interval = fc.tuple(fc.constantFrom("1", "2", "chrX"), fc.nat(50), fc.nat(20));
  fc.assert(
    fc.property(fc.array(position), fc.array(interval), fc.nat(5), (positions, list, window) => {
      const intervals = list.map(([chromosome, start, length], i) => ({
        name: `g${i}`,
        chromosome,
        start,
        end: start + length,
      }));
      const naive = intervals
        .map(({ name, chromosome, start, end }) => ({
          name,
          members: [...positions.keys()].filter((j) => {
            const { chromosome: c, position: p } = positions[j];
            const same = c.replace("chr", "") === chromosome.replace("chr", "");
            return same && p > 0 && p >= start - window && p <= end + window;
          }),
        }))
        .filter(({ members }) => members.length > 0);
      const { groups } = groupsFromIntervals(intervals, positions, window);
      const sorted = groups.map(({ name, members }) => ({
        name,
        members: members.toSorted((a, b) => a - b),
      }));
      expect(sorted).toEqual(naive);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("BED counts from 0 and leaves the end out", () => {
  const text = "track name=x\n#c\nchr1\t9\t20\tGene A\t0\t+\n2 4 5 B\n\n";
  expect(parseBedIntervals(text, "g.bed")).toEqual([
    { name: "Gene A", chromosome: "chr1", start: 10, end: 20 },
    { name: "B", chromosome: "2", start: 5, end: 5 },
  ]);
  expect(() => parseBedIntervals("chr1\t9\t20\n", "g.bed")).toThrow(
    'g.bed, line 1: needs chromosome, start, end and name with tabs between, got "chr1\t9\t20"',
  );
  expect(() => parseBedIntervals("1\t9\t2\tg\n", "g.bed")).toThrow("line 1");
  expect(() => parseBedIntervals("\n", "g.bed")).toThrow("g.bed: the file is empty");
});
