import { pow } from "../elementary/index.ts";

/** SHA-256 of bytes that may arrive in pieces. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** 64 lower-case hexadecimal digits. Ends the hash: no update may follow. */
  hex(): string;
}

const BLOCK = 64;

/** First 32 bits of the fractional parts of ∛prime for the first 64 primes (FIPS 180-4, 4.2.2). */
const K: Uint32Array = fractions(64, (prime) => pow(prime, 1 / 3));
/** The same of √prime for the first 8 primes (FIPS 180-4, 5.3.3). */
const INITIAL: Uint32Array = fractions(8, Math.sqrt);

/**
 * SHA-256 (FIPS 180-4) in plain script, for browsers: their own `crypto.subtle` takes no pieces, must
 * be awaited, and is absent from pages not served over https.
 */
export function createScriptSha256(): Sha256 {
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  const pending = new Uint8Array(BLOCK);
  let filled = 0;
  let length = 0;

  const update = (bytes: Uint8Array): void => {
    length += bytes.length;
    let from = 0;
    while (from < bytes.length) {
      if (filled === 0 && bytes.length - from >= BLOCK) {
        compress(state, schedule, bytes, from);
        from += BLOCK;
        continue;
      }
      const take = Math.min(BLOCK - filled, bytes.length - from);
      pending.set(bytes.subarray(from, from + take), filled);
      filled += take;
      from += take;
      if (filled < BLOCK) return;
      compress(state, schedule, pending, 0);
      filled = 0;
    }
  };

  const hex = (): string => {
    const bits = length * 8;
    const padding = new Uint8Array((filled < 56 ? 64 : 128) - filled);
    padding[0] = 0x80;
    const tail = new DataView(padding.buffer, padding.length - 8);
    tail.setUint32(0, Math.floor(bits / 2 ** 32));
    tail.setUint32(4, bits >>> 0);
    update(padding);
    return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
  };

  return { update, hex };
}

function compress(state: Uint32Array, w: Uint32Array, bytes: Uint8Array, from: number): void {
  for (let t = 0; t < 16; t++, from += 4) {
    w[t] = (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15];
    const y = w[t - 2];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let a = state[0] | 0;
  let b = state[1] | 0;
  let c = state[2] | 0;
  let d = state[3] | 0;
  let e = state[4] | 0;
  let f = state[5] | 0;
  let g = state[6] | 0;
  let h = state[7] | 0;
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  for (let found = 0, n = 2; found < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) words[found++] = (root(n) % 1) * 2 ** 32;
  }
  return words;
}
