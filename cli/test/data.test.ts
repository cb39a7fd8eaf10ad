import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reviewFiles } from "../src/input/data-sets/imdb.ts";
import { countReviews, wordsOf } from "../src/input/data-sets/review-counts.ts";
import { tarEntries } from "../src/input/data-sets/tar.ts";
import { run, temporaryFolder } from "./support/run.ts";

const cache = temporaryFolder();
const temporary = temporaryFolder();
const environment = { RATEWISE_CACHE: join(cache, "data") };

/** A tar archive by hand: a header of 512 bytes an entry, its size in octal, contents filled up to 512. */
function tarOf(files: Readonly<Record<string, string>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    const content = Buffer.from(text);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write(name.endsWith("/") ? "5" : "0", 156);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

describe("a server on this machine", () => {
  let server: Server;
  let address = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/page/train-images-idx3-ubyte.gz")
        return response.end("<html>sign in</html>");
      if (request.url?.startsWith("/other/")) return response.end(gzipSync("other digits"));
      response.statusCode = 404;
      return response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    ["mnist", "/page", "needs train-images-idx3-ubyte.gz as a gzip file, got 20 other bytes"],
    ["mnist", "/other/", "with the SHA-256 ba891046e650… once unpacked, got"],
    ["mnist", "/nowhere", "answered 404; try again later, or name a mirror with --from"],
    ["imdb", "/other", "needs aclImdb_v1.tar.gz with the MD5 7c2ac02c0356…, got"],
  ])("%s from %s is refused, and nothing is kept", async (name, path, message) => {
    const { code, out, err } = await run(["data", "get", name, "--from", address + path], {
      environment,
    });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
    expect(readdirSync(cache)).toEqual([]);
  });
});

test("an address where nobody answers is told of", async () => {
  const { code, err } = await run(["data", "get", "mnist", "--from", "http://127.0.0.1:9/"], {
    environment,
  });
  expect(code).toBe(1);
  expect(err).toMatch(
    /http:\/\/127\.0\.0\.1:9\/train-images-idx3-ubyte\.gz cannot be reached \(.+\); try again/,
  );
});

/** A folder with empty files of the names that studies read. */
function dataOf(name: string): string {
  const folder = join(temporary, "own");
  mkdirSync(join(folder, name), { recursive: true });
  const files = ["imdb.vocab.tsv", "imdb_train.feat.gz", "imdb_test.feat.gz"];
  for (const file of files) writeFileSync(join(folder, name, file), "");
  return folder;
}

test("what there is is listed: whether it is there, where, and how to have it", async () => {
  const { out } = await run(["data"], {
    environment: { ...environment, RATEWISE_DATA: dataOf("imdb") },
  });
  expect(out).toBe(`mnist   70,000 written digits (LeCun, Cortes and Burges), 11 MB
        missing; ratewise data get mnist puts it in ${join(cache, "data/mnist")}
imdb    50,000 film reviews (Maas and others 2011), an archive of 84 MB, kept as counts of 5,000 words
        there, in ${join(temporary, "own/imdb")}
mice    1,814 heterogeneous stock mice (Valdar and others 2006), with genes and gene sets; for mice and hidden
        missing, and cannot be downloaded: RATEWISE_DATA must name a folder with mice/, genes/ and genesets/
`);
});

test("the list as JSON knows of RATEWISE_DATA", async () => {
  const own = { ...environment, RATEWISE_DATA: dataOf("imdb") };
  const { dataSets } = JSON.parse((await run(["data", "--json"], { environment: own })).out);
  const row = (name: string, folder: string | null) =>
    expect.objectContaining({ name, folder, there: folder !== null, fetched: name !== "mice" });
  expect(dataSets).toEqual([
    row("mnist", null),
    row("imdb", join(temporary, "own/imdb")),
    row("mice", null),
  ]);
});

test("what lies in RATEWISE_DATA is not fetched, and neither is what was fetched before", async () => {
  const folder = dataOf("imdb");
  for (const [name, own, again] of [
    [
      "RATEWISE_DATA",
      { ...environment, RATEWISE_DATA: folder },
      `to ${environment.RATEWISE_CACHE}`,
    ],
    ["RATEWISE_CACHE", { RATEWISE_CACHE: folder }, "again"],
  ] as const) {
    const { code, out, err } = await run(["data", "get", "imdb"], { environment: own });
    expect([name, code, out]).toEqual([name, 0, `${folder}/imdb\n`]);
    expect(err).toBe(`ratewise: ${folder}/imdb is there already; --force fetches it ${again}\n`);
  }
});

