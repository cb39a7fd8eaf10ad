import { noSettings, type Settings } from "./settings.ts";

/** What a set of dropped files is meant for. */
export type Dropped =
  | { readonly kind: "data"; readonly settings: Settings; readonly files: readonly File[] }
  /** A session that was saved, or the result.json of a command. */
  | { readonly kind: "result"; readonly file: File }
  /** A model that was saved, with rows to predict. */
  | { readonly kind: "predict"; readonly data: string; readonly model: string }
  | { readonly kind: "unclear"; readonly why: string };

const TABLE = /\.(csv|tsv|tab|txt|dat|parquet|pq|npy|npz|libsvm|svm|svmlight|feat|bed)(\.b?gz)?$/i;
const IMAGES = /([-.]idx\d?([-.]ubyte)?)(\.gz)?$/i;
const BESIDE = /\.(bim|fam|gmt|data)(\.gz)?$/i;
const SPREADSHEET = /\.(xlsx?|xlsm|xlsb|ods|numbers)$/i;
const ends = (file: File, ending: RegExp): boolean => ending.test(file.name);

/** Finds out what was dropped: by name alone, for nothing has been read yet. `known` came before. */
export function sortOut(given: readonly File[], known: readonly File[] = []): Dropped {
  const names = new Set(given.map(({ name }) => name));
  const files = [...known.filter(({ name }) => !names.has(name)), ...given];
  const session = given.find((file) => ends(file, /\.ratewise-session$/i));
  if (session) return { kind: "result", file: session };
  const saved = given.find((file) => ends(file, /\.ratewise$/i));
  const network = files.find((file) => ends(file, /\.onnx$/i))?.name ?? "";
  const tables = files.filter(
    (file) => (ends(file, TABLE) || ends(file, IMAGES)) && !ends(file, BESIDE),
  );
  if (saved) {
    const rows = tables.find((file) => file !== saved);
    if (rows) return { kind: "predict", data: rows.name, model: saved.name };
    return {
      kind: "unclear",
      why: `${saved.name} is a model. Drop it together with a table, and the page predicts its rows`,
    };
  }
  const result = given.length === 1 && ends(given[0], /\.json$/i) ? given[0] : undefined;
  if (result && known.length === 0) return { kind: "result", file: result };
  const data = mainTable(tables, given);
  if (!data) return { kind: "unclear", why: unclear(files, network) };
  const genotypes = ends(data, /\.bed$/i);
  const others = tables.filter((file) => file !== data);
  const pheno = genotypes ? others.find((file) => ends(file, /\.(csv|tsv|txt|tab)$/i)) : undefined;
  const target = others.find((file) => ends(file, /\.npy(\.gz)?$/i) || ends(file, IMAGES));
  return {
    kind: "data",
    files,
    settings: {
      ...noSettings,
      data: data.name,
      network,
      ...(pheno && { pheno: pheno.name }),
      ...(target && !genotypes && { target: target.name }),
    },
  };
}

/** Letters that hold the first line of any table that a person made. */
const FIRST_LINE = 2 ** 20;

/** The columns of a file of phenotypes, but those that say whose they are. */
export async function traitsOf(file: File): Promise<string[]> {
  if (/\.b?gz$/i.test(file.name)) return [];
  const [line] = (await file.slice(0, FIRST_LINE).text()).split(/\r?\n/);
  const names = line.split(line.includes("\t") ? "\t" : line.includes(",") ? "," : /\s+/);
  const whose = /^(#?fid|#?iid|pat|mat|)$/i;
  return names.map((name) => name.replace(/^"(.*)"$/, "$1").trim()).filter((n) => !whose.test(n));
}

/** The table among several: genotypes first, then what is not called after a response or labels, then the largest. */
function mainTable(tables: readonly File[], given: readonly File[]): File | undefined {
  const genotypes = tables.find((file) => ends(file, /\.bed$/i) && hasTrio(file, given));
  const candidates = tables.filter(
    (file) => !/^(y|labels?|target|response)\b|labels/i.test(file.name),
  );
  return (
    genotypes ??
    [...(candidates.length > 0 ? candidates : tables)].sort((a, b) => b.size - a.size)[0]
  );
}

/** A .bed file is genotypes only with its two neighbours; alone, its message says what is missing. */
function hasTrio(bed: File, given: readonly File[]): boolean {
  const stem = bed.name.replace(/\.bed$/i, "");
  return (
    given.length === 1 || given.some(({ name }) => name === `${stem}.bim` || name === `${stem}.fam`)
  );
}

function unclear(files: readonly File[], network: string): string {
  if (network)
    return `${network} is a network. Drop it together with the rows it takes, a table or .npy`;
  const names = files.map(({ name }) => name).join(", ");
  const sheet = files.find((file) => ends(file, SPREADSHEET));
  if (sheet)
    return `${sheet.name} is a spreadsheet, which this page cannot read. Save its sheet as CSV in the program that made it, and drop that file`;
  return `${names}: needs a table (.csv, .tsv, .parquet, .npz, .npy, .libsvm), genotypes (.bed, .bim and .fam together), a network (.onnx) with rows, or a saved session`;
}
