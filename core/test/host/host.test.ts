import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as node from "../../src/host/node.ts";
import { createScriptSha256 } from "../../src/host/sha256-script.ts";
import * as web from "../../src/host/web.ts";

/** The type checker holds the two hosts to the same signatures, the test to the same names. */
const hosts: readonly (typeof node)[] = [node, web];

describe("host", () => {
  test("Node's and the browser's modules export the same names", () => {
    const [here, there] = hosts.map((host) => Object.keys(host).sort());
    expect(here).toEqual(there);
    expect(here).toContain("spawnWorker");
  });

  test("there is at least one core", () => {
    expect(node.cores()).toBeGreaterThanOrEqual(1);
  });
});

describe("createSha256", () => {
  const known: readonly (readonly [string, string])[] = [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ];
  test.each(known)("gives the published digest of %j on both hosts", (text, digest) => {
    for (const host of hosts) {
      const hash = host.createSha256();
      hash.update(new TextEncoder().encode(text));
      expect(hash.hex()).toBe(digest);
    }
  });

  test("in pieces, the script version equals OpenSSL's", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, (chunks) => {
        const hash = createScriptSha256();
        const reference = createHash("sha256");
        for (const chunk of chunks) {
          hash.update(chunk);
          reference.update(chunk);
        }
        expect(hash.hex()).toBe(reference.digest("hex"));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("reads shared memory", () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(3));
    bytes.set([97, 98, 99]);
    for (const host of hosts) {
      const hash = host.createSha256();
      hash.update(bytes);
      expect(hash.hex()).toBe(known[1][1]);
    }
  });
});
