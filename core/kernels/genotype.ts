import { DEPTH, gemm } from "./gemm";

/** SNPs decoded at a time: their block of DEPTH samples stays in the second-level cache. */
export const GENOTYPE_ROWS: i32 = 128;

/**
 * Products of a SNP-major PLINK .bed block with H, straight from its two bits a genotype:
 *
 *     out[s, :] ← Σ_i x_is h_i,   x = copies of the first allele: code 0 is 2, 2 is 1, 3 is 0, 1 is missing
 *
 * for `snps` SNPs of `samples` samples, `snpBytes` bytes apart; H samples×l, out snps×l. A missing
 * genotype counts as the SNP's mean; with `centred` the mean is taken off all, so missing is 0. A SNP
 * with nothing observed has mean 0. `stats` receives three doubles a SNP: sum and sum of squares of the
 * observed, number of missing. `panel` holds GENOTYPE_ROWS·DEPTH elements, 4·GENOTYPE_ROWS more and, in single precision, 16 bytes for
 * each of 256 bytes, filled by the caller: where in a table of four floats the bytes of its four genotypes lie.
 */
// Only the export calls it: as part of that it takes fewer bytes.
// @ts-ignore: decorator
@inline
export function genotypeProduct<T>(
  snps: i32,
  samples: i32,
  bed: usize,
  snpBytes: i32,
  centred: bool,
  l: i32,
  h: usize,
  hRow: i32,
  out: usize,
  outRow: i32,
  stats: usize,
  panel: usize,
  scratch: usize,
): void {
  const size = <i32>sizeof<T>();
  const tables = panel + <usize>(GENOTYPE_ROWS * DEPTH * size);
  const spread = tables + <usize>(GENOTYPE_ROWS * 4 * size);
  for (let s = 0; s < snps; s += GENOTYPE_ROWS) {
    const rows = min(GENOTYPE_ROWS, snps - s);
    const block = bed + <usize>s * <usize>snpBytes;
    for (let r = 0; r < rows; r++) {
      const values = stats + <usize>((s + r) * 24);
      count(samples, block + <usize>r * <usize>snpBytes, values);
      table<T>(samples, centred, values, tables + <usize>(r * 4 * size));
    }
    const to = out + <usize>(s * outRow * size);
    for (let q = 0; q < samples || q == 0; q += DEPTH) {
      const depth = min(DEPTH, samples - q);
      for (let r = 0; r < rows; r++) {
        const bytes = block + <usize>r * <usize>snpBytes + <usize>(q >> 2);
        const at = tables + <usize>(r * 4 * size);
        decode<T>(depth, bytes, at, spread, panel + <usize>(r * DEPTH * size));
      }
      const keep = q == 0 ? <T>0 : <T>1;
      const from = h + <usize>q * <usize>(hRow * size);
      gemm<T>(rows, l, depth, <T>1, panel, DEPTH, 1, from, hRow, 1, keep, to, outRow, scratch);
    }
  }
}

/** Sum, sum of squares and missing count of one SNP, from the numbers of each code. */
function count(samples: i32, bed: usize, stats: usize): void {
  let low = 0; // codes with the low bit set: 1 and 3
  let high = 0; // codes with the high bit set: 2 and 3
  let both = 0;
  const whole = samples >> 2;
  let at = 0;
  for (; at + 8 <= whole; at += 8) {
    const word = load<u64>(bed + <usize>at);
    const a = word & 0x5555555555555555;
    const b = (word >> 1) & 0x5555555555555555;
    low += <i32>popcnt(a);
    high += <i32>popcnt(b);
    both += <i32>popcnt(a & b);
  }
  for (let i = at << 2; i < samples; i++) {
    const code = (load<u8>(bed + <usize>(i >> 2)) >> (<u8>(i & 3) << 1)) & 3;
    low += code & 1;
    high += code >> 1;
    both += code == 3 ? 1 : 0;
  }
  const missing = low - both;
  const one = high - both;
  const two = samples - missing - one - both;
  store<f64>(stats, <f64>(one + 2 * two));
  store<f64>(stats, <f64>(one + 4 * two), 8);
  store<f64>(stats, <f64>missing, 16);
}

/** What each code stands for. */
function table<T>(samples: i32, centred: bool, stats: usize, out: usize): void {
  const observed = <f64>samples - load<f64>(stats, 16);
  const mean = observed > 0 ? load<f64>(stats) / observed : 0;
  const shift = centred ? mean : 0;
  store<T>(out, <T>(2 - shift));
  store<T>(out, <T>(mean - shift), sizeof<T>());
  store<T>(out, <T>(1 - shift), 2 * sizeof<T>());
  store<T>(out, <T>-shift, 3 * sizeof<T>());
}

/** Four genotypes a byte; in single precision by one swizzle of the table, whose order for every byte is in `spread`. */
function decode<T>(count: i32, bed: usize, values: usize, spread: usize, out: usize): void {
  const size = sizeof<T>();
  let i = 0;
  if (sizeof<T>() == 4) {
    const table = v128.load(values);
    for (; i + 4 <= count; i += 4) {
      v128.store(out, v128.swizzle(table, v128.load(spread + (<usize>load<u8>(bed++) << 4))));
      out += 16;
    }
  } else for (; i + 4 <= count; i += 4) {
    const byte = <usize>load<u8>(bed++);
    store<T>(out, load<T>(values + (byte & 3) * size));
    store<T>(out, load<T>(values + ((byte >> 2) & 3) * size), sizeof<T>());
    store<T>(out, load<T>(values + ((byte >> 4) & 3) * size), 2 * sizeof<T>());
    store<T>(out, load<T>(values + (byte >> 6) * size), 3 * sizeof<T>());
    out += 4 * size;
  }
  if (i < count) {
    let byte = <usize>load<u8>(bed);
    for (; i < count; i++) {
      store<T>(out, load<T>(values + (byte & 3) * size));
      byte >>= 2;
      out += size;
    }
  }
}
