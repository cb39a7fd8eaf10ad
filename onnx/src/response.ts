import { type Column, type Diagnostic, RatewiseError } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import { clause, mention, say } from "@ratewise/core/words";
import type { NetworkLink } from "./detect.ts";

/** What was observed in each row: a column of a table, numbers, or names of classes. */
export type Observed = Column | ArrayLike<number | string | boolean>;

/** A response as a refit takes it. */
export interface NetworkResponse {
  /** Numbers, or indexes of the classes; null for no response. */
  readonly values: Float64Array | null;
  /** In the order of the network's outputs; null for numbers. */
  readonly classes: readonly string[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What was observed as a column; one without a name is called y. */
export function columnOf(observed: Observed): Column {
  if ("kind" in observed) return observed;
  const name = "y";
  const cells = Array.from<string | number | boolean>(observed);
  if (cells.every((cell) => typeof cell === "number"))
    return { kind: "number", name, values: Float64Array.from(cells) };
  const texts = cells.map(String);
  const levels = [...new Set(texts)];
  const at = new Map(levels.map((level, code) => [level, code]));
  return { kind: "category", name, levels, codes: Int32Array.from(texts, (text) => at.get(text)!) };
}

/** What a network with this link is to be held against, and the names of its classes. */
export function responseOf(
  column: Column | null,
  link: NetworkLink,
  outputs: number,
  given: readonly string[] | undefined,
): NetworkResponse {
  if (link === "identity") {
    if (column?.kind === "category")
      throw new RatewiseError("domain", {
        what: `"${column.name}" is text, and the network gives one number`,
        option: "target",
        advice: say`say ${mention("link", "logistic")} where that is a logit`,
      });
    return { values: column?.values ?? null, classes: null, diagnostics: [] };
  }
  const count = link === "logistic" ? 2 : outputs;
  if (column) return classResponse(column, count, given);
  if (given && given.length !== count)
    throw new RatewiseError("shape", {
      what: `needs names of ${count} classes, got ${given.length}`,
      option: "classes",
    });
  return { values: null, classes: given ?? numbered(count), diagnostics: [] };
}

/**
 * Responses as indexes of the network's classes: by the names given, else numbers as they are, else texts in
 * alphabetical order. Numbers are indexes too where no name given is a number.
 *
 * @param count classes of the network
 */
function classResponse(
  column: Column,
  count: number,
  given: readonly string[] | undefined,
): NetworkResponse {
  const textAt = (i: number) =>
    column.kind === "number" ? `${column.values[i]}` : column.levels[column.codes[i]];
  const rows = column.kind === "number" ? column.values.length : column.codes.length;
  const indexes = column.kind === "number" && !given?.some((name) => Number.isFinite(Number(name)));
  const sorted = column.kind === "number" ? numbered(count) : [...column.levels].sort();
  const classes = given ?? sorted;
  if (classes.length !== count)
    throw new RatewiseError("domain", {
      what: `needs ${count} classes, as the network has, got ${classes.length} in "${column.name}" (${classes.slice(0, 10).join(", ")})`,
      option: "classes",
      advice: say`name them in the network's order with ${mention("classes")}`,
    });
  const values = Float64Array.from({ length: rows }, (_, i) => {
    const at = (indexes ? numbered(count) : classes).indexOf(textAt(i));
    if (at >= 0) return at;
    if (indexes && !Number.isInteger(column.values[i]))
      throw new RatewiseError("domain", {
        what: `needs one class per row, a whole number from 0 to ${count - 1}, in "${column.name}", got ${textAt(i)} in row ${i + 1}`,
        option: "target",
        ...(isShare(column.values[i]) && {
          advice: say`these look like probabilities: give the class that was observed, or omit ${mention("target")}, because classes can be explained without a response`,
        }),
        row: i + 1,
      });
    throw new RatewiseError("domain", {
      what: `needs classes ${classes.slice(0, 10).join(", ")} in "${column.name}", got "${textAt(i)}" in row ${i + 1}`,
      option: "classes",
      advice: say`name them in the network's order with ${mention("classes")}`,
      row: i + 1,
    });
  });
  const guessed = diagnostic(
    "classes-alphabetical",
    say`The network's outputs are read as the classes in alphabetical order (${classes.join(", ")})${clause`; change that with ${mention("classes")}`}.`,
    { classes },
  );
  return { values, classes, diagnostics: given || column.kind === "number" ? [] : [guessed] };
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, c) => `${c}`);
}

function isShare(value: number): boolean {
  return value > 0 && value < 1;
}
