import type { CaseName } from "./cases.ts";
import type { Kind } from "./kinds.ts";

/** The commands, in the order of the help. */
export const commandNames = [
  "inspect",
  "explain",
  "stream",
  "power",
  "compare",
  "predict",
  "saliency",
  "model",
  "rank",
  "engines",
  "demo",
  "study",
  "data",
  "app",
  "worker",
  "status",
  "resume",
  "cancel",
  "completion",
] as const;
export type CommandName = (typeof commandNames)[number];

/** All there is to know about an option: parser, refusals, help, completion and the page's form come from here. */
export interface Option {
  readonly name: string;
  readonly commands: readonly CommandName[];
  readonly kind: Kind<unknown>;
  /** One line of help, without what follows from the other fields. */
  readonly help: string;
  /** What the help puts between < and >. */
  readonly value?: string;
  /** The value where none is given. */
  readonly default?: unknown;
  /** In words, a default that depends on the data. */
  readonly otherwise?: string;
  /** May be given again; its values are a list. */
  readonly many?: true;
  readonly required?: true;
  /** The case it applies to; always, where none is named. */
  readonly when?: CaseName;
  /** Choices that apply to some cases only. */
  readonly limits?: Readonly<Record<string, CaseName>>;
  /** Options that cannot be given beside it. */
  readonly excludes?: readonly string[];
  /** The option that it says more about. */
  readonly needs?: string;
  /** False where the answer does not depend on it: where it goes, how it is shown, how fast it comes. */
  readonly shapesAnswer?: false;
  /** The label of its control on the page; null where the page has a place of its own for it, or no use. */
  readonly page?: string | null;
}
