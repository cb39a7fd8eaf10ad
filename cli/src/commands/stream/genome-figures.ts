import type { RateResult } from "@ratewise/core";
import type { FolderFile } from "../../output/atomic-folder.ts";
import type { BimVariants } from "./bim-variants.ts";

/** Bytes that what draws takes, whatever the number of variants: two libraries and a picture. Measured. */
const DRAWING = 64 * 2 ** 20;

/** Whether there is room for figures beside what a run takes. */
export function leavesRoomToDraw(planned: number, allowed: number): boolean {
  return planned + DRAWING <= allowed;
}

/** Whether any variant has a place to be drawn at. */
export function hasPlaces(variants: BimVariants | null): variants is BimVariants {
  return variants?.positions.some((position) => position > 0) ?? false;
}

/**
 * Shares along the chromosomes, figures/manhattan.svg and .png; those of the gradients too, figures/manhattan-direct, where a network was trained here.
 */
export async function genomeFigures(
  { variables: { names, rate } }: RateResult,
  { positions, chromosome }: BimVariants,
  direct: Float64Array | null,
): Promise<FolderFile[]> {
  // What draws is large, and only wanted here.
  const [{ variantsFigure }, { figureFiles }] = await Promise.all([
    import("@ratewise/plots"),
    import("../../output/figure-files.ts"),
  ]);
  const drawn = (shares: Float64Array, by: "rate" | "direct"): (() => string) => {
    let svg: string | undefined;
    const shown = {
      ...{ count: names.length, chromosome },
      name: (j: number) => names[j],
      share: (j: number) => shares[j] || 0,
      position: (j: number) => positions[j] || null,
    };
    return () => {
      svg ??= variantsFigure(shown, { by });
      return svg;
    };
  };
  return [
    ...figureFiles("manhattan", drawn(rate, "rate")),
    ...(direct ? figureFiles("manhattan-direct", drawn(direct, "direct")) : []),
  ];
}
