import type { ScoreRow } from "@ratewise/core";
import type { Variant } from "@ratewise/core/rate";
import type { InspectDocument } from "ratewise/page";
import type { Explained } from "./protocol.ts";
import { noSettings, type Settings } from "./settings.ts";

/** A point of a loss curve: which network of an ensemble, how far its training is, 0 to 1, and how far off it is. */
export interface LossPoint {
  readonly network: number;
  readonly share: number;
  readonly loss: number;
  readonly validationLoss: number | null;
}

/** Work that goes on now. */
export interface Running {
  /** What is done, in words. */
  readonly title: string;
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** Milliseconds since the phase began. */
  readonly elapsed: number;
  readonly losses: readonly LossPoint[];
}

export type ViewName =
  | "overview"
  | "ranking"
  | "effects"
  | "classes"
  | "groups"
  | "image"
  | "genome"
  | "explore"
  | "methods"
  | "save";

/** A ranking under another assumption. */
export interface Ranked {
  readonly nullified: readonly string[];
  readonly variant: Variant | null;
  readonly rows: readonly ScoreRow[];
  /** By the same formula with no effect taken for zero; null: the result's own ranking. */
  readonly before: readonly ScoreRow[] | null;
}

export interface State {
  readonly screen: "start" | "columns" | "running" | "results" | "predictions";
  readonly files: readonly File[];
  readonly settings: Settings;
  readonly columns: InspectDocument | null;
  /** Columns of a file of phenotypes. */
  readonly traits: readonly string[];
  /** Choices for files that could not be read yet. */
  readonly unread: Settings | null;
  readonly running: Running | null;
  readonly error: string | null;
  /** Options that the error advises; none beside other errors. */
  readonly remedies: readonly string[];
  /** What the command says beside its answer. */
  readonly notes: readonly string[];
  readonly explained: Explained | null;
  /** Whether nothing of the result was saved yet. */
  readonly unsaved: boolean;
  readonly view: ViewName;
  /** The variable whose page is open. */
  readonly variable: string | null;
  readonly ranked: Ranked | null;
  /** A CSV of predictions. */
  readonly predictions: string | null;
  /** What was under way when the page was left. */
  readonly interrupted: string | null;
}

export const initialState: State = {
  screen: "start",
  files: [],
  settings: noSettings,
  columns: null,
  traits: [],
  unread: null,
  running: null,
  error: null,
  remedies: [],
  notes: [],
  explained: null,
  unsaved: false,
  view: "overview",
  variable: null,
  ranked: null,
  predictions: null,
  interrupted: null,
};

export interface Store {
  readonly get: () => State;
  readonly set: (changes: Partial<State>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore(): Store {
  let state = initialState;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (changes) => {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
