import { RatewiseError, version } from "@ratewise/core";
import { readBundle, writeBundle } from "@ratewise/core/data";
import { schemaVersion, upgradeComparison } from "@ratewise/core/explain";
import type { Outcome } from "./outcome.ts";

/** A saved session is plain data in the layout of model.ratewise: results, model and effect sizes, no rows of the table. */
interface SessionFile extends Omit<Outcome, "beside"> {
  readonly kind: "ratewise-session";
  readonly version: string;
  readonly beside: readonly (readonly [string, string])[];
}

/** The fields in an order of their own, so that a session opened and saved again has the same bytes. */
export function writeSession(outcome: Outcome): Uint8Array<ArrayBuffer> {
  const { document, comparison, model, ranking, places, beside } = outcome;
  const session: SessionFile = {
    ...{ kind: "ratewise-session", version },
    ...{ document, comparison, model, ranking, places, beside: [...beside] },
  };
  return writeBundle(session);
}

const NOTHING = { comparison: null, model: null, ranking: null, places: [], beside: new Map() };

/** The outcome in a session file or in a result.json of the command; an error says why it is neither. */
export function readSession(bytes: Uint8Array, where: string): Outcome {
  if (/\.json$/i.test(where)) return { ...NOTHING, document: readResult(bytes, where) };
  const value = readBundle(bytes, where) as Partial<SessionFile> | null;
  if (value?.kind !== "ratewise-session" || !value.document)
    throw new RatewiseError("parse", {
      at: where,
      what: "this ratewise file does not hold a session",
    });
  const session = value as SessionFile;
  return {
    ...NOTHING,
    ...session,
    comparison: session.comparison && upgradeComparison(session.comparison),
    beside: new Map(session.beside),
  };
}

function readResult(bytes: Uint8Array, where: string): Outcome["document"] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new RatewiseError("parse", { at: where, what: `not JSON (${(error as Error).message})` });
  }
  const { kind, schema, variables } = (value ?? {}) as Record<string, unknown>;
  if (kind !== "explain" || !Array.isArray(variables))
    throw new RatewiseError("parse", {
      at: where,
      what: 'needs the result.json of "ratewise explain"',
    });
  if (schema !== schemaVersion)
    throw new RatewiseError("parse", {
      at: where,
      what: `needs a result with schema ${schemaVersion}, got ${schema}`,
      advice: "run the command again",
    });
  return value as Outcome["document"];
}
