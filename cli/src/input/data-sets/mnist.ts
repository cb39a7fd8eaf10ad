import { createHash } from "node:crypto";
import { RatewiseError } from "@ratewise/core";
import { gunzip } from "@ratewise/files";
import type { DataSet } from "./data-set.ts";
import { download } from "./download.ts";

/** SHA-256 of what is in each file, unpacked: mirrors have packed the same bytes in different ways. */
const SUMS: Readonly<Record<string, string>> = {
  "train-images-idx3-ubyte.gz": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
  "train-labels-idx1-ubyte.gz": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
  "t10k-images-idx3-ubyte.gz": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
  "t10k-labels-idx1-ubyte.gz": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
};

export const mnist: DataSet = {
  name: "mnist",
  about: "70,000 written digits (LeCun, Cortes and Burges), 11 MB",
  origin: "https://ossci-datasets.s3.amazonaws.com/mnist/",
  fetch: async (from, run) => {
    const files = [];
    for (const [path, expected] of Object.entries(SUMS)) {
      const bytes = await download(from + path, run);
      const got = sumOf(path, bytes);
      if (got !== expected)
        throw new RatewiseError("parse", {
          at: "data get mnist",
          what: `needs ${path} with the SHA-256 ${expected.slice(0, 12)}… once unpacked, got ${got.slice(0, 12)}…`,
          advice: "the file is damaged or another",
          path,
          expected,
          got,
        });
      files.push({ path, pieces: [bytes] });
    }
    return files;
  },
};

function sumOf(path: string, bytes: Uint8Array): string {
  try {
    return createHash("sha256").update(gunzip(bytes)).digest("hex");
  } catch (error) {
    throw new RatewiseError("parse", {
      at: "data get mnist",
      what: `needs ${path} as a gzip file, got ${bytes.length} other bytes`,
      advice: "the address may be that of a page",
      path,
      cause: error,
    });
  }
}
