import { columnNamed, type Table, type Target } from "../../data/index.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { mention, say } from "../../words/words.ts";

/** What each class counts: the same together (`balanced`), or by name, 1 where none is named. */
export type ClassWeights = "balanced" | Readonly<Record<string, number>>;

export interface WeightOptions {
  /** A column of numbers ≥ 0: what each row counts. It is left out of the predictors. */
  readonly weights?: string;
  /** For classes only. */
  readonly classWeights?: ClassWeights;
}

/**
 * What the column says each row of the table counts, NaN where it says nothing; null where none was named.
 *
 * @param firstTest rows from here on are those of the test table
 */
export function columnWeights(
  source: Table,
  target: string,
  name: string | undefined,
  firstTest: number = source.rows,
): Float64Array | null {
  if (name === undefined) return null;
  const column = columnNamed(source, name);
  const wrong = (what: string, advice?: string) =>
    new RatewiseError("domain", { in: "explain", what, advice, name });
  if (name === target)
    throw wrong(`the target "${name}" cannot also weigh the rows`, "name another column");
  if (column.kind !== "number")
    throw wrong(`needs numbers to weigh the rows by, but column "${name}" holds texts`);
  const bad = column.values.findIndex((value) => value < 0);
  if (bad >= 0)
    throw wrong(
      `needs weights that are not below 0, but "${name}" is ${column.values[bad]} in row ${bad < firstTest ? bad + 1 : `${bad - firstTest + 1} of the test table`}`,
      "correct the row",
    );
  return column.values;
}

/** What each class counts, from the classes of the training rows and what those rows count. */
export function weightsOfClasses(
  target: Target,
  option: ClassWeights | undefined,
  labels: ArrayLike<number>,
  rowWeights: Float64Array | null,
): Float64Array | null {
  if (option === undefined) return null;
  if (target.task !== "classification")
    throw new RatewiseError("domain", {
      in: "explain",
      what: say`needs classes for ${mention("classWeights")}, but "${target.name}" is numbers`,
      advice: say`use ${mention("task", "classification")}, or weigh rows by a column with ${mention("weights")}`,
    });
  const { classes } = target;
  if (option === "balanced") {
    const totals = new Float64Array(classes.length);
    for (let i = 0; i < labels.length; i++) totals[labels[i]] += rowWeights ? rowWeights[i] : 1;
    const whole = totals.reduce((sum, total) => sum + total, 0);
    return totals.map((total) => (total > 0 ? whole / (classes.length * total) : 1));
  }
  const weights = new Float64Array(classes.length).fill(1);
  for (const [name, weight] of Object.entries(option)) {
    const at = classes.indexOf(name);
    if (at < 0)
      throw new RatewiseError("unknown-name", {
        in: "explain",
        what: `there is no class "${name}" to weigh`,
        advice: `the classes are ${classes.slice(0, 20).join(", ")}${classes.length > 20 ? ", …" : ""}`,
        name,
        names: classes,
      });
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw new RatewiseError("domain", {
        in: "explain",
        what: `needs a weight above 0 for the class "${name}", got ${weight}`,
        name,
      });
    weights[at] = weight;
  }
  return weights;
}

/** That rows count differently, and as how many that count the same they tell: (Σw)²/Σw². */
export function weightsNote(
  train: Float64Array | null,
  { weights, classWeights }: WeightOptions,
): Diagnostic[] {
  if (!train) return [];
  const sum = train.reduce((total, weight) => total + weight, 0);
  const squares = train.reduce((total, weight) => total + weight * weight, 0);
  const rows = Math.round((sum * sum) / squares);
  const by = [
    ...(weights === undefined ? [] : [`by "${weights}"`]),
    ...(classWeights === undefined
      ? []
      : [classWeights === "balanced" ? "so that all classes count the same" : "by their class"]),
  ].join(" and ");
  return [
    diagnostic(
      "rows-weighted",
      `Rows are weighted ${by}, in training and in all scores. The ${train.length} training rows tell as much as about ${rows} that count the same.`,
      { rows },
    ),
  ];
}
