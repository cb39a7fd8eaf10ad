import type { RateResult } from "@ratewise/core";
import { writeNpy } from "@ratewise/core";
import { writePng } from "@ratewise/files";
import type { FolderFile } from "../atomic-folder.ts";

/** Viridis at six places, between which colours are mixed: even in lightness, and seen alike by the colour-blind. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [68, 1, 84],
  [65, 68, 135],
  [42, 120, 142],
  [34, 168, 132],
  [122, 209, 81],
  [253, 231, 37],
];

/**
 * The shares of pixels as a map: importance-map.npy in the shape of an image, and importance-map.png, where colours are added up and the
 * brightest is the largest share. Nothing where rows are no images.
 */
export function importanceMap(
  { variables }: RateResult,
  rowShape: readonly number[],
): FolderFile[] {
  if (rowShape.length < 2 || rowShape.length > 3) return [];
  const { height, width, shares } = plane(variables.rate, rowShape);
  const most = shares.reduce((largest, share) => Math.max(largest, share), 0) || 1;
  const rgb = new Uint8Array(3 * shares.length);
  for (const [e, share] of shares.entries()) rgb.set(colour(share / most), 3 * e);
  return [
    { path: "importance-map.npy", pieces: [writeNpy({ shape: rowShape, data: variables.rate })] },
    { path: "importance-map.png", pieces: [writePng({ width, height, rgb })] },
  ];
}

/** Height × width, whichever of three dimensions is the one of the colours: the shortest at an end. */
function plane(rate: Float64Array, rowShape: readonly number[]) {
  const [a, b, c = 1] = rowShape;
  const first = rowShape.length === 3 && a < c;
  const [height, width, channels] = first ? [b, c, a] : [a, b, c];
  const shares = new Float64Array(height * width);
  for (let e = 0; e < rate.length; e++)
    shares[first ? e % shares.length : Math.floor(e / channels)] += rate[e] || 0;
  return { height, width, shares };
}

function colour(share: number): number[] {
  const at = Math.min(1, Math.max(0, share)) * (COLOURS.length - 1);
  const low = Math.min(COLOURS.length - 2, Math.floor(at));
  return COLOURS[low].map((value, k) =>
    Math.round(value + (at - low) * (COLOURS[low + 1][k] - value)),
  );
}
