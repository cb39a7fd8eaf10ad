// Groups: which genes matter, from variants that lie within 5,000 base pairs of them.
import { readFile } from "node:fs/promises";
import { explain, table } from "@ratewise/core";
import { groupsFromIntervals, parseBedIntervals, parseBim, parseFam } from "@ratewise/core/data";
import { readTable } from "@ratewise/files";

const text = (path) => readFile(path, "utf8");

const genotypes = await readTable("data/genotypes.bed");
const variants = parseBim(await text("data/genotypes.bim"));
const people = parseFam(await text("data/genotypes.fam"));
const trait = {
  kind: "number",
  name: "trait",
  values: Float64Array.from(people, (p) => p.phenotype),
};

const genes = parseBedIntervals(await text("data/genes.bed"));
const { groups } = groupsFromIntervals(genes, variants, 5000);

const answer = await explain(table([...genotypes.columns, trait]), {
  target: "trait",
  seed: 1,
  groups: () => groups,
});

const { variables } = answer.document;
console.log("gene     variants  direct  RATE  best variant");
for (const gene of answer.document.groups) {
  const { members } = groups.find(({ name }) => name === gene.name);
  const best = members.map((j) => variables[j]).sort((a, b) => a.direct.rank - b.direct.rank)[0];
  const scores = [gene.direct.rate, gene.rate]
    .map((share) => share.toFixed(2).padStart(6))
    .join(" ");
  console.log(gene.name.padEnd(8), `${gene.size}`.padStart(8), scores, ` ${best.name}`);
}
