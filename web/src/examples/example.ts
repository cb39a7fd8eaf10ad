import type { Settings } from "../settings.ts";

export type ExampleName = "table" | "digits" | "genotypes" | "network";

/** Files with the choices that belong to them. */
export interface Example {
  readonly files: readonly File[];
  readonly settings: Partial<Settings>;
}
