import { expect, test } from "vitest";
import type { Io } from "../src/io.ts";
import { progressLine, progressText } from "../src/progress.ts";

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
    "train 25% · 0:30 gone, about 1:30 to go",
  );
  expect(progressText({ phase: "read", done: 1, total: 100 }, 1000)).toBe("read 1% · 0:01 gone");
  expect(progressText({ phase: "read", done: 9, total: 9 }, 61_000)).toBe("read 100% · 1:01 gone");
});

test("a log gets a line every two seconds, and none for a stage that is over at once", () => {
  const { lines, at } = watch(false);
  at(0, 0, "read");
  at(500, 100, "read");
  at(600, 0);
  at(1500, 10);
  at(2700, 20);
  at(3000, 30);
  at(4700, 100);
  expect(lines).toEqual(["train 20% · 0:02 gone, about 0:08 to go", "train 100% · 0:04 gone"]);
});

test("a terminal gets one live line, often, and it is cleared at the end", () => {
  const { lines, at, finish } = watch(true);
  at(0, 0);
  at(50, 1);
  at(150, 2);
  finish();
  expect(lines).toEqual(["train 0% · 0:00 gone", "train 2% · 0:00 gone", ""]);
});
