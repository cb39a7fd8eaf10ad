import type { BlockSource } from "@ratewise/core/stream";
import type { Io } from "../../io.ts";
import type { ProgressLine } from "../../output/progress.ts";
import type { BimVariants } from "./bim-variants.ts";
import type { StreamResponse } from "./response.ts";
import type { StreamSettings, StreamValues } from "./settings.ts";

/** One run, with everything opened. */
export interface StreamWork {
  readonly path: string;
  readonly source: BlockSource;
  /** Of genotypes: what its columns are. */
  readonly variants: BimVariants | null;
  readonly response: StreamResponse | null;
  readonly checked: StreamSettings;
  readonly values: StreamValues;
  readonly engine: string;
  readonly io: Io;
  readonly progress: ProgressLine;
  readonly notes: () => readonly string[];
}
