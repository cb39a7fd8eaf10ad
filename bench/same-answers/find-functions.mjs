import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { renamedFunctions } from "./renamed.mjs";

const packages = ["core", "files", "onnx"];

/**
 * What is built in a checkout, as one object: `library.rate` is the function of that name wherever a package exports it, from
 * its main entry or a subpath. Of functions that a package keeps to itself it has those that the calls mention: their
 * numbers may not change either.
 */
export async function findFunctions(checkout) {
  const folders = packages.map((name) => join(realpathSync(checkout), name));
  const modules = [];
  for (const [subpath, file] of folders.flatMap(exported))
    modules.push([subpath, await import(pathToFileURL(file).href)]);
  const find = (name) => {
    const holder = modules.find(([, module]) => name in module)?.[1];
    return holder?.[name] ?? modules.find(([subpath]) => subpath === name)?.[1];
  };
  const words = mentioned();
  const inside = folders.flatMap(kept).filter(([name]) => words.has(name) && !find(name));
  for (const [, file] of inside) modules.push([file, await import(pathToFileURL(file).href)]);
  const get = (_, name) => {
    const names = [name, ...(renamedFunctions[name] ?? [])];
    const found = names.map(find).find((value) => value !== undefined);
    if (found === undefined)
      throw new Error(`${checkout}: there is no ${names.join(" or ")}; renamed.mjs has new names`);
    return found;
  };
  // In an object of its own, because an async function asks what it returns for `then`.
  return { library: new Proxy({}, { get }) };
}

/** Subpaths of a package with the built modules they lead to; other conditions lead to source and types. */
function exported(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const built = Object.entries(exports).map(([path, entry]) => [
    path.slice(2),
    join(folder, typeof entry === "string" ? entry : entry.default),
  ]);
  const missing = built.find(([, file]) => !existsSync(file));
  if (missing) throw new Error(`${missing[1]}: there is no such file; build the checkout first`);
  return built.filter(([, file]) => file.endsWith(".js"));
}

/** Every function that a file of a package exports, with what is built of it: [name, file]. */
function kept(folder) {
  const sources = readdirSync(join(folder, "src"), { recursive: true });
  return sources
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => {
      const text = readFileSync(join(folder, "src", path), "utf8");
      const file = join(folder, "dist", path.replace(/\.ts$/, ".js"));
      const names = text.matchAll(/^export (?:async )?(?:function\*? |const )(\w+)/gm);
      return [...names].map(([, name]) => [name, file]);
    });
}

/** The words of the calls, under old and new names. */
const mentioned = () => {
  const folder = join(import.meta.dirname, "calls");
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const words = text.join(" ").match(/\w+/g);
  return new Set(words.flatMap((word) => [word, ...(renamedFunctions[word] ?? [])]));
};
