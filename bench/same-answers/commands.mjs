/**
 * The commands, as [name, words]. Words are split at blanks; `in/` is the folder of the inputs, and
 * `OUT` a name in the case's own folder, where also another case's files can be read from.
 */
const explain = (file, words) => `explain in/${file} ${words}`;
const flats = (words) => explain("flats.csv", `--target price ${words}`);
const wide = (words) => explain("wide.csv", `--target y ${words}`);
const letters = (words) => explain("letters.csv", `--target letter ${words}`);
const wideKnockoffs = "--exclude litter --hidden 8 --select fdr=0.5";
const rank = (words) => `rank ${words}`;
const posterior = "--mean in/mean.npy --factor in/factor.npy --noise in/noise.npy";
const bed = "in/x.bed --pheno in/x.pheno.tsv --trait BMI";
const saliency = (file, model, words) => `saliency in/${file} --model ${model} ${words}`;
const trained = "explain-regression/OUT/model.ratewise";
const classed = "explain-three-classes/OUT/model.ratewise";
const network = (words) => saliency("X.npy", "in/net.onnx", words);

const explaining = [
  ["explain-regression", flats("--out OUT")],
  ["explain-json", flats("--json")],
  ["explain-csv", flats("--format csv")],
  ["explain-shap", flats("--format shap")],
  ["explain-three-classes", explain("kinds.csv", "--target kind --out OUT")],
  ["explain-two-classes", explain("sold.csv", "--target sold --out OUT")],
  ["explain-shap-classes", letters("--hidden 8 --format shap")],
  ["explain-ensemble", flats("--ensemble 3 --stability --top 3 --out OUT")],
  ["explain-paper", flats("--recipe paper --hidden 8 --seed 7 --out OUT")],
  ["explain-laplace", flats("--posterior laplace --json")],
  ["explain-laplace-classes", letters("--posterior laplace --json")],
  ["explain-swag", flats("--posterior swag --json")],
  ["explain-swag-classes", letters("--posterior swag --json")],
  ["explain-gp-rbf", flats("--model gp --subsample 100 --out OUT")],
  ["explain-gp-matern52", flats("--model gp --kernel matern52 --subsample 60 --json")],
  ["explain-gp-linear", flats("--model gp --kernel linear --subsample 60 --json")],
  ["explain-groups", flats("--groups in/groups.csv --out OUT")],
  ["explain-groups-json", flats("--groups in/groups.json --exclude family --json")],
  ["explain-groups-gmt", flats("--groups in/groups.gmt --categories family --json")],
  ["explain-knockoffs", wide(`${wideKnockoffs} --out OUT`)],
  ["explain-knockoffs-draws", wide(`${wideKnockoffs} --copies permuted --draws 3 --json`)],
  ["explain-knockoffs-groups", wide(`${wideKnockoffs} --groups in/wide-groups.csv --json`)],
  [
    "explain-knockoffs-genotypes",
    "explain in/whole.bed --hidden 8 --select fdr=0.5 --copies genotype --json",
  ],
  [
    "explain-permutation",
    wide("--exclude litter --select fdr=0.2 --by permutation --permutations 200 --out OUT"),
  ],
  [
    "explain-permutation-families",
    wide("--select fdr=0.2 --by permutation --permutations 99 --families litter --json"),
  ],
  [
    "explain-permutation-refit",
    letters("--hidden 8 --select fdr=0.5 --by permutation --refit --permutations 9 --json"),
  ],
  ["explain-compare", flats("--compare all --groups in/groups.csv --workers 1 --out OUT")],
  ["explain-missing-mean", explain("holes.csv", "--target price --missing mean --json")],
  ["explain-missing-drop", explain("holes.csv", "--target price --json")],
  ["explain-covariates", flats("--covariates family,tram --keep id --json")],
  ["explain-genotypes", `explain ${bed} --covariates sex,age --groups in/genes.bed --out OUT`],
  ["explain-npy", "explain in/X.npy --target in/y.npy --names in/names.txt --json"],
  ["explain-npz", "explain in/t.npz --target y --test-fraction 0.5 --json"],
  ["explain-libsvm", "explain in/t.libsvm --names in/names.txt --hidden 4 --json"],
  [
    "explain-idx",
    "explain in/images-idx3-ubyte --target in/labels-idx1-ubyte --task regression --out OUT",
  ],
  ["explain-gzip", explain("flats.csv.gz", "--target price --hidden 4 --json")],
  ["explain-decimal-comma", explain("comma.csv", "--target price --decimal-comma --json")],
  ["explain-onnx", "explain in/X.npy --model in/net.onnx --target in/y.npy --out OUT"],
  [
    "explain-onnx-classes",
    explain("letters.csv", "--model in/net3.onnx --target letter --around mode --json"),
  ],
  [
    "explain-onnx-without-target",
    "explain in/X.npy --model in/net.onnx --noise-variance 0.5 --prior-precision 2 --json",
  ],
];

