import { RatewiseError } from "../errors.ts";
import { philoxInto } from "./philox.ts";

/** An immutable seed. Pass it down; derive from it with {@link fold}; never share it between two uses. */
export interface Key {
  readonly k0: number;
  readonly k1: number;
}

/** The fourth counter word of {@link fold}, so that no child key equals a block of the parent's stream. */
const FOLD = 0x666f6c64;

/** The root key of a run, from a seed of 0 … 2⁵³ − 1. The seed is written into every result file. */
export function keyFromSeed(seed: number): Key {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new RatewiseError("domain", {
      in: "keyFromSeed",
      what: `needs a whole number from 0 to 2^53 − 1, got ${seed}`,
      seed,
    });
  return { k0: seed >>> 0, k1: Math.floor(seed / 2 ** 32) };
}

/** Says that a key is missing, in the name of the function `where`. */
export function checkKey(where: string, key: Key): void {
  if (typeof key?.k0 === "number" && typeof key.k1 === "number") return;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs a key, got ${key}`,
    advice: "keyFromSeed(1) makes one",
  });
}

/** The child of `parent` for a labelled purpose: `fold(key, "chain", 3)`. Adding a purpose moves no other. */
export function fold(parent: Key, ...path: readonly (string | number)[]): Key {
  const out = new Uint32Array(4);
  let { k0, k1 } = parent;
  for (const part of path) {
    if (typeof part === "number") {
      if (!Number.isSafeInteger(part) || part < 0)
        throw new RatewiseError("domain", {
          in: "fold",
          what: `needs labels or whole numbers, got ${part}`,
        });
      philoxInto(out, part >>> 0, Math.floor(part / 2 ** 32), 1, FOLD, k0, k1);
    } else {
      // Two hashes of the text in different directions: 64 bits keep labels apart.
      philoxInto(out, fnv1a(part, 1), fnv1a(part, -1), 2, FOLD, k0, k1);
    }
    k0 = out[0];
    k1 = out[1];
  }
  return { k0, k1 };
}

function fnv1a(text: string, direction: 1 | -1): number {
  let h = 0x811c9dc5;
  const n = text.length;
  for (let i = 0; i < n; i++) {
    h = Math.imul(h ^ text.charCodeAt(direction > 0 ? i : n - 1 - i), 0x01000193);
  }
  return h >>> 0;
}
