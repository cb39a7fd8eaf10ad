import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderStore, openStore, type Store, s3Store } from "../src/index.ts";
import { type S3Server, s3Keys, startS3 } from "./support/s3-server.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-store-"));
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.close();
});

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

const kinds: [string, () => Store][] = [
  ["a folder", () => folderStore(join(folder, "store"))],
  [
    "a bucket",
    () => s3Store({ bucket: "bucket", prefix: "a/b", endpoint: s3.endpoint, ...s3Keys }),
  ],
  [
    "a bucket without prefix",
    () => s3Store({ bucket: "bucket", prefix: "", endpoint: s3.endpoint, ...s3Keys }),
  ],
];

describe.each(kinds)("%s", (_, open) => {
  test("gives back what was put, and nothing for what was not", async () => {
    const store = open();
    expect(await store.get("results/one")).toBeUndefined();
    expect(await store.has("results/one")).toBe(false);
    await store.put("results/one", bytes(1, 0, 255));
    expect(await store.has("results/one")).toBe(true);
    expect(Uint8Array.from((await store.get("results/one"))!)).toEqual(bytes(1, 0, 255));
    await store.put("results/one", bytes(7));
    expect(Uint8Array.from((await store.get("results/one"))!)).toEqual(bytes(7));
    await store.remove("results/one");
    await store.remove("results/one");
    expect(await store.has("results/one")).toBe(false);
  });

  test("lists what lies below a folder, in order, and nothing beside it", async () => {
    const store = open();
    const names = ["runs/b/run.json", "runs/a/x.json", "runs/a/y/z.json", "runs/c/1", "runs/c/2"];
    for (const name of [...names, "runsome/x"]) await store.put(name, bytes(1), { durable: false });
    expect(await store.list("runs")).toEqual([...names].sort());
    expect(await store.list("runs/a")).toEqual(["runs/a/x.json", "runs/a/y/z.json"]);
    expect(await store.list("nowhere")).toEqual([]);
  });

  test.each(["../x", "a/../../x", "/etc/passwd", "a//b", "", ".hidden", "a/.b", "a\\b", "a?b"])(
    "refuses the name %j",
    async (name) => {
      await expect((async () => open().get(name))()).rejects.toThrow("store: needs a name");
      await expect((async () => open().put(name, bytes(1)))()).rejects.toThrow(
        "store: needs a name",
      );
    },
  );
});

test("a folder holds nothing but whole files after a put that fails", async () => {
  const store = folderStore(join(folder, "whole"));
  await store.put("a/b", bytes(1));
  await expect(store.put("a/b/c", bytes(1))).rejects.toThrow();
  expect(readdirSync(join(folder, "whole", "a"))).toEqual(["b"]);
});

test("a bucket that refuses the keys is told of, with the reason", async () => {
  const store = s3Store({
    bucket: "bucket",
    prefix: "",
    endpoint: s3.endpoint,
    ...s3Keys,
    secretAccessKey: "wrong",
  });
  await expect(store.get("a")).rejects.toThrow("answered GET with 403 (no)");
});

test("a bucket whose connection breaks is asked again, and one that nobody answers for is told of", async () => {
  let broken = 2;
  const open: Socket[] = [];
  const wire = createServer((socket) => {
    if (broken-- > 0) return socket.destroy();
    const { hostname, port } = new URL(s3.endpoint);
    const onward = connect(Number(port), hostname);
    open.push(socket.on("error", () => onward.destroy()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(wire.address() as AddressInfo).port}`;
  const store = s3Store({ bucket: "bucket", prefix: "", endpoint, ...s3Keys });
  await expect(store.get("a")).resolves.toBeUndefined();
  expect(broken).toBe(-1);
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => wire.close(resolve));
  await expect(store.get("a")).rejects.toThrow(
    `store: ${endpoint}/bucket cannot be reached (ECONNREFUSED)`,
  );
});

describe("--store", () => {
  const keys = {
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI",
    AWS_REGION: "test-1",
  };

  test("takes folders, and buckets with endpoint and keys from the environment", async () => {
    expect(openStore("some/folder", {}).location).toBe(join(process.cwd(), "some/folder"));
    const store = openStore("s3://bucket/deep/", { ...keys, AWS_ENDPOINT_URL_S3: s3.endpoint });
    expect(store.location).toBe("s3://bucket/deep");
    await store.put("x", bytes(3));
    expect(s3.objects.get("deep/x")).toEqual(Buffer.from([3]));
  });

  test.each([
    ["s3://key:secret@bucket/x", keys, "without credentials"],
    ["ftp://host/x", keys, "needs a folder or s3://bucket/prefix"],
    ["s3://bucket/x", {}, "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
  ])("refuses %s", (location, environment, message) => {
    expect(() => openStore(location, environment)).toThrow(message);
    expect(() => openStore(location, environment)).not.toThrow("secret");
  });
});
