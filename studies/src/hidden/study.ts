import { fold, type Key, keyFromSeed, type RunOptions } from "@ratewise/core";
import { predict } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import { traitResiduals } from "../mice/covariates.ts";
import { type Gene, genesOf, readGeneIntervals, readGeneSets } from "../mice/genes.ts";
import { genotypeRows, scalesOf } from "../mice/genotype-rows.ts";
import { correlation, splitMice, type TraitRows, traitRows } from "../mice/network.ts";
import { type Mice, readMice } from "../mice/read-mice.ts";
import { placeOf } from "../ranking.ts";
import { runOptions, type Study } from "../study/study.ts";
import { findingsOf, quickFindings } from "./findings.ts";
import { figuresOf, geneTable, setTable } from "./shown.ts";
import { type Split, type SplitResult, summarise } from "./summary.ts";
import { rateLevels, trainWired } from "./wired-network.ts";
import { namedUnits, type Wiring, wiringOf } from "./wiring.ts";

const TRAIT = "Biochem.HDL";

interface Sizes {
  readonly splits: number;
  readonly epochs: number;
}

const WHOLE: Sizes = { splits: 5, epochs: 40 };
const QUICK: Sizes = { splits: 1, epochs: 30 };

/** The outlook of section 7: importance of hidden units that have a meaning. */
export const hidden: Study = {
  name: "hidden",
  title: "Genes and gene sets as hidden units",
  question:
    "In a network whose hidden units are genes and sets of genes, what does RATE of those units say about HDL cholesterol in mice, and do the sets matter?",
  source: "section 7, the outlook on hidden layers",
  needs: ["mice"],
  async run(context) {
    const { seed, quick, permuted, data, stage } = context;
    const key = keyFromSeed(seed);
    const { splits: count, epochs } = quick ? QUICK : WHOLE;
    const run = runOptions(context);
    const mice = await stage("read", () => readMice(data));
    const genes = genesOf(mice.variants, await stage("genes", () => readGeneIntervals(data)));
    const sets = await readGeneSets(data);
    const wiring = wiringOf(genes, sets);
    const { values } = traitResiduals(mice, TRAIT, []);
    const rows = traitRows(values, permuted ? fold(key, "permuted") : null);
    const splits: Split[] = [];
    for (let s = 0; s < count; s++) {
      const own = fold(key, "split", s);
      const standIn = permutation(fold(own, "exchange"), genes.length);
      const learn = (wired: Wiring): Promise<SplitResult> =>
        learnSplit({ mice, genes, rows, wiring: wired }, epochs, own, run);
      const real = await stage("real sets", () => learn(wiring));
      const exchanged = await stage("exchanged sets", () => learn(wiringOf(genes, sets, standIn)));
      splits.push({ real, exchanged });
    }
    const levels = quick
      ? splits[0].real.levels
      : await stage("all mice", async () => {
          const X = genotypeRows(mice, rows.rows, scalesOf(mice, rows.rows));
          const options = { ...run, epochs, key: fold(key, "network") };
          const network = await trainWired(X, rows.y, wiring, genes.length, options);
          return rateLevels(network, X, rows.y, genes);
        });
    const { sets: ranked, rest, ofSets, ofRest } = namedUnits(wiring);
    const own = { ...levels, sets: ofSets(levels.sets) };
    const alone = ({ correlation: found, levels: of }: SplitResult): SplitResult => ({
      correlation: found,
      levels: { ...of, sets: ofSets(of.sets) },
    });
    const compared = splits.map(({ real, exchanged }) => ({
      real: alone(real),
      exchanged: alone(exchanged),
    }));
    const summary = summarise(ranked, genes, compared, own);
    const apart = rest && { genes: rest.members.length, share: ofRest(levels.sets) };
    const counts = { splits: count, genes: genes.length, sets: ranked.length };
    return {
      findings: quick ? quickFindings(summary) : findingsOf(summary, counts, apart),
      tables: [setTable(ranked, own, compared), geneTable(genes, levels)],
      figures: figuresOf(ranked, genes, own, quick ? "the first split" : "all mice"),
      numbers: {
        summary,
        correlations: splits.map(({ real, exchanged }) => [
          real.correlation,
          exchanged.correlation,
        ]),
        rest: apart,
        sets: ranked.map(({ name, members }, s) => ({
          ...{ name, genes: members.length, rate: own.sets[s] },
          places: compared.map(({ real }) => placeOf(real.levels.sets, s)),
          placesExchanged: compared.map(({ exchanged }) => placeOf(exchanged.levels.sets, s)),
        })),
        genes: genes.map(({ name, members, place }, g) => ({
          ...{ name, ...place, snps: members.length },
          ...{ rate: levels.genes[g], groupRate: levels.groups[g] },
        })),
      },
    };
  },
};

interface Wired {
  readonly mice: Mice;
  readonly genes: readonly Gene[];
  readonly rows: TraitRows;
  readonly wiring: Wiring;
}

/** A network of four fifths of the mice, and how it does on the last. */
async function learnSplit(
  { mice, genes, rows, wiring }: Wired,
  epochs: number,
  key: Key,
  run: RunOptions,
): Promise<SplitResult> {
  const { seen, unseen, target, measured, scales } = splitMice(mice, rows, key);
  const X = genotypeRows(mice, seen, scales);
  const options = { ...run, epochs, key: fold(key, "network") };
  const network = await trainWired(X, target, wiring, genes.length, options);
  const { mean } = predict(network, genotypeRows(mice, unseen, scales));
  const levels = rateLevels(network, X, target, genes);
  return { correlation: correlation(mean.data, measured), levels };
}
