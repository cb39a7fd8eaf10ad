import { basename } from "node:path";
import { type Column, type Diagnostic, RatewiseError } from "@ratewise/core";
import { type LearningTask, readNpy, targetFromColumn } from "@ratewise/core/data";
import { diagnostic } from "@ratewise/core/diagnostic";
import { readBytes, responseOfFile, within } from "@ratewise/files";
import type { Io } from "../../io.ts";
import { freed, phenotype } from "../../options/data-options.ts";
import { isArrayFile, type OpenedSource } from "./open-source.ts";

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
  readonly covariates?: string | undefined;
  readonly task?: LearningTask | undefined;
}

interface Chosen {
  readonly column: Column;
  readonly covariates: readonly Column[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * From columns of a Parquet file, .npy files, or phenotypes; null where none is named. Covariates are taken out of it as for explain; their
 * missing values leave rows out too.
 */
export async function readResponse(
  path: string,
  opened: OpenedSource,
  values: ResponseValues,
  io: Io,
): Promise<StreamResponse | null> {
  const chosen = await choose(path, opened, values, io);
  if (!chosen) return null;
  const { column, diagnostics } = freed(chosen.column, chosen.covariates);
  return responseOf(column, values.task, [...chosen.diagnostics, ...diagnostics]);
}

async function choose(
  path: string,
  { source, samples, response, covariates: columns }: OpenedSource,
  { target, pheno, trait, covariates }: ResponseValues,
  io: Io,
): Promise<Chosen | null> {
  const arrays = covariates !== undefined && isArrayFile(covariates);
  const separate = arrays ? await covariatesOfFile(covariates, source.rows, io) : columns;
  if (samples && target === undefined) {
    const traits = {
      ...(pheno !== undefined && { pheno }),
      ...(trait !== undefined && { trait }),
      ...(covariates !== undefined && !arrays && { covariates }),
    };
    const chosen = await phenotype(path, traits, samples, io);
    return { ...chosen, covariates: [...chosen.covariates, ...separate] };
  }
  if (covariates !== undefined && !arrays && source.format !== "parquet")
    throw new RatewiseError("usage", {
      at: "stream",
      what: `--covariates with --target needs a .npy file with one row for each row of X, got "${covariates}"`,
    });
  if (response) return { column: response, covariates: separate, diagnostics: [] };
  if (target === undefined) return null;
  const { bytes } = await readBytes(target, io);
  const column = responseOfFile(target, bytes, "npy", source.rows);
  return { column, covariates: separate, diagnostics: [] };
}

/** Rows × covariates, or one per row, of a .npy file. */
async function covariatesOfFile(path: string, rows: number, io: Io): Promise<Column[]> {
  const { bytes } = await readBytes(path, io);
  const { shape, data } = within(path, () => readNpy(bytes));
  const width = shape.slice(1).reduce((product, n) => product * n, 1);
  if (shape[0] !== rows || shape.length > 2 || !ArrayBuffer.isView(data))
    throw new RatewiseError("shape", {
      at: path,
      what: `needs numbers, ${rows} rows × covariates, got shape (${shape.join(", ")})`,
    });
  return Array.from({ length: width }, (_, c) => ({
    kind: "number",
    name: width === 1 ? basename(path) : `${basename(path)}:${c + 1}`,
    values: Float64Array.from({ length: rows }, (_, i) => Number(data[i * width + c])),
  }));
}

/** The rows that have one, as numbers or classes. */
function responseOf(
  column: Column,
  task: LearningTask | undefined,
  notes: readonly Diagnostic[],
): StreamResponse {
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
      ...notes,
      ...diagnostics,
      ...(dropped === 0
        ? []
        : [
            diagnostic(
              "rows-missing",
              `${dropped} of ${all.length} rows have no value of "${chosen.name}" and are left out.`,
              { rows: dropped },
            ),
          ]),
    ],
  };
}
