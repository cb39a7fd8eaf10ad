// Makes the data of the examples: node examples/data/make.mjs
import { writeFileSync } from "node:fs";
import { fold, keyFromSeed, normals, uniforms } from "@ratewise/core";

const key = keyFromSeed(1);
const place = (name) => new URL(name, import.meta.url);
const write = (name, rows) => writeFileSync(place(name), `${rows.join("\n")}\n`);

/** Flats: rooms follow the area and do nothing themselves, age matters in large flats, the distance to the tram is noise. */
const flat = normals(fold(key, "flats"));
const flats = Array.from({ length: 600 }, () => {
  const area = 80 + 25 * flat();
  const [rooms, age, tram] = [area / 22 + 0.6 * flat(), 50 + 20 * flat(), 10 + 5 * flat()];
  const price = 3 * area - (area > 80 ? 2 * age : 0) + 15 * flat();
  return [area, rooms, age, tram, price].map((value) => value.toFixed(1)).join(",");
});
write("flats.csv", ["area,rooms,age,tram,price", ...flats]);

/** Pumps, for the network in pumps.onnx: the pressure and the heat decide. */
const pump = normals(fold(key, "pumps"));
const pumps = Array.from({ length: 200 }, () => {
  const [pressure, heat, age, size] = [pump(), pump(), pump(), pump()];
  const failed = 2 * pressure + heat + pump() > 0 ? "yes" : "no";
  return [...[pressure, heat, age, size].map((value) => value.toFixed(3)), failed].join(",");
});
write("pumps.csv", ["pressure,heat,age,size,failed", ...pumps]);

/** Genotypes of 300 people at 400 variants, 1,000 base pairs apart; three variants of the gene BRAVO raise the trait. */
const [people, variants] = [300, 400];
const copies = uniforms(fold(key, "genotypes"));
const noise = normals(fold(key, "trait"));
const bed = new Uint8Array(3 + (variants * people) / 4);
bed.set([0x6c, 0x1b, 1]);
const trait = Float64Array.from({ length: people }, noise);
for (let j = 0; j < variants; j++)
  for (let i = 0; i < people; i++) {
    const count = Number(copies() < 0.4) + Number(copies() < 0.4);
    bed[3 + (j * people) / 4 + (i >> 2)] |= [3, 2, 0][count] << (2 * (i & 3));
    if (j === 210 || j === 215 || j === 220) trait[i] += count;
  }
writeFileSync(place("genotypes.bed"), bed);
write(
  "genotypes.bim",
  Array.from({ length: variants }, (_, j) => `1 rs${j} 0 ${1000 * (j + 1)} A G`),
);
write(
  "genotypes.fam",
  Array.from(trait, (t, i) => `f${i} i${i} 0 0 1 ${t.toFixed(3)}`),
);
write(
  "genes.bed",
  ["1 49000 80000 ALPHA", "1 205000 225000 BRAVO", "1 300000 390000 CHARLIE"].map((line) =>
    line.replaceAll(" ", "\t"),
  ),
);
