import { version } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { type Manifest, manifestOf, read, workspaceFolders } from "./support/repository.ts";

const everyDependency = (manifest: Manifest): [string, string][] =>
  Object.entries({
    ...manifest.peerDependencies,
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });

test("core has no dependency of any kind", () => {
  expect(everyDependency(manifestOf("core"))).toEqual([]);
});

test("the version in results is the version of the package", () => {
  expect(version).toBe(manifestOf("core").version);
});

describe("the lock file", () => {
  interface Locked {
    readonly resolved?: string;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
    readonly optional?: boolean;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages);

  test("holds no download address", () => {
    expect(packages.length).toBeGreaterThan(50);
    const site = JSON.parse(read("docs/site/package-lock.json")) as typeof lock;
    const addresses = [...packages, ...Object.entries(site.packages)].filter(
      ([, p]) => p.resolved !== undefined && !p.link,
    );
    expect(addresses.map(([path]) => path)).toEqual([]);
  });

  test("has install scripts only where they may fail, or where we forbid them", () => {
    const forbidden = manifestOf(".").allowScripts!;
    const scripts = packages.filter(
      ([path, p]) =>
        p.hasInstallScript &&
        !p.optional &&
        path !== "" &&
        forbidden[path.replace("node_modules/", "")] !== false,
    );
    expect(scripts.map(([path]) => path)).toEqual([]);
  });

  test("installs with ratewise no client of a server and no runtime of networks", () => {
    const installed = new Set<string>();
    const take = (path: string): void => {
      if (installed.has(path)) return;
      installed.add(path);
      const { dependencies, optionalDependencies } = lock.packages[path]!;
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
        const nested = `${path}/node_modules/${name}`;
        const found = lock.packages[nested] ? nested : `node_modules/${name}`;
        const workspace = workspaceFolders.find((folder) => manifestOf(folder).name === name);
        take(workspace ?? found);
      }
    };
    take("cli");
    expect(installed).toContain("node_modules/koffi");
    expect(installed).toContain("cluster");
    for (const name of ["bullmq", "ioredis", "pg", "aws4fetch", "onnxruntime-web"]) {
      expect(lock.packages).toHaveProperty([`node_modules/${name}`]);
      expect(installed).not.toContain(`node_modules/${name}`);
    }
  });

  test("knows the builds of every platform, without which npm ci stops", () => {
    const locked = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, "")));
    const needed = packages.flatMap(([, p]) => Object.keys(p.optionalDependencies ?? {}));
    expect(needed.length).toBeGreaterThan(20);
    expect(needed.filter((name) => !locked.has(name))).toEqual([]);
  });
});

describe.each([".", ...workspaceFolders])("%s/package.json", (folder) => {
  const manifest = manifestOf(folder);

  test("has the version of the workspace, the licence, and the Node it was tried on", () => {
    expect(manifest.version).toBe(manifestOf(".").version);
    expect(manifest.license).toBe("MIT");
    expect(manifest.type).toBe("module");
    expect(manifest.engines).toEqual({ node: "^20.20.0 || >=22.12.0" });
  });

  test("pins every dependency to one version, workspaces to their own", () => {
    const versions = new Map(
      workspaceFolders.map((f) => [manifestOf(f).name, manifestOf(f).version]),
    );
    for (const [name, range] of everyDependency(manifest)) {
      expect(range, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(versions.get(name) ?? range, name).toBe(range);
    }
  });

  test("has peers only where they are optional, in the version that its tests run with", () => {
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      expect(manifest.peerDependenciesMeta?.[name], name).toEqual({ optional: true });
      expect(range).toBe(`^${manifest.devDependencies?.[name]}`);
    }
  });

  test("runs nothing when somebody installs it", () => {
    const scripts = Object.keys(manifest.scripts ?? {});
    const atInstall = ["preinstall", "install", "postinstall", "prepare"];
    // The root is never published: it checks the version of Node, and builds the checkout.
    const allowed = folder === "." ? ["preinstall", "prepare"] : [];
    expect(scripts.filter((name) => atInstall.includes(name))).toEqual(allowed);
  });
});

const published = workspaceFolders.filter((folder) => !manifestOf(folder).private);

describe.each(published)("%s, published", (folder) => {
  const manifest = manifestOf(folder);

  test("packs its build, its source, licence and readme, and says what it is", () => {
    expect(manifest.files).toEqual(expect.arrayContaining(["dist", "src"]));
    expect(manifest.files).toContain("!dist/**/*.tsbuildinfo");
    expect(manifest.description?.length).toBeGreaterThan(20);
    expect(read(`${folder}/README.md`)).toContain(`# ${manifest.name}\n`);
  });

  test("depends on no workspace that is not published", () => {
    const hidden = workspaceFolders.filter((f) => !published.includes(f));
    const names = new Set(hidden.map((f) => manifestOf(f).name));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    expect(Object.keys(needed).filter((name) => names.has(name))).toEqual([]);
  });

  test("carries the licence of the workspace, word for word", () => {
    expect(read(`${folder}/LICENSE`)).toBe(read("LICENSE"));
  });
});

test("core, files and ratewise are what is published", () => {
  const names = published.map((folder) => manifestOf(folder).name);
  expect(names).toEqual(expect.arrayContaining(["@ratewise/core", "@ratewise/files", "ratewise"]));
  expect(manifestOf(".").private).toBe(true);
});
