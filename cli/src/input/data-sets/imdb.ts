import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { RatewiseError } from "@ratewise/core";
import { gunzipPieces } from "@ratewise/files";
import type { FolderFile } from "../../output/atomic-folder.ts";
import type { DataSet } from "./data-set.ts";
import { download } from "./download.ts";
import { countReviews, type Review } from "./review-counts.ts";
import { tarEntries } from "./tar.ts";

const ARCHIVE = "aclImdb_v1.tar.gz";
/** Of the archive, as it is quoted in public code; untried against the origin itself. */
const MD5 = "7c2ac02c03563afcf9b574c7e56c153a";
const REVIEW = /(train|test)\/(pos|neg)\/(\d+)_(\d+)\.txt$/;

export const imdb: DataSet = {
  name: "imdb",
  about:
    "50,000 film reviews (Maas and others 2011), an archive of 84 MB, kept as counts of 5,000 words",
  origin: "https://ai.stanford.edu/~amaas/data/sentiment/",
  fetch: async (from, run) => {
    const bytes = await download(from + ARCHIVE, run);
    const got = createHash("md5").update(bytes).digest("hex");
    if (got !== MD5)
      throw new RatewiseError("parse", {
        at: "data get imdb",
        what: `needs ${ARCHIVE} with the MD5 ${MD5.slice(0, 12)}…, got ${got.slice(0, 12)}…`,
        advice: "the file is damaged or another",
        expected: MD5,
        got,
      });
    return reviewFiles(bytes);
  },
};

/** The archive's labelled reviews as counts: the files that the study reads. */
export function reviewFiles(archive: Uint8Array): FolderFile[] {
  const reviews: Review[] = [];
  for (const { name, bytes } of tarEntries(gunzipPieces(archive))) {
    const [, half, kind, number, stars] = REVIEW.exec(name) ?? [];
    if (half === undefined) continue;
    reviews.push({
      half: half as Review["half"],
      positive: kind === "pos",
      ...{ number: Number(number), stars: Number(stars), text: new TextDecoder().decode(bytes) },
    });
  }
  const { vocabulary, train, test } = countReviews(reviews);
  return [
    { path: "imdb.vocab.tsv", pieces: [vocabulary] },
    { path: "imdb_train.feat.gz", pieces: [new Uint8Array(gzipSync(train))] },
    { path: "imdb_test.feat.gz", pieces: [new Uint8Array(gzipSync(test))] },
  ];
}
