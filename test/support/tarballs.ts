import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, manifestOf, root, workspaceFolders } from "./repository.ts";

export interface Tarball {
  readonly name: string;
  readonly path: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
}

/** `npm pack` for every public workspace. */
export function packAll(destination: string): Tarball[] {
  const folders = workspaceFolders.filter((folder) => !manifestOf(folder).private);
  const output = execFileSync(
    "npm",
    [
      "pack",
      "--json",
      "--ignore-scripts",
      "--pack-destination",
      destination,
      ...folders.flatMap((folder) => ["--workspace", folder]),
    ],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  const packed = JSON.parse(output) as {
    name: string;
    filename: string;
    files: { path: string }[];
  }[];
  return packed.map(({ name, filename, files }) => ({
    name,
    path: join(destination, filename),
    files: files.map((file) => file.path),
  }));
}

/**
 * Does what `npm install *.tgz` does, without a network: unpacks our packages into
 * `folder`/node_modules, links the packages they name from this checkout, and links the commands.
 * Only what a package.json names is there, so an undeclared import fails.
 */
export function installOffline(folder: string, tarballs: readonly Tarball[]): void {
  const ours = new Set(tarballs.map((tarball) => tarball.name));
  for (const { name, path } of tarballs) {
    const target = join(folder, "node_modules", name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", path, "-C", target, "--strip-components=1"]);
    const manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8")) as Manifest & {
      bin?: Record<string, string>;
    };
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const dependency of Object.keys(needed)) {
      const link = join(folder, "node_modules", dependency);
      if (ours.has(dependency) || existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "node_modules", dependency), link);
    }
    const commands = join(folder, "node_modules/.bin");
    mkdirSync(commands, { recursive: true });
    for (const [command, file] of Object.entries(manifest.bin ?? {}))
      symlinkSync(join(target, file), join(commands, command));
  }
}
