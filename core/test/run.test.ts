import { describe, expect, test } from "vitest";
import { drive, type Progress } from "../src/run.ts";

function* count(total: number): Generator<Progress, string> {
  for (let done = 1; done <= total; done++) yield { phase: "count", done, total };
  return "counted";
}

describe("drive", () => {
  test("returns the value and always ends with done === total", async () => {
    for (const sliceMs of [0, 1000]) {
      const events: Progress[] = [];
      const value = await drive(count(5), { onProgress: (e) => events.push(e) }, sliceMs);
      expect(value).toBe("counted");
      expect(events.at(-1)).toEqual({ phase: "count", done: 5, total: 5 });
    }
  });

  test("an abort in mid-work rejects with the signal's reason", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped by the user");
    const seen: number[] = [];
    const promise = drive(
      count(1000),
      {
        signal: stop.signal,
        onProgress: ({ done }) => {
          seen.push(done);
          if (done >= 3) stop.abort(reason);
        },
      },
      0,
    );
    await expect(promise).rejects.toBe(reason);
    expect(seen.at(-1)).toBe(3);
  });

  test("work that is stopped, or whose listener throws, runs its finally", async () => {
    let held = 0;
    function* holding(): Generator<Progress, string> {
      held++;
      try {
        return yield* count(1000);
      } finally {
        held--;
      }
    }
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("stopped"));
    await expect(drive(holding(), { signal: stop.signal, onProgress }, 0)).rejects.toThrow();
    const broken = () => {
      throw new Error("broken listener");
    };
    await expect(drive(holding(), { onProgress: broken }, 0)).rejects.toThrow("broken listener");
    expect(await drive(holding())).toBe("counted");
    expect(held).toBe(0);
  });

  test("timers and messages get their turn between slices, also where there is no setImmediate", async () => {
    for (const immediate of [globalThis.setImmediate, undefined]) {
      const before = globalThis.setImmediate;
      globalThis.setImmediate = immediate as typeof setImmediate;
      try {
        let heard = false;
        setTimeout(() => {
          heard = true;
        });
        function* listening(): Generator<Progress, number> {
          let turns = 0;
          for (; !heard && turns < 1e6; turns++) yield { phase: "wait", done: 0, total: 1 };
          return turns;
        }
        expect(await drive(listening(), {}, 0)).toBeLessThan(1e6);
      } finally {
        globalThis.setImmediate = before;
      }
    }
  });

  test("a signal that is aborted already stops the work before its first step", async () => {
    const promise = drive(count(1), { signal: AbortSignal.abort(new Error("early")) });
    await expect(promise).rejects.toThrow("early");
  });
});
