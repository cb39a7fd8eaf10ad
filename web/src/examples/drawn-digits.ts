import { fold, keyFromSeed, normals, uniforms } from "@ratewise/core";
import { permutation } from "@ratewise/core/random";
import { writeNpz } from "@ratewise/files";
import type { Example } from "./example.ts";

const ROWS = 1200;
const SIDE = 12;

type Stroke = readonly (readonly [x: number, y: number])[];

/** An 8 is a 3 with its two bows closed at the left. */
const THREE: readonly Stroke[] = [
  [
    [0.3, 0.18],
    [0.6, 0.14],
    [0.7, 0.3],
    [0.5, 0.48],
    [0.74, 0.66],
    [0.6, 0.86],
    [0.28, 0.82],
  ],
];
const EIGHT: readonly Stroke[] = [
  ...THREE,
  [
    [0.3, 0.18],
    [0.28, 0.34],
    [0.5, 0.48],
    [0.26, 0.66],
    [0.28, 0.82],
  ],
];

/** Threes and eights drawn by code: moved, tilted and noisy. What tells them apart is the left side. */
export function drawnDigits(): Example {
  const key = keyFromSeed(1);
  const normal = normals(fold(key, "digits", "normal"));
  const uniform = uniforms(fold(key, "digits", "uniform"));
  const order = permutation(fold(key, "digits", "order"), ROWS);
  const X = new Uint8Array(ROWS * SIDE * SIDE);
  const y = new Int32Array(ROWS);
  order.forEach((place, i) => {
    const strokes = i % 2 === 0 ? THREE : EIGHT;
    y[place] = i % 2 === 0 ? 3 : 8;
    const [dx, dy, tilt] = [0.06 * normal(), 0.05 * normal(), 0.12 * normal()];
    const width = 0.055 + 0.03 * uniform();
    const moved = strokes.map((stroke) =>
      stroke.map(([x, v]) => [x + dx + tilt * (0.5 - v), v + dy] as const),
    );
    for (let r = 0; r < SIDE; r++)
      for (let c = 0; c < SIDE; c++) {
        const far = distance((c + 0.5) / SIDE, (r + 0.5) / SIDE, moved);
        const ink = 1 / (1 + (far / width) ** 4);
        const grey = 255 * ink + 18 * normal();
        X[(place * SIDE + r) * SIDE + c] = Math.max(0, Math.min(255, Math.round(grey)));
      }
  });
  const bytes = writeNpz([
    ["X", { shape: [ROWS, SIDE, SIDE], data: Float32Array.from(X) }],
    ["y", { shape: [ROWS], data: y }],
  ]);
  const file = new File([bytes as BlobPart], "digits.npz");
  return { files: [file], settings: { data: file.name, target: "y" } };
}

/** From a point to the nearest of some lines. */
function distance(x: number, y: number, strokes: readonly Stroke[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const stroke of strokes)
    for (let s = 0; s + 1 < stroke.length; s++) {
      const [[ax, ay], [bx, by]] = [stroke[s], stroke[s + 1]];
      const [vx, vy] = [bx - ax, by - ay];
      const t = ((x - ax) * vx + (y - ay) * vy) / (vx * vx + vy * vy);
      const at = Math.max(0, Math.min(1, t));
      const [ex, ey] = [x - ax - at * vx, y - ay - at * vy];
      least = Math.min(least, Math.sqrt(ex * ex + ey * ey));
    }
  return least;
}
