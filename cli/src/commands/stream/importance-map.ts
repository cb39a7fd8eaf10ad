import type { RateResult } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { writePng } from "@ratewise/files";
import type { FolderFile } from "../../output/atomic-folder.ts";

/** Viridis at six places, between which colours are mixed: even in lightness, and seen alike by the colour-blind. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [68, 1, 84],
  [65, 68, 135],
  [42, 120, 142],
  [34, 168, 132],
  [122, 209, 81],
  [253, 231, 37],
];

/** Small images are enlarged by whole numbers up to this many pixels, so that they can be looked at. */
const SIDE = 512;

/**
 * The shares of pixels as a map: importance-map.npy in the shape of an image, and importance-map.png, where colours are added up and the
 * brightest is the largest share. Brightness goes with the square root: a region with a tenth of the largest share is seen. Nothing where
 * rows are no images.
 */
export function importanceMap(
  { variables }: RateResult,
  rowShape: readonly number[],
): FolderFile[] {
  if (rowShape.length < 2 || rowShape.length > 3) return [];
  const { height, width, shares } = plane(variables.rate, rowShape);
  const most = shares.reduce((largest, share) => Math.max(largest, share), 0) || 1;
  const times = Math.max(1, Math.floor(SIDE / Math.max(width, height)));
  const rgb = new Uint8Array(3 * shares.length * times * times);
  for (let e = 0; e < shares.length; e++) {
    const painted = colour(Math.sqrt(shares[e] / most));
    const [top, left] = [times * Math.floor(e / width), times * (e % width)];
    for (let y = top; y < top + times; y++)
      for (let x = left; x < left + times; x++) rgb.set(painted, 3 * (y * width * times + x));
  }
  return [
    { path: "importance-map.npy", pieces: [writeNpy({ shape: rowShape, data: variables.rate })] },
    {
      path: "importance-map.png",
      pieces: [writePng({ width: width * times, height: height * times, rgb })],
    },
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
