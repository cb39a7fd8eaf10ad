import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { drawingNumbers, pageNumbers, tableNumbers, withoutTimes } from "./numbers-in.mjs";
import { essence, firstDifference, underNewNames } from "./under-new-names.mjs";

/**
 * How two versions of a file agree: to the `byte`; once `mapped`, everything but what renamed.mjs names; in
 * all `numbers` of its tables or of its drawing; in all but the places of a drawing (`unplaced`), whose margins follow the
 * names in it; not at all, `where` says why; or `uncompared`.
 */
export async function sameFile(name, recorded, fresh) {
  if (recorded.equals(fresh)) return { how: "byte" };
  const compare = byKind[extname(name)];
  if (!compare) return unlike("the bytes differ");
  try {
    return await compare(recorded, fresh);
  } catch (error) {
    return unlike(`cannot be read: ${error.message}`);
  }
}

const unlike = (where) => ({ how: "unlike", where });
const found = (how, where) => (where ? unlike(where) : { how });

const byKind = {
  ".json": (...files) => documents(files.map((file) => JSON.parse(file))),
  ".csv": (...files) => lines(files.map(String)),
  ".regenie": (...files) => lines(files.map(String)),
  ".txt": (...files) => printed(files.map(String)),
  ".svg": (...files) => drawings(files.map(String)),
  ".html": (...files) => pages(files.map(String)),
  ".ratewise": (...files) => documents(files.map(bundle)),
  ".parquet": async (...files) => documents(await Promise.all(files.map(parquet))),
};

const documents = (pair) => found("mapped", firstDifference(...pair.map(essence)));

const lines = (pair) =>
  found("mapped", firstDifference(...pair.map((text) => underNewNames(text).split("\n")), "line"));

function printed(pair) {
  const mapped = pair.map((text) => withoutTimes(underNewNames(text)));
  if (!firstDifference(...mapped)) return { how: "mapped" };
  const numbers = pair.map(tableNumbers);
  if (numbers.every((rows) => rows.length === 0)) return { how: "uncompared" };
  return found("numbers", firstDifference(...numbers, "row"));
}

function drawings(pair) {
  if (lines(pair).how === "mapped") return { how: "mapped" };
  const where = firstDifference(...pair.map((svg) => drawingNumbers(svg, true)), "number");
  if (!where) return { how: "numbers" };
  const [before, after] = pair.map((svg) => underNewNames(svg) !== svg);
  if (before === after) return unlike(where);
  const written = pair.map((svg) => drawingNumbers(svg, false));
  return found("unplaced", firstDifference(...written, "number"));
}

/** A report: the document inside it, then all else. */
function pages(pair) {
  const inside = /(<script type="application\/json"[^>]*>)(.*?)<\/script>/s;
  const hidden = pair.map((page) => JSON.parse(inside.exec(page)?.[2] ?? "null"));
  const { how, where } = documents(hidden);
  if (how === "unlike") return unlike(`its document, ${where}`);
  const rest = pair.map((page) => underNewNames(page.replace(inside, "$1")).split("\n"));
  if (!firstDifference(...rest)) return { how: "mapped" };
  return found("numbers", firstDifference(...pair.map(pageNumbers), "row"));
}

/** What lies in a .ratewise file, its arrays as hexadecimal bytes: core/src/data/bundle.ts has the layout. */
function bundle(bytes) {
  const length = bytes.readUInt32LE(16);
  const start = Math.ceil((20 + length) / 8) * 8;
  const widths = { f32: 4, f64: 8, i8: 1, i32: 4, u8: 1, u32: 4 };
  return JSON.parse(bytes.subarray(20, 20 + length).toString(), (_, part) => {
    if (typeof part !== "object" || part === null || !("$array" in part)) return part;
    const end = start + part.at + part.length * widths[part.$array];
    return { array: part.$array, bytes: bytes.subarray(start + part.at, end).toString("hex") };
  });
}

/** The rows of a Parquet file, read by a library that is not ours. */
async function parquet(bytes) {
  const require = createRequire(join(import.meta.dirname, "../../files/package.json"));
  const { parquetReadObjects } = await import(pathToFileURL(require.resolve("hyparquet")).href);
  return parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
}
