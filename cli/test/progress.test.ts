import { expect, test } from "vitest";
import type { Io } from "../src/io.ts";
import { progressLine, progressText } from "../src/output/progress.ts";

/** What the lines were, with a clock that the test turns. */
function watch(live: boolean) {
  const lines: string[] = [];
  let time = 0;
  const io = {
    err: (line: string) => lines.push(line),
    liveLine: live ? (text: string) => lines.push(text) : null,
  } as unknown as Io;
  const line = progressLine(io, () => time);
  const at = (ms: number, done: number, phase = "train") => {
    time = ms;
    line.onProgress({ phase, done, total: 100 });
  };
  return { lines, at, finish: line.finish };
}

test("a text says the share, the time gone and the time to go once that is more than a guess", () => {
  expect(progressText({ phase: "train", done: 25, total: 100 }, 30_000)).toBe(
    "train 25% · 0:30 elapsed, about 1:30 to go",
  );
  expect(progressText({ phase: "read", done: 1, total: 100 }, 1000)).toBe("read 1% · 0:01 elapsed");
  expect(progressText({ phase: "search forest", done: 3, total: 150 }, 12_000)).toBe(
    "search forest 2% · 0:12 elapsed",
  );
  expect(progressText({ phase: "search forest", done: 0, total: 150 }, 12_000)).toBe(
    "search forest 0% · 0:12 elapsed",
  );
  expect(progressText({ phase: "read", done: 9, total: 9 }, 61_000)).toBe(
    "read 100% · 1:01 elapsed",
  );
  expect(progressText({ phase: "fit-member", done: 1, total: 2 }, 4000)).toBe(
    "train 50% · 0:04 elapsed, about 0:04 to go",
  );
});

test("a log gets a line before two seconds are over, and at the end of a stage that took as long", () => {
  const { lines, at } = watch(false);
  at(0, 0);
  at(900, 10);
  at(1800, 20);
  at(3500, 50);
  at(3600, 60);
  at(5000, 100);
  expect(lines).toEqual([
    "train 20% · 0:02 elapsed, about 0:07 to go",
    "train 60% · 0:04 elapsed, about 0:02 to go",
    "train 100% · 0:05 elapsed",
  ]);
});

test("work that goes on from where it was stopped is not taken for work of this time", () => {
  const { lines, at } = watch(false);
  at(0, 40);
  at(2000, 50);
  at(4000, 55);
  expect(lines).toEqual([
    "train 50% · 0:02 elapsed, about 0:10 to go",
    "train 55% · 0:04 elapsed, about 0:12 to go",
  ]);
});

test("work of the same name that comes after other work begins anew", () => {
  const { lines, at } = watch(false);
  at(0, 0);
  at(60_000, 100);
  at(60_100, 0);
  at(62_000, 50);
  expect(lines).toEqual([
    "train 100% · 1:00 elapsed",
    "train 50% · 0:02 elapsed, about 0:02 to go",
  ]);
});

test("short stages have no lines of their own, and do not add up to a silence", () => {
  const { lines, at } = watch(false);
  for (let stage = 0; stage < 10; stage++) {
    at(500 * stage, 0, `stage ${stage}`);
    at(500 * stage + 400, 100, `stage ${stage}`);
  }
  expect(lines).toEqual(["stage 3 100% · 0:00 elapsed", "stage 7 100% · 0:00 elapsed"]);
});

test("a terminal gets one live line, often, and it is cleared at the end", () => {
  const { lines, at, finish } = watch(true);
  at(0, 0);
  at(50, 1);
  at(150, 2);
  finish();
  expect(lines).toEqual([
    `train ${"·".repeat(20)} 0% · 0:00 elapsed`,
    `train ${"·".repeat(20)} 2% · 0:00 elapsed`,
    "",
  ]);
  at(1000, 42);
  expect(lines.at(-1)).toMatch(/^train █{8}·{12} 42% · /);
});
