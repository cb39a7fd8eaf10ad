import { gzipSync } from "node:zlib";
import { type ByteSource, bytesInMemory } from "@ratewise/core/stream";
import type { ZarrFiles } from "../../src/index.ts";

export interface ZarrOptions {
  readonly version: 2 | 3;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Of the numbers, little-endian. */
  readonly type: "float64" | "float32" | "int16";
  readonly gzip?: boolean;
}

const dtypes = { float64: "<f8", float32: "<f4", int16: "<i2" } as const;
const sizes = { float64: 8, float32: 4, int16: 2 } as const;

/**
 * A Zarr array as its specification has it, written by hand: https://zarr-specs.readthedocs.io. Chunks at the edge are whole, filled up
 * with −999.
 */
export function zarrStore(
  { version, shape, chunks, type, gzip = false }: ZarrOptions,
  value: (index: readonly number[]) => number,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const json = (key: string, content: object) =>
    files.set(key, new TextEncoder().encode(JSON.stringify(content)));
  if (version === 2)
    json(".zarray", {
      ...{
        zarr_format: 2,
        shape,
        chunks,
        dtype: dtypes[type],
        fill_value: 0,
        order: "C",
        filters: null,
      },
      compressor: gzip ? { id: "gzip", level: 1 } : null,
    });
  else
    json("zarr.json", {
      ...{
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: type,
        fill_value: 0,
        attributes: {},
      },
      chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        ...(gzip ? [{ name: "gzip", configuration: { level: 1 } }] : []),
      ],
    });
  const grid = shape.map((size, d) => Math.ceil(size / chunks[d]));
  for (const place of tuples(grid)) {
    const cells = chunks.reduce((product, n) => product * n, 1);
    const bytes = new Uint8Array(cells * sizes[type]);
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const inside of tuples(chunks)) {
      const index = inside.map((i, d) => place[d] * chunks[d] + i);
      const number = index.every((i, d) => i < shape[d]) ? value(index) : -999;
      if (type === "float64") view.setFloat64(at, number, true);
      else if (type === "float32") view.setFloat32(at, number, true);
      else view.setInt16(at, number, true);
      at += sizes[type];
    }
    const key = version === 2 ? place.join(".") : `c/${place.join("/")}`;
    files.set(key, gzip ? new Uint8Array(gzipSync(bytes)) : bytes);
  }
  return files;
}

export function filesOf(store: ReadonlyMap<string, Uint8Array>): ZarrFiles {
  return async (key): Promise<ByteSource | undefined> => {
    const found = store.get(key);
    return found && bytesInMemory(found);
  };
}

function* tuples(sizes: readonly number[]): Generator<number[]> {
  const index = sizes.map(() => 0);
  for (;;) {
    yield [...index];
    let d = index.length - 1;
    while (d >= 0 && index[d] === sizes[d] - 1) index[d--] = 0;
    if (d < 0) return;
    index[d]++;
  }
}
