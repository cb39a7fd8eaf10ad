import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** A .npy file of doubles, as NumPy writes it. */
export function npy(shape, data) {
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const described = `{'descr': '<f8', 'fortran_order': False, 'shape': (${dims}), }`;
  const header = `${described.padEnd(Math.ceil((described.length + 11) / 64) * 64 - 11)}\n`;
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 0, 0]);
  start.writeUInt16LE(header.length, 8);
  return Buffer.concat([start, Buffer.from(header, "latin1"), doubles(data)]);
}

export const doubles = (data) => Buffer.from(Float64Array.from(data).buffer);

/** A zip archive without compression, which is what an .npz file is. */
export function npz(entries) {
  const bodies = [];
  const directory = [];
  let at = 0;
  for (const [name, bytes] of entries) {
    const label = Buffer.from(`${name}.npy`);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(label.length, 22);
    const listed = Buffer.alloc(14);
    listed.writeUInt32LE(at, 10);
    bodies.push(Buffer.from("PK\x03\x04"), facts, label, bytes);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), facts, listed, label);
    at += 4 + facts.length + label.length + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, list, end]);
}

/** A gzip file of one stored block: at most 65,535 bytes, and the same in every version of zlib. */
export function gzip(text) {
  const body = Buffer.from(text);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 0, 0, 0, 0]);
  header.writeUInt16LE(body.length, 11);
  header.writeUInt16LE(body.length ^ 0xffff, 13);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(body), 0);
  end.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, end]);
}

/** An IDX file of bytes, as MNIST has them. */
export function idx(shape, data) {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header.set([0, 0, 8, shape.length]);
  for (const [d, size] of shape.entries()) header.writeUInt32BE(size, 4 + 4 * d);
  return Buffer.concat([header, Uint8Array.from(data)]);
}

/** A Zarr store of version 2 in one folder, without compression, in blocks of `rows` rows. */
export function writeZarr(folder, [n, ...rest], rows, data) {
  mkdirSync(folder, { recursive: true });
  const width = rest.reduce((product, size) => product * size, 1);
  const about = {
    zarr_format: 2,
    shape: [n, ...rest],
    chunks: [rows, ...rest],
    dtype: "<f8",
    compressor: null,
    fill_value: 0,
    order: "C",
    filters: null,
  };
  writeFileSync(join(folder, ".zarray"), JSON.stringify(about));
  for (let block = 0; block * rows < n; block++) {
    const part = new Float64Array(rows * width);
    part.set(data.subarray(block * rows * width, Math.min(n, (block + 1) * rows) * width));
    const place = [block, ...rest.map(() => 0)].join(".");
    writeFileSync(join(folder, place), doubles(part));
  }
}

/**
 * PLINK's .bed, .bim and .fam: `genotypes[j][i]` is 0, 1, 2 or NaN for variant j and sample i.
 * Half of the variants lie on chromosome 1, half on 2.
 */
export function writePlink(path, genotypes, phenotypes) {
  const samples = phenotypes.length;
  const stride = Math.ceil(samples / 4);
  const bed = new Uint8Array(3 + genotypes.length * stride);
  bed.set([0x6c, 0x1b, 1]);
  for (const [j, copies] of genotypes.entries())
    for (const [i, copy] of copies.entries())
      bed[3 + j * stride + (i >> 2)] |= (Number.isNaN(copy) ? 1 : [3, 2, 0][copy]) << (2 * (i & 3));
  writeFileSync(`${path}.bed`, bed);
  const half = genotypes.length / 2;
  const bim = genotypes.map(
    (_, j) => `${j < half ? 1 : 2}\trs${j}\t0\t${1000 * (1 + (j % half))}\tA\tG\n`,
  );
  writeFileSync(`${path}.bim`, bim.join(""));
  const fam = phenotypes.map((value, i) => `f${i % 10} i${i} 0 0 ${1 + (i % 2)} ${value}\n`);
  writeFileSync(`${path}.fam`, fam.join(""));
}
