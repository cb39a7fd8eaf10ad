import { type Diagnostic, RatewiseError, type RunOptions, type Table, table } from "@ratewise/core";
import { columnNamed, type GeneticVariant, type Position, regressOut } from "@ratewise/core/data";
import { diagnostic } from "@ratewise/core/diagnostic";
import { formatOfName, readBytes, responseOfFile, type TableFormat } from "@ratewise/files";
import { readTableFile } from "../input/read-table.ts";
import { phenotypeOfFam, readSampleTable, sampleColumns } from "../input/sample-table.ts";
import type { Io } from "../io.ts";
import { usageError } from "./options.ts";
import type { dataOptions } from "./table/data.ts";
import type { Values } from "./table.ts";

export type DataValues = Partial<Pick<Values<"explain">, (typeof dataOptions)[number]["name"]>>;

/** A table with the response chosen, and what to know about how it came about. */
export interface Data {
  readonly table: Table;
  readonly target: string;
  readonly format: TableFormat;
  readonly diagnostics: readonly Diagnostic[];
  /** Of genotypes, in the order of the columns. */
  readonly variants?: readonly GeneticVariant[];
}

/** Says so before a file is opened when nothing names what to predict. */
export function checkResponse(command: string, path: string, { target }: DataValues): void {
  const format = formatOfName(path);
  if (target === undefined && format !== "plink" && format !== "libsvm")
    throw usageError(command, "needs --target, the column to predict");
}

/** Reads a table and puts its response in place: from a column, a file of its own, or a file of phenotypes. */
export async function readData(
  path: string,
  values: DataValues,
  io: Io,
  run: RunOptions = {},
): Promise<Data> {
  const file = await readTableFile(path, io, { ...run, ...readOptions(values) });
  const { format } = file;
  if (file.genotypes) {
    const { samples, variants } = file.genotypes;
    const chosen = await phenotype(path, values, samples, io);
    return { ...withTarget(file.table, chosen), format, variants };
  }
  const separate = values.target === undefined ? undefined : formatOfName(values.target);
  if (values.target !== undefined && (separate === "npy" || separate === "idx")) {
    const { bytes } = await readBytes(values.target, io);
    const column = responseOfFile(values.target, bytes, separate, file.table.rows);
    return { ...covariatesOfTable(append(file.table, column), column.name, values), format };
  }
  const target = values.target ?? file.target!;
  columnNamed(file.table, target);
  return { ...covariatesOfTable(file.table, target, values), format };
}

/** What of the options shapes the reading. */
export function readOptions(values: DataValues): Parameters<typeof readTableFile>[2] {
  return {
    categories: new Set(values.categories),
    decimalComma: values["decimal-comma"] ?? false,
    ...(values.names !== undefined && { names: values.names }),
    ...(values.target !== undefined && { target: values.target }),
  };
}

type Column = Table["columns"][number];
type Chosen = {
  readonly column: Column;
  readonly covariates: readonly Column[];
  readonly diagnostics: Diagnostic[];
};

/** The trait of genotyped samples and its covariates, from --pheno or the .fam file. */
export async function phenotype(
  path: string,
  { pheno, trait, covariates }: DataValues,
  samples: Parameters<typeof readSampleTable>[1],
  io: Io,
): Promise<Chosen> {
  const diagnostics: Diagnostic[] = [];
  const phenotypes = pheno === undefined ? undefined : await readSampleTable(pheno, samples, io);
  const note = ({ where, absent }: { where: string; absent: number }): void => {
    if (absent > 0)
      diagnostics.push(
        diagnostic(
          "samples-absent",
          `${absent} of ${samples.length} genotyped samples are not in ${where}.`,
          { samples: absent },
        ),
      );
  };
  let column: Column;
  if (phenotypes) {
    [column] = sampleColumns(phenotypes, [trait!]);
    note(phenotypes);
    if (phenotypes.minusNine.includes(column.name))
      diagnostics.push(
        diagnostic(
          "minus-nine-missing",
          `-9 in "${column.name}" counts as a missing value, as in PLINK.`,
        ),
      );
  } else {
    const fam = path.replace(/\.bed$/i, ".fam");
    const found = phenotypeOfFam(samples, fam);
    if (!found)
      throw new RatewiseError("domain", {
        at: fam,
        what: "every phenotype there is missing",
        advice: "name a file and a column with --pheno and --trait",
      });
    column = found;
  }
  if (covariates === undefined) return { column, covariates: [], diagnostics };
  if (formatOfName(covariates) === "text" || /\.cov(ar)?(\.gz)?$/i.test(covariates)) {
    const table = await readSampleTable(covariates, samples, io);
    note(table);
    return { column, covariates: table.columns, diagnostics };
  }
  if (!phenotypes)
    throw new RatewiseError("domain", {
      at: "--covariates",
      what: `"${covariates}" is no file, and names of columns need --pheno`,
    });
  const names = covariates.split(",").map((name) => name.trim());
  return { column, covariates: sampleColumns(phenotypes, names), diagnostics };
}

/** Genotypes with the trait as one more column, which the covariates have been taken out of. */
function withTarget(
  genotypes: Table,
  { column, covariates, diagnostics }: Chosen,
): Omit<Data, "format"> {
  const { column: response, diagnostics: notes } = freed(column, covariates);
  return {
    table: append(genotypes, response),
    target: response.name,
    diagnostics: [...diagnostics, ...notes],
  };
}

/** The same with covariates that are columns of the table, which they leave. */
function covariatesOfTable(
  source: Table,
  target: string,
  { covariates }: DataValues,
): Omit<Data, "format"> {
  if (covariates === undefined) return { table: source, target, diagnostics: [] };
  const names = covariates.split(",").map((name) => name.trim());
  const columns = names.map((name) => columnNamed(source, name));
  if (names.includes(target))
    throw new RatewiseError("domain", {
      at: "--covariates",
      what: `"${target}" is the target itself`,
    });
  const { column, diagnostics } = freed(columnNamed(source, target), columns);
  const kept = source.columns.filter(({ name }) => name !== target && !names.includes(name));
  return { table: table([...kept, column]), target, diagnostics };
}

function append(source: Table, column: Column): Table {
  return table([...source.columns, column]);
}

/** A column of numbers without what its covariates say of it by linear regression; missing where one of them is. */
export function freed(
  column: Column,
  covariates: readonly Column[],
): { column: Column; diagnostics: Diagnostic[] } {
  if (covariates.length === 0) return { column, diagnostics: [] };
  const { name } = column;
  if (column.kind === "category")
    throw new RatewiseError("domain", {
      at: "--covariates",
      what: `"${name}" is text`,
      advice: "only numbers can be freed of covariates",
      name,
    });
  const { values, explained, rows } = regressOut(column.values, covariates);
  const names = covariates.map((covariate) => covariate.name);
  const message = `Linear regression over ${rows} complete rows removed ${names.join(", ")} from "${name}"; that took ${(100 * explained).toFixed(1)}% of its variance.`;
  return {
    column: { kind: "number", name, values },
    diagnostics: [diagnostic("covariates-regressed-out", message, { names, explained, rows })],
  };
}

/** Where the columns of genotypes lie, by name. */
export function positionsOf({
  table: source,
  variants,
}: Data): ReadonlyMap<string, Position> | undefined {
  return variants && new Map(variants.map((variant, j) => [source.columns[j].name, variant]));
}
