import { RatewiseError } from "@ratewise/core";
import { parquetWriteBuffer } from "hyparquet-writer";

/** A column to write; null is a missing value. All of one kind. */
export interface ParquetColumn {
  readonly name: string;
  readonly kind: "text" | "number" | "integer" | "boolean";
  readonly values: readonly (string | number | boolean | null)[];
}

const TYPES = { text: "STRING", number: "DOUBLE", integer: "INT32", boolean: "BOOLEAN" } as const;

/** The bytes of a Parquet file (Snappy). Doubles come back to the bit; the same columns give the same bytes. */
export function writeParquet(columns: readonly ParquetColumn[]): Uint8Array {
  const rows = columns[0]?.values.length ?? 0;
  const ragged = columns.find(({ values }) => values.length !== rows);
  if (rows === 0 || ragged)
    throw new RatewiseError("shape", {
      in: "writeParquet",
      what: `needs columns of one length above 0, got ${ragged ? `${rows} and ${ragged.values.length}` : "no rows"}`,
    });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map(({ name, kind, values }) => ({
        name,
        data: values as (string | number | boolean | null)[],
        type: TYPES[kind],
        nullable: true,
      })),
      rowGroupSize: 100_000,
    }),
  );
}
