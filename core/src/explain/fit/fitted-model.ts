import type { Diagnostic } from "../../diagnostic.ts";
import type { ExplainDocument } from "../document/explain-document.ts";
import type { Direct } from "./direct-from-blocks.ts";
import type { HeldOut } from "./held-out.ts";
import type { Marginal } from "./marginal.ts";
import type { ModelParts } from "./model.ts";

/** What a model of any kind hands to the explanation. */
export interface FittedModel {
  readonly marginal: Marginal;
  readonly direct: Direct;
  readonly parts: ModelParts;
  readonly heldOut: HeldOut;
  /** How the model came about, for the document. */
  readonly about: Omit<ExplainDocument["model"], "heldOut" | "rows">;
  /** Rows it was fitted to. */
  readonly rows: number;
  readonly diagnostics: readonly Diagnostic[];
}
