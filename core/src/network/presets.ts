import { RatewiseError } from "../errors.ts";
import type { Architecture, LayerSpec, Link } from "./architecture.ts";
import type { ImageShape } from "./image.ts";

/**
 * The networks of the paper, hidden layers ReLU throughout:
 *
 *     simulation        32-16
 *     text              128-128-128
 *     genotypes         512-512-512, each followed by dropout: 0.5, 0.5, 0.2
 *     images            32 filters of 5×5 cells moving by 1, then 256-128
 *     images-stride-5   the same moving by 5
 *
 * Its supplement has "32 filters and stride 5" for images and names no kernel: one cell at a time with a kernel
 * of five is our reading, and the other is the second preset.
 */
export type PaperNetwork = "simulation" | "text" | "genotypes" | "images" | "images-stride-5";

/** What the data decide: their shape and what is predicted. */
export interface PaperNetworkOptions {
  readonly inputs?: number;
  /** Needed by the networks of images, in place of `inputs`. */
  readonly image?: ImageShape;
  readonly link: Link;
  readonly classes?: number;
}

/** The layers of a network that the paper names, for `fit`. */
export function paperArchitecture(
  name: PaperNetwork,
  { inputs, image, link, classes }: PaperNetworkOptions,
): Architecture {
  const pictures = name === "images" || name === "images-stride-5";
  if (pictures ? !image : !inputs)
    throw new RatewiseError("domain", {
      in: "paperArchitecture",
      what: `"${name}" needs ${pictures ? "image: { height, width, channels }" : "inputs, the number of columns"}, got none`,
    });
  return {
    inputs: image && pictures ? image.height * image.width * image.channels : (inputs as number),
    ...(pictures && image && { image }),
    layers: layersOf(name),
    link,
    ...(classes !== undefined && { classes }),
  };
}

function layersOf(name: PaperNetwork): LayerSpec[] {
  switch (name) {
    case "simulation":
      return [32, 16].map(dense);
    case "text":
      return [128, 128, 128].map(dense);
    case "genotypes":
      return [0.5, 0.5, 0.2].flatMap((rate) => [dense(512), { kind: "dropout", rate }]);
    case "images":
    case "images-stride-5": {
      const stride = name === "images" ? 1 : 5;
      return [
        { kind: "convolution", filters: 32, kernel: 5, stride, activation: "relu" },
        { kind: "flatten" },
        dense(256),
        dense(128),
      ];
    }
  }
  throw new RatewiseError("unknown-name", {
    in: "paperArchitecture",
    what: `needs simulation, text, genotypes, images or images-stride-5, got "${name satisfies never}"`,
  });
}

function dense(units: number): LayerSpec {
  return { kind: "dense", units, activation: "relu" };
}
