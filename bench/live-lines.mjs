// What a terminal saw: live lines with their times, the silences between them, and how good their times to go were.

/** "train ████████············ 42% · 0:12 gone, about 0:17 to go" */
const LINE = /^(.+?) [█·]+ (\d+)% · \d+:\d+ gone(?:, about (\d+):(\d+) to go)?$/;

/** Every live line that was shown, in order: when (`at`) and after how much work of the processors (`worked`), in milliseconds. */
export function liveLines(pieces) {
  return pieces.flatMap(({ at, worked, text }) =>
    text.split("\r\u001b[K").flatMap((line) => {
      const [, phase, percent, minutes, seconds] = LINE.exec(line.trim()) ?? [];
      if (phase === undefined) return [];
      const toGo = minutes === undefined ? null : 1000 * (60 * Number(minutes) + Number(seconds));
      return [{ at, worked, phase, share: Number(percent) / 100, toGo }];
    }),
  );
}

/** The longest stretch without a sign of life by one of the clocks, from the start to the end, and where that was. */
export function longestSilence(pieces, end, lines, clock) {
  const times = [0, ...pieces.map((piece) => piece[clock]), end];
  const gaps = times.slice(1).map((at, i) => ({ ms: at - times[i], from: times[i] }));
  const { ms, from } = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most));
  const last = lines.filter((line) => line[clock] <= from).at(-1);
  const during = last ? `after "${last.phase}" ${Math.round(100 * last.share)}%` : "at the start";
  return { ms, during };
}

/** Stages shorter than this are over before anybody reads their time to go. */
const SHORTEST_MS = 3000;
/** A time to go is in whole seconds: with less than this left, rounding alone is a factor of two. */
const ROUNDED_MS = 2000;

/**
 * For each long stage, once a fifth of it had passed: the worst factor between the time to go that was `told` and what it
 * really took; and the same between the share told and the work of the processors, whatever else the machine did.
 */
export function timesToGo(lines) {
  const stages = [];
  for (const line of lines) {
    if (stages.at(-1)?.[0].phase === line.phase) stages.at(-1).push(line);
    else stages.push([line]);
  }
  const factor = (told, real) =>
    told === null ? Number.POSITIVE_INFINITY : Math.max(told / real, real / told);
  return stages.flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (last.at - first.at < SHORTEST_MS) return [];
    const told = own
      .filter(({ at }) => at - first.at >= 0.2 * (last.at - first.at) && last.at - at >= ROUNDED_MS)
      .map(({ at, toGo }) => factor(toGo, last.at - at));
    const whole = last.worked - first.worked;
    const steady = own
      .map(({ worked, share }) => ({ done: worked - first.worked, share }))
      .filter(({ done }) => done >= 0.2 * whole && done <= 0.9 * whole)
      .map(({ done, share }) => factor((done * (1 - share)) / share, whole - done));
    return [
      {
        phase: first.phase,
        lasted: (last.at - first.at) / 1000,
        count: told.length,
        told: Math.max(...told),
        steady: Math.max(...steady),
      },
    ];
  });
}
