import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { Layer, LayerTable } from "./layer-table.ts";
import { importsOf, type Reference } from "./source-imports.ts";

/** One package, or the root itself under the folder ".". */
export interface Workspace {
  readonly folder: string;
  readonly name: string;
  /** Names of the packages that its published code may import. */
  readonly dependencies: readonly string[];
  /** Names that its tests and scripts may import besides. */
  readonly devDependencies: readonly string[];
  /** `imports` of package.json: each `#name` with every file it may stand for, as a source path. */
  readonly privateImports: Readonly<Record<string, readonly string[]>>;
}

/** A repository, real or made up: paths from its root with forward slashes. */
export interface SourceTree {
  readonly workspaces: readonly Workspace[];
  readonly files: ReadonlyMap<string, string>;
}

export interface ImportReport {
  readonly violations: readonly string[];
  readonly edges: number;
}

const core = "core/src";
const isTest = (path: string): boolean => /(^|\/)test\//.test(path);
/** What the tests of all workspaces share. */
const isTestSupport = (path: string): boolean => /(^|\/)test\/support\//.test(path);
/** What ends in the package; the rest (tests, build scripts, benchmarks) runs in the checkout only. */
const isPublished = (path: string): boolean => /^[^/]+\/(src|bin)\//.test(path);
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** `linalg` for core/src/linalg/x.ts, `errors` for core/src/errors.ts; `fit` below core/src/explain. */
export function layerOf(path: string, below: string = core): string {
  const [first] = posix.relative(below, path).split("/");
  return first!.replace(/\.ts$/, "");
}

/** A folder of core/src with a table of its own. */
export interface InnerLayers {
  readonly folder: string;
  readonly table: LayerTable;
}

/** Checks every import of every file against the layer tables and the rules for packages. */
export function checkImports(
  tree: SourceTree,
  table: LayerTable,
  inner: readonly InnerLayers[] = [],
): ImportReport {
  const violations: string[] = [];
  const graph = new Map<string, string[]>();
  let edges = 0;
  const folders = [...tree.workspaces].sort((a, b) => b.folder.length - a.folder.length);
  const ownerOf = (path: string): Workspace =>
    folders.find((w) => w.folder === "." || path.startsWith(`${w.folder}/`))!;

  for (const [path, source] of tree.files) {
    const owner = ownerOf(path);
    const inCore = path.startsWith(`${core}/`);
    const layer = inCore ? table.get(layerOf(path)) : undefined;
    if (inCore && !layer) violations.push(`${path}: ${layerOf(path)} is not in the layer table`);
    const targets: string[] = [];
    graph.set(path, targets);
    for (const reference of importsOf(path, source)) {
      edges++;
      const { specifier, kind, line } = reference;
      const report = (what: string) => violations.push(`${path}:${line}: ${what}`);
      if (specifier === null) {
        if (inCore && layerOf(path) !== "host") report(`computed ${kind} outside host`);
      } else if (isBuiltin(specifier)) {
        if (!specifier.startsWith("node:")) report(`${specifier} needs the prefix node:`);
        else if (inCore && layerOf(path) !== "host") report(`${specifier} outside host`);
      } else if (specifier.startsWith(".") || specifier.startsWith("#")) {
        // Tests and benchmarks start programs by address, and some that are missing on purpose.
        if (kind === "worker" && !isPublished(path)) continue;
        const files = resolveOwn(path, reference, owner);
        if (files.length === 0) report(`${specifier} is not in "imports" of package.json`);
        for (const target of files) {
          if (/(^|\/)dist\//.test(target)) {
            // The launcher has to exist before the build, so it alone names the build's output.
            if (!/^[^/]+\/bin\//.test(path)) report(`${specifier} is build output`);
          } else if (!tree.files.has(target)) report(`${specifier} is not a source file`);
          else if (ownerOf(target) !== owner && !(isTest(path) && isTestSupport(target)))
            report(`${specifier} reaches into ${ownerOf(target).name}; import it by name`);
          else if (isTest(target) && !isTest(path)) report(`${specifier} is test code`);
          else if (layer) checkLayer(path, target, layer, reference, owner, report);
          for (const { folder, table } of inner)
            checkFolder(path, target, `${core}/${folder}`, table, report);
          // A worker's file starts a program of its own: it cannot take part in a cycle.
          if (kind !== "worker" && tree.files.has(target)) targets.push(target);
        }
      } else if (kind !== "worker") {
        const name = packageOf(specifier);
        const mayImport = isPublished(path)
          ? owner.dependencies
          : [owner.name, ...owner.dependencies, ...owner.devDependencies];
        if (inCore) report(`${specifier} is a package, and core has none`);
        else if (!mayImport.includes(name)) report(`${name} is not a dependency of ${owner.name}`);
        else if (specifier.includes("/dist/")) report(`${specifier} is build output`);
      }
    }
  }
  for (const cycle of findCycles(graph)) violations.push(`cycle: ${cycle.join(" → ")}`);
  return { violations, edges };
}

function resolveOwn(path: string, { specifier, kind }: Reference, owner: Workspace) {
  if (specifier!.startsWith("#")) return owner.privateImports[specifier!] ?? [];
  const target = posix.join(posix.dirname(path), specifier!.replace(/\?.*$/, ""));
  // tsc rewrites imports, not addresses: those name the compiled file.
  return [kind === "worker" ? target.replace(/\.js$/, ".ts") : target];
}

function checkLayer(
  path: string,
  target: string,
  layer: Layer,
  { specifier, kind, typeOnly }: Reference,
  owner: Workspace,
  report: (what: string) => void,
): void {
  if (!target.startsWith(`${core}/`)) {
    report(`${specifier} leaves ${core}`);
    return;
  }
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from === to) return;
  const hidden = Object.entries(owner.privateImports).find(([, files]) => files.includes(target));
  if (hidden && specifier !== hidden[0]) report(`${specifier} is reached through ${hidden[0]}`);
  if (layer.layers === "everything" || layer.layers.has(to)) return;
  const single = posix.relative(core, target);
  if (kind === "worker" && layer.starts.has(single)) return;
  if (!layer.typesOf.has(single)) report(`${from} may not import ${to}`);
  else if (!typeOnly) report(`${from} may import only types of ${single}`);
}

/** An import between two parts of one folder. */
function checkFolder(
  path: string,
  target: string,
  folder: string,
  table: LayerTable,
  report: (what: string) => void,
): void {
  if (![path, target].every((file) => file.startsWith(`${folder}/`))) return;
  const [from, to] = [layerOf(path, folder), layerOf(target, folder)];
  const rule = table.get(from);
  if (!rule) report(`${from} is not in the table of ${folder}`);
  else if (from !== to && rule.layers !== "everything" && !rule.layers.has(to))
    report(`${from} may not import ${to}`);
}

/** One cycle for each edge that closes one, in a depth-first walk. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}
