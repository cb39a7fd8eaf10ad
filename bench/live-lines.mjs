// What a terminal saw: live lines with their times, the silences between them, and how good their times to go were.

/** "train ████████············ 42% · 0:12 gone, about 0:17 to go" */
const LINE = /^(.+?) [█·]+ (\d+)% · \d+:\d+ gone(?:, about (\d+):(\d+) to go)?$/;

/** Every live line that was shown, in order; `at` in milliseconds. */
export function liveLines(pieces) {
  return pieces.flatMap(({ at, text }) =>
    text.split("\r\u001b[K").flatMap((line) => {
      const [, phase, percent, minutes, seconds] = LINE.exec(line.trim()) ?? [];
      if (phase === undefined) return [];
      const toGo = minutes === undefined ? null : 1000 * (60 * Number(minutes) + Number(seconds));
      return [{ at, phase, share: Number(percent) / 100, toGo }];
    }),
  );
}

/** The longest time without a sign of life, from the start to the end, and where that was. */
export function longestSilence(pieces, end, lines) {
  const times = [0, ...pieces.map(({ at }) => at), end];
  const gaps = times.slice(1).map((at, i) => ({ ms: at - times[i], from: times[i] }));
  const { ms, from } = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most));
  const last = lines.filter(({ at }) => at <= from).at(-1);
  return {
    ms,
    during: last ? `after "${last.phase}" ${Math.round(100 * last.share)}%` : "at the start",
  };
}

/** Stages shorter than this are over before anybody reads their time to go. */
const SHORTEST_MS = 5000;
/** A time to go is in whole seconds: with less than this left, rounding alone is a factor of two. */
const ROUNDED_MS = 3000;

/** For each long stage the worst factor between the time to go and what it really took, once a fifth of it had passed. */
export function timesToGo(lines) {
  const stages = [];
  for (const line of lines) {
    if (stages.at(-1)?.phase !== line.phase) {
      if (stages.length > 0) stages.at(-1).end = line.at;
      stages.push({ phase: line.phase, start: line.at, end: line.at, lines: [] });
    }
    stages.at(-1).lines.push(line);
    stages.at(-1).end = line.at;
  }
  return stages
    .filter(({ start, end }) => end - start >= SHORTEST_MS)
    .map(({ phase, start, end, lines: own }) => {
      const judged = own.filter(
        ({ at }) => at - start >= 0.2 * (end - start) && end - at >= ROUNDED_MS,
      );
      const factors = judged.map(({ at, toGo }) =>
        toGo === null ? Number.POSITIVE_INFINITY : Math.max(toGo / (end - at), (end - at) / toGo),
      );
      return {
        phase,
        lasted: (end - start) / 1000,
        count: factors.length,
        factor: Math.max(...factors),
      };
    });
}
