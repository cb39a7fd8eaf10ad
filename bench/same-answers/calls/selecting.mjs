import { drawn } from "../drawn-numbers.mjs";
import { dense, drawnMatrix } from "../drawn-problems.mjs";

const [n, p] = [80, 12];
const X = drawnMatrix(41, n, p);
for (let e = 1; e < X.data.length; e++) if (e % p) X.data[e] += 0.5 * X.data[e - 1];
const y = Float64Array.from(
  { length: n },
  (_, i) => X.data[i * p] - X.data[i * p + 3] + X.data[i * p + 7] + 0.5 * X.data[i * p + 9],
);
const genotypes = dense(
  n,
  p,
  drawn(42)
    .normals(n * p)
    .map((z) => (z > 1 ? 2 : z > 0 ? 1 : 0)),
);
const pairs = Array.from({ length: p / 2 }, (_, g) => [2 * g, 2 * g + 1]);

/** |covariance| of every column with the response. */
const covariances = (A, response) => {
  const sums = new Float64Array(A.cols);
  for (let e = 0; e < A.data.length; e++)
    sums[e % A.cols] += A.data[e] * response[Math.floor(e / A.cols)];
  return sums.map(Math.abs);
};

export const selectingCalls = {
  knockoffs: (library) => {
    const { fitGaussianKnockoffs, drawGaussianKnockoffs, fitGenotypeKnockoffs } = library;
    const { drawGenotypeKnockoffs, drawPermutedKnockoffs, keyFromSeed } = library;
    const key = keyFromSeed(43);
    const settings = [
      { method: "equicorrelated" },
      { method: "minimum-variance" },
      { groups: pairs },
      { structure: "low-rank", rank: 4 },
    ];
    const gaussian = settings.map((setting) => {
      const law = fitGaussianKnockoffs(X, setting);
      return { law, copies: drawGaussianKnockoffs(law, X, key) };
    });
    const chain = fitGenotypeKnockoffs(genotypes, { chainStarts: [0, 6] });
    const copies = drawGenotypeKnockoffs(chain, genotypes, key);
    return { gaussian, chain, copies, permuted: drawPermutedKnockoffs(X, key, pairs) };
  },
  "selection by knockoffs": async (library) => {
    const { selectByKnockoffs, columnScore, knockoffFilter, combineDraws, keyFromSeed } = library;
    const options = { key: keyFromSeed(44), score: columnScore(covariances), fdr: 0.4 };
    const draws = [45, 46, 47].map((seed) =>
      drawn(seed)
        .normals(20)
        .map((z) => z + 0.8),
    );
    return {
      columns: await selectByKnockoffs(X, y, options),
      draws: await selectByKnockoffs(X, y, { ...options, draws: 3, groups: pairs }),
      genotypes: await selectByKnockoffs(genotypes, y, {
        ...options,
        copies: { kind: "genotype" },
      }),
      filter: draws.map((W) => knockoffFilter(W, 0.3)),
      combined: ["e-values", "frequency"].map((how) => combineDraws(draws, 0.3, how)),
    };
  },
  "selection by permutation": async (library) => {
    const { selectByPermutation, columnScore, adjustPValues, keyFromSeed, discoveries } = library;
    const options = { key: keyFromSeed(48), score: columnScore(covariances), permutations: 60 };
    const strata = Array.from({ length: n }, (_, i) => i % 4);
    const p = [0.01, 0.2, 0.03, 0.03, 0.5, 0.004];
    return {
      columns: await selectByPermutation(X, y, { ...options, stopWhenDecided: false }),
      groups: await selectByPermutation(X, y, { ...options, units: pairs, strata, fdr: 0.3 }),
      ties: await selectByPermutation(X, y, { ...options, randomiseTies: true }),
      adjusted: [adjustPValues(p), adjustPValues(p, "benjamini-yekutieli")],
      found: discoveries([1, 0, 1, 1], [1, 1, 0, 1]),
    };
  },
  "quadratic null": ({ selectByQuadraticNull, keyFromSeed }) => {
    const unit = Uint32Array.from({ length: 8 }, (_, r) => r >> 1);
    const score = {
      project: drawnMatrix(49, 3, n),
      weights: drawnMatrix(50, 8, 3),
      unit,
      units: 4,
    };
    return selectByQuadraticNull({ ...score, whole: [0, 1, 2, 3] }, [y, drawn(51).normals(n)], {
      key: keyFromSeed(52),
      permutations: 100,
    });
  },
  "stability of a ranking": async (library) => {
    const { bootstrapScores, columnScore, rankStability, compareImportance, keyFromSeed } = library;
    const score = columnScore(covariances);
    const options = { key: keyFromSeed(53), score, resamples: 20 };
    const draws = await bootstrapScores(X, y, options);
    const other = await bootstrapScores(genotypes, y, { ...options, key: keyFromSeed(54) });
    return {
      draws,
      other,
      stability: rankStability(draws, { top: 3 }),
      moved: compareImportance(draws, other, { level: 0.8, fdr: 0.3 }),
    };
  },
};