test("a cache that cannot be written is refused before anything is fetched", async () => {
  const { code, err } = await run(["data", "get", "mnist", "--from", "http://127.0.0.1:9/"], {
    environment: { RATEWISE_CACHE: "/proc/x/y" },
  });
  expect(code).toBe(1);
  expect(err).toMatch(/^ratewise: \/proc\/x\/y: (cannot be written|may not be)/);
});

test("other words are refused", async () => {
  for (const [argv, message] of [
    [["data", "put", "mnist"], 'needs "get", got "put" ('],
    [["data", "mnist"], 'needs "get", got "mnist"; did you mean "ratewise data get mnist"?'],
    [["data", "get"], "get needs one of mnist, imdb, got none"],
    [["data", "get", "mnits"], 'there is no data set "mnits" to fetch; did you mean "mnist"?'],
    [["data", "get", "nonsense"], 'no data set "nonsense" to fetch; choose one of mnist, imdb'],
    [["data", "--seed", "3"], 'there is no option "--seed"'],
    [["data", "get", "mice"], "the mice are read from RATEWISE_DATA only"],
    ...["/mirror", "file:///mirror", "ftp://host/mirror", "https://", ""].map((from) => [
      ["data", "get", "mnist", "--from", from],
      `--from needs an http or https address, got "${from}"`,
    ]),
  ] as [string[], string][]) {
    const { code, err } = await run(argv, { environment });
    expect(code).toBe(2);
    expect(err).toContain(message);
  }
});

test("the help offers no options that mean nothing to a download", async () => {
  const { out } = await run(["data", "--help"]);
  expect(out).toContain("--from <address>");
  expect(out).not.toMatch(/--seed|--engine/);
});

describe("reviews", () => {
  test("are split into words as Keras splits them", () => {
    expect(wordsOf("It's \"great\" -- isn't it?<br /><br />10/10\tYES")).toEqual([
      "it's",
      "great",
      "isn't",
      "it",
      "br",
      "br",
      "10",
      "10",
      "yes",
    ]);
  });

  test("become counts of the commonest words of the training half, in the order of files", () => {
    const review = (
      half: "train" | "test",
      positive: boolean,
      number: number,
      stars: number,
      text: string,
    ) => ({ half, positive, number, stars, text });
    const counts = countReviews(
      [
        review("test", true, 0, 10, "good rare good"),
        review("train", false, 0, 1, "bad film bad"),
        review("train", true, 10, 8, "late film"),
        review("train", true, 2, 9, "good film"),
      ],
      3,
    );
    // film 3 times; bad 2; good, late once each: good is seen first.
    expect(counts.vocabulary).toBe(
      "rank\tword\ttrain_count\ttrain_doc_freq\n1\tfilm\t3\t3\n2\tbad\t2\t1\n3\tgood\t1\t1\n",
    );
    expect(counts.train).toBe("9 0:1 2:1\n8 0:1\n1 0:1 1:2\n");
    expect(counts.test).toBe("10 2:2\n");
  });

  test("are read out of their archive, and what is no labelled review is left", () => {
    const archive = gzipSync(
      tarOf({
        "aclImdb/train/pos/": "",
        "aclImdb/train/pos/0_9.txt": "A good film",
        "aclImdb/train/neg/0_2.txt": "A bad film ".repeat(60),
        "aclImdb/train/unsup/0_0.txt": "unlabelled unlabelled",
        "aclImdb/test/neg/7_4.txt": "bad",
      }),
    );
    const files = new Map(reviewFiles(archive).map(({ path, pieces }) => [path, [...pieces][0]]));
    expect([...files.keys()]).toEqual([
      "imdb.vocab.tsv",
      "imdb_train.feat.gz",
      "imdb_test.feat.gz",
    ]);
    expect(files.get("imdb.vocab.tsv")).toContain("4\tgood\t1\t1\n");
    expect(files.get("imdb.vocab.tsv")).not.toContain("unlabelled");
    const text = (path: string) => gunzipSync(files.get(path)! as Uint8Array).toString();
    expect(text("imdb_train.feat.gz")).toBe("9 0:1 1:1 3:1\n2 0:60 1:60 2:60\n");
    expect(text("imdb_test.feat.gz")).toBe("4 2:1\n");
  });

  test("a tar archive that is cut off is an error, in pieces of any size", () => {
    const whole = tarOf({ "a.txt": "x".repeat(700), "b.txt": "" });
    const pieces = Array.from({ length: Math.ceil(whole.length / 100) }, (_, k) =>
      whole.subarray(100 * k, 100 * (k + 1)),
    );
    expect(Array.from(tarEntries(pieces), ({ name, bytes }) => [name, bytes.length])).toEqual([
      ["a.txt", 700],
      ["b.txt", 0],
    ]);
    expect(() => [...tarEntries([whole.subarray(0, 900)])]).toThrow("cut off or damaged");
  });
});