const ranking = [
  ["rank-text", rank("in/posterior.json --groups in/effect-groups.json")],
  ["rank-noise", rank("in/posterior.npz --json")],
  ["rank-exact", rank("--mean in/mean.npy --covariance in/covariance.npy --json")],
  ["rank-nugget", rank("--mean in/mean.npy --factor in/factor.npy --nugget 0.01 --json")],
  ["rank-pseudo-inverse", rank(`${posterior} --variant pseudo-inverse --json`)],
  ["rank-r-2020", rank(`${posterior} --variant r-2020 --json`)],
  ["rank-published", rank(`${posterior} --variant published --json`)],
  ["rank-draws", rank("--draws in/draws.npy --json")],
  [
    "rank-groups",
    rank("in/posterior.json --groups in/effect-groups.json --divide-by-group-size --json"),
  ],
  ["rank-nullify", rank("in/posterior.json --nullify age,dose --out OUT/importance.csv")],
];

const others = [
  ["compare", "compare in/flats.csv --target price --workers 1 --out OUT"],
  [
    "compare-classes",
    "compare in/kinds.csv --target kind --groups in/groups.csv --hidden 8 --repeats 3 --workers 1 --json",
  ],
  [
    "compare-search",
    "compare in/letters.csv --target letter --methods rate,gbm,group-lasso --search 3x3 --workers 1 --out OUT",
  ],
  ["predict", `predict in/new.csv --model ${trained} --out OUT/predictions.csv`],
  ["predict-classes", `predict in/new.csv --model ${classed} --json`],
  ["predict-gp", "predict in/new.csv --model explain-gp-rbf/OUT/model.ratewise"],
  ["saliency-gradient", saliency("new.csv", trained, "--method gradient --out OUT/a.npy")],
  ["saliency-gradient-x-input", saliency("new.csv", trained, "--method gradient-x-input --json")],
  [
    "saliency-integrated",
    saliency("new.csv", trained, "--method integrated-gradients --baseline mean --out OUT/a.csv"),
  ],
  ["saliency-lrp", saliency("new.csv", trained, "--method lrp --epsilon 0.01 --out OUT/a.npy")],
  [
    "saliency-classes",
    saliency("new.csv", classed, "--method gradient --of probability --class dear --json"),
  ],
  ["saliency-onnx-gradient", network("--method gradient --out OUT/a.npy")],
  ["saliency-onnx-gradient-x-input", network("--method gradient-x-input --json")],
  ["saliency-onnx-integrated", network("--method integrated-gradients --steps 64 --out OUT/a.npy")],
  ["saliency-onnx-lrp", network("--method lrp --out OUT/a.npy")],
  [
    "stream-genotypes",
    `stream ${bed} --covariates sex --hidden 8,4 --epochs 6 --groups in/genes.bed --select fdr=0.2 --permutations 99 --out OUT`,
  ],
  [
    "stream-genotypes-rows",
    `stream ${bed} --activations in/H.npy --by rows --block 50 --precision single --json`,
  ],
  [
    "stream-npy",
    "stream in/X.npy --activations in/H.npy --target in/y.npy --names in/names.txt --out OUT",
  ],
  [
    "stream-images",
    "stream in/images.zarr --model in/images.onnx --target in/bright.npy --out OUT",
  ],
  ["power", "power in/wide.csv --target y --exclude litter --causal 4 --repeats 2 --json"],
  ["demo", "demo --out OUT"],
  ["demo-gaussian", "demo gaussian --json"],
  ["inspect", "inspect in/holes.csv --target price --groups in/groups.csv --json"],
  ["inspect-genotypes", `inspect ${bed} --groups in/genes.bed`],
  ["inspect-parquet", "inspect explain-regression/OUT/importance.parquet --json"],
  ["model", "model in/net3.onnx --json"],
];

/** A case reads the files of those it names: they are run before it. */
const needs = (words) => [...words.matchAll(/(\S+?)\/OUT\/\S+/g)].map(([, name]) => name);

export const commands = [...explaining, ...ranking, ...others].map(([name, words]) => ({
  name,
  words: words.split(" "),
  needs: needs(words),
}));
