import {
  type Column,
  type Diagnostic,
  type LearningTask,
  RatewiseError,
  targetFromColumn,
} from "@ratewise/core";
import type { Io } from "../io.ts";
import { readBytes } from "../posterior/read.ts";
import { responseOfFile } from "../tables/from-arrays.ts";
import { phenotypeOfFam, readSampleTable, sampleColumns } from "../tables/from-plink.ts";
import type { OpenedSource } from "./open-source.ts";

/** The response of the rows that have one. */
export interface StreamResponse {
  readonly name: string;
  readonly link: "identity" | "logistic" | "softmax";
  /** Numbers, or classes from 0; one a kept row. */
  readonly values: Float64Array;
  readonly classes: readonly string[] | null;
  /** Rows with a response; null when all have one. */
  readonly rows: Uint32Array | null;
  /** Rows of the file, with a response or without. */
  readonly fileRows: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ResponseValues {
  readonly target?: string | undefined;
  readonly pheno?: string | undefined;
  readonly trait?: string | undefined;
  readonly task?: LearningTask | undefined;
}

/** From a column of a Parquet file, a .npy file, or phenotypes; null where none is named. */
export async function readResponse(
  path: string,
  { source, samples, response }: OpenedSource,
  { target, pheno, trait, task }: ResponseValues,
  io: Io,
): Promise<StreamResponse | null> {
  let column: Column;
  if (response) column = { kind: "number", name: target!, values: response };
  else if (samples && pheno !== undefined)
    column = sampleColumns(await readSampleTable(pheno, samples, io), [trait!])[0];
  else if (target !== undefined)
    column = responseOfFile(target, (await readBytes(target, io)).bytes, "npy", source.rows);
  else if (samples) {
    const fam = path.replace(/\.bed$/i, ".fam");
    const found = phenotypeOfFam(samples, fam);
    if (!found)
      throw new RatewiseError(
        "domain",
        `${fam}: every phenotype there is missing; name a file and a column with --pheno and --trait`,
      );
    column = found;
  } else return null;
  const { target: chosen, diagnostics } = targetFromColumn(column, task);
  const regression = chosen.task === "regression";
  const all = regression
    ? chosen.values
    : Float64Array.from(chosen.labels, (label) => (label < 0 ? Number.NaN : label));
  const kept = Uint32Array.from(all.keys()).filter((row) => !Number.isNaN(all[row]));
  const classes = regression ? null : chosen.classes;
  const dropped = all.length - kept.length;
  return {
    name: chosen.name,
    link: regression ? "identity" : classes!.length === 2 ? "logistic" : "softmax",
    values: Float64Array.from(kept, (row) => all[row]),
    classes,
    rows: dropped === 0 ? null : kept,
    fileRows: all.length,
    diagnostics: [
      ...diagnostics,
      ...(dropped === 0
        ? []
        : [
            {
              code: "rows-missing",
              message: `${dropped} of ${all.length} rows have no "${chosen.name}" and are left out.`,
              rows: dropped,
            },
          ]),
    ],
  };
}
