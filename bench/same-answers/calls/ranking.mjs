import { dense, drawnMatrix, gaussianEffects, problem } from "../drawn-problems.mjs";

const groups = [
  { name: "first", members: [0, 1, 2] },
  { name: "overlapping", members: [2, 5] },
];
const covarianceOf = ({ factor: { data, rows: p, cols: l } }) =>
  dense(
    p,
    p,
    Array.from({ length: p * p }, (_, e) => {
      const [i, j] = [Math.floor(e / p), e % p];
      let sum = i === j ? 0.5 : 0;
      for (let k = 0; k < l; k++) sum += data[i * l + k] * data[j * l + k];
      return sum;
    }),
  );

export const rankingCalls = {
  "rate of a low rank, every variant": ({ rate }) => {
    const effects = gaussianEffects(11, 9, 3);
    const variants = ["noise", "pseudo-inverse", "r-2020", "published"];
    return [
      ...variants.map((variant) => rate(effects, { variant, groups })),
      rate({ ...effects, noise: null }, { nugget: 0.02, groups }),
      rate(effects, { nullify: [1, 4], groups, divideByGroupSize: true }),
    ];
  },
  "rate of full rank": ({ rate, effectsFromCovariance }) => {
    const { mean, ...rest } = gaussianEffects(12, 6, 2);
    const effects = effectsFromCovariance(mean, covarianceOf(rest));
    return [rate(effects, { groups }), rate(effects, { variant: "published", nullify: [0] })];
  },
  "rate of classes and contrasts": ({ rateClasses }) => {
    const classes = ["a", "b", "c"].map((name, k) => ({
      name,
      effects: { ...gaussianEffects(13 + k, 7, 3), names: ["p", "q", "r", "s", "t", "u", "v"] },
    }));
    const contrasts = [
      ["a", "b"],
      ["c", "a"],
    ];
    return ["independent", "joint"].map((coupling) =>
      rateClasses(classes, { contrasts, coupling }),
    );
  },
  "effect sizes from a factor, a covariance and draws": (library) => {
    const { effectsFromFactor, effectsFromCovariance } = library;
    const { effectsFromDraws, effectsFromFunctionDraws, weightsFromDraws } = library;
    const effects = gaussianEffects(14, 6, 2);
    const { X } = problem(15, 12, 3);
    return {
      factor: effectsFromFactor(effects.mean, effects.factor, { noise: effects.noise }),
      covariance: effectsFromCovariance(effects.mean, covarianceOf(effects)),
      few: effectsFromDraws(drawnMatrix(16, 4, 6)),
      many: effectsFromDraws(drawnMatrix(17, 30, 6), { noise: effects.noise }),
      functions: effectsFromFunctionDraws(X, drawnMatrix(18, 10, 12), { noiseVariance: 0.3 }),
      weights: weightsFromDraws(drawnMatrix(19, 20, 3)),
    };
  },
  projections: ({ effectSizes, project, projectedEffects }) => {
    const weights = { mean: Float64Array.of(1, -0.5, 0.2), covariance: drawnCovariance(21) };
    const variances = { ...weights, covariance: Float64Array.of(0.1, 0.2, 0.05) };
    return [problem(22, 40, 5), problem(23, 10, 14)].flatMap(({ X, H }) =>
      ["covariance", "linear", { ridge: 0.4 }].map((projection) => ({
        full: effectSizes(X, H, weights, { projection, noiseVariance: 0.3 }),
        diagonal: projectedEffects(project(X, H, { projection }), variances, { noiseVariance: 1 }),
      })),
    );
  },
  "effects accumulated in blocks": (library) => {
    const { rowAccumulator, addRows, columnAccumulator, addColumns } = library;
    const { mergeAccumulators, finishAccumulator, accumulatedProjection } = library;
    const { X, H } = problem(24, 30, 6);
    const weights = { mean: Float64Array.of(1, -0.5, 0.2), covariance: drawnCovariance(25) };
    const rowsOf = ({ data, cols }, from, to) => ({
      data: data.slice(from * cols, to * cols),
      rows: to - from,
      cols,
    });
    const byRows = [
      [17, 30],
      [0, 17],
    ].map(([from, to]) => {
      const part = rowAccumulator({ columns: 6, width: 3, rows: 30 });
      addRows(part, from, rowsOf(X, from, to), rowsOf(H, from, to));
      return part;
    });
    const byColumns = columnAccumulator({ columns: 6, hidden: H });
    for (const first of [2, 0, 4]) {
      const pairs = Array.from({ length: 60 }, (_, e) => X.data[(e >> 1) * 6 + first + (e & 1)]);
      addColumns(byColumns, first, dense(30, 2, pairs));
    }
    const whole = mergeAccumulators(byRows);
    return {
      rows: finishAccumulator(whole, weights, { noiseVariance: 0.3 }),
      columns: finishAccumulator(byColumns, weights, { noiseVariance: 0.3 }),
      projection: accumulatedProjection(whole),
    };
  },
};

function drawnCovariance(seed) {
  const root = drawnMatrix(seed, 3, 3).data;
  return dense(
    3,
    3,
    Array.from({ length: 9 }, (_, e) => {
      const [i, j] = [3 * Math.floor(e / 3), 3 * (e % 3)];
      return root[i] * root[j] + root[i + 1] * root[j + 1] + root[i + 2] * root[j + 2];
    }),
  );
}
