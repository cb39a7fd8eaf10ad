import type { ExplainDocument, ExplainedVariable } from "@ratewise/core/explain";
import { type ParquetColumn, writeParquet } from "@ratewise/files";
import type { Data } from "../options/data-options.ts";
import type { FolderFile } from "./atomic-folder.ts";
import { importanceColumns } from "./explain-csv.ts";
import { made } from "./folder-files.ts";
import { regenieText } from "./regenie-text.ts";

/** The importance in the forms of other programs: Parquet, and for genotypes a table as REGENIE writes it. */
export function importanceFiles(document: ExplainDocument, data: Data): FolderFile[] {
  const files: FolderFile[] = [made("importance.parquet", () => importanceParquet(document))];
  if (data.variants)
    files.push({
      path: "importance.regenie",
      pieces: regenieText(document, data.variants, data.table),
    });
  return files;
}

/** The columns of importance.csv with their types; what is null stays null. */
export function importanceParquet(document: {
  readonly variables: readonly ExplainedVariable[];
}): Uint8Array {
  const columns = importanceColumns(document).map(
    ({ title, kind, cell }): ParquetColumn => ({
      name: title,
      kind,
      values: document.variables.map((row) => cell(row) ?? null),
    }),
  );
  return writeParquet(columns);
}
