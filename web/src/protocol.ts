import type { Progress, RankAgainOptions, ScoreRow, TrainedNetworkDocument } from "@ratewise/core";
import type { CompareDocument, ExplainDocument } from "@ratewise/core/explain";
import type { Predicted } from "@ratewise/report";
import type { InspectDocument } from "ratewise/page";
import type { Example, ExampleName } from "./examples/example.ts";

/** A result of either kind of run. */
export type ResultDocument = ExplainDocument | TrainedNetworkDocument;

/** A result with what the page needs to show it. */
export interface Explained {
  readonly document: ResultDocument;
  /** The box at the top of the report, as HTML of our own. */
  readonly answers: string;
  readonly comparison: CompareDocument | null;
  /** Which of the pictures there are. */
  readonly figures: readonly FigureName[];
  /** What can be saved. */
  readonly files: readonly string[];
  /** What is predicted: a number in the target's units, or a class's probability. */
  readonly predicted: Predicted;
  /** Whether effects can be nullified and variants changed. */
  readonly rankable: boolean;
}

export type FigureName =
  | "importance"
  | "quality"
  | "groups"
  | "pixels"
  | "manhattan-rate"
  | "manhattan-direct"
  | "agreement"
  | "shuffle"
  | "architecture"
  | `shape-${number}`;

export interface FigureOptions {
  readonly colours: "page" | "print";
  /** Drawn for a phone. */
  readonly narrow?: boolean;
}

/** What the page asks of its worker, and what comes back. */
export interface Methods {
  /** From now on these are the files that commands read. */
  readonly open: { readonly argument: readonly File[]; readonly result: null };
  readonly example: { readonly argument: ExampleName; readonly result: Example };
  readonly inspect: { readonly argument: readonly string[]; readonly result: InspectDocument };
  readonly explain: { readonly argument: readonly string[]; readonly result: Explained };
  readonly compare: { readonly argument: readonly string[]; readonly result: Explained };
  readonly predict: { readonly argument: readonly string[]; readonly result: string };
  readonly rankAgain: { readonly argument: RankAgainOptions; readonly result: readonly ScoreRow[] };
  /** A figure as SVG. */
  readonly figure: {
    readonly argument: FigureOptions & { readonly name: FigureName };
    readonly result: string;
  };
  readonly file: { readonly argument: string; readonly result: Blob };
  /** A session that was saved, or a result.json of the command. */
  readonly reopen: { readonly argument: File; readonly result: Explained };
}

export type Method = keyof Methods;

export interface Request<M extends Method = Method> {
  readonly id: number;
  readonly method: M;
  readonly argument: Methods[M]["argument"];
}

/** Why something could not be done. */
export interface Failure {
  readonly message: string;
  /** The options that the message advises. */
  readonly remedies: readonly string[];
}

export type Reply =
  | { readonly id: number; readonly type: "done"; readonly result: unknown }
  | ({ readonly id: number; readonly type: "failed" } & Failure)
  | { readonly id: number; readonly type: "progress"; readonly event: Progress }
  /** A line that the command would print beside its answer. */
  | { readonly id: number; readonly type: "note"; readonly line: string };
