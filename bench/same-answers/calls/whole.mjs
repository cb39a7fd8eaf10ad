import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawnMatrix } from "../drawn-problems.mjs";

const text = (folder, name) => readFileSync(join(folder, name), "utf8");
const bytes = (folder, name) => Uint8Array.from(readFileSync(join(folder, name)));
const flats = ({ parseCsv }, folder) => parseCsv(text(folder, "flats.csv"), { where: "flats.csv" });

export const wholeCalls = {
  "explain a table": async (library, folder) => {
    const { explain, predictTable, attributeTableRows, rankAgain } = library;
    const { writeModel, readModel, readSaliencyModel } = library;
    const table = flats(library, folder);
    const groups = () => [{ name: "size", members: [0, 1] }];
    const options = { target: "price", hidden: [8, 4], seed: 3, workers: 1, groups };
    const { document, model, ranking } = await explain(table, options);
    const read = readModel(writeModel(model), "a model");
    const saliency = readSaliencyModel(writeModel(model), "a model");
    return {
      ...{ document, model, ranking },
      predicted: predictTable(read, table),
      columns: saliency.columns,
      attributed: await attributeTableRows(model, table, Uint32Array.of(0, 5, 9), { steps: 16 }),
      again: rankAgain(ranking, { variant: "published", nullify: ["age"] }),
    };
  },
  "compare methods": async (library, folder) => {
    const { document } = await library.compare(flats(library, folder), {
      target: "price",
      methods: ["rate", "permutation", "gbm", "linear"],
      hidden: [8],
      repeats: 2,
      workers: 1,
    });
    return document;
  },
  "power of a table": (library, folder) =>
    library.estimatePower(library.parseCsv(text(folder, "wide.csv"), { where: "wide.csv" }), {
      target: "y",
      task: "classification",
      causal: 3,
      repeats: 1,
      hidden: [8],
      workers: 1,
    }),
  "explain an ONNX network": async (library, folder) => {
    const { openNetwork, explainNetwork, networkSaliency } = library;
    const X = drawnMatrix(101, 30, 4);
    const answers = {};
    for (const name of ["net.onnx", "net3.onnx"]) {
      const network = await openNetwork(bytes(folder, name), { where: name });
      const numbers = name === "net.onnx" ? { noiseVariance: 0.4 } : {};
      answers[name] = {
        document: await explainNetwork(network, X, numbers),
        saliency: await networkSaliency(network, X, { method: "integrated-gradients", steps: 8 }),
      };
    }
    return answers;
  },
  "stream genotypes": async (library, folder) => {
    const { bedSource, bytesInMemory, streamFit, streamProjection, streamNull } = library;
    const { projectedEffectsInPlace, rate, scratchInMemory, keyFromSeed } = library;
    const file = bytesInMemory(bytes(folder, "x.bed"));
    const source = await bedSource(file, { where: "x.bed", samples: 120, snps: 40 });
    const y = drawnMatrix(102, 120, 1).data;
    const key = keyFromSeed(103);
    const trained = await streamFit(source, y, {
      plan: { blockSize: 15, blocks: 3 },
      hidden: [6, 3],
      epochs: 4,
      batchSize: 40,
      key,
      scratch: async (size) => scratchInMemory(size),
    });
    const weights = {
      mean: Float64Array.of(1, -1, 0.5),
      covariance: Float64Array.of(0.1, 0.2, 0.3),
    };
    const ranked = [];
    for (const plan of [
      { by: "columns", blockSize: 15, blocks: 3 },
      { by: "rows", blockSize: 50, blocks: 3 },
    ]) {
      const projected = await streamProjection(source, trained.hidden, { plan });
      const effects = projectedEffectsInPlace(projected, weights, { noiseVariance: 1 });
      const { variables } = rate(effects);
      const { sd, mutualInformation } = variables;
      const input = { ...effects, sd, mutualInformation, hidden: trained.hidden, weights };
      const groups = [{ members: [1, 2, 3] }];
      const tested = await streamNull(
        { ...input, responses: [y], groups },
        { key, permutations: 50 },
      );
      ranked.push({ effects, variables, tested });
    }
    return { trained, ranked };
  },
  "tables, groups and files": (library, folder) => {
    const { fitEncoding, encode, targetFromColumn, columnNamed, regressOut } = library;
    const { readNpy, parseBim, parseFam, readBed, genotypesOf, variantNames } = library;
    const { groupsFromGmt, groupsFromIntervals, parseBedIntervals, indexNames } = library;
    const { parseLibsvm, readIdx, splitRows, splitRowsByClass, keyFromSeed } = library;
    const table = flats(library, folder);
    const rows = Uint32Array.from({ length: 50 }, (_, i) => i);
    const encoding = fitEncoding(table, ["area", "quarter"], rows);
    const price = columnNamed(table, "price");
    const variants = parseBim(text(folder, "x.bim"), "x.bim");
    const genes = parseBedIntervals(text(folder, "genes.bed"), "genes.bed");
    const indexed = indexNames(["area", "rooms", "quarter", "age", "tram"]);
    return {
      encoded: [encoding, encode(encoding, table, rows)],
      target: [targetFromColumn(price), regressOut(price.values, [columnNamed(table, "quarter")])],
      array: readNpy(bytes(folder, "H.npy")),
      samples: parseFam(text(folder, "x.fam"), "x.fam"),
      genotypes: genotypesOf(readBed(bytes(folder, "x.bed"), 120, 40), 7),
      groups: [
        groupsFromGmt(text(folder, "groups.gmt"), indexed),
        groupsFromIntervals(genes, variants, 500),
      ],
      names: variantNames(variants),
      sparse: parseLibsvm(text(folder, "t.libsvm"), "t.libsvm"),
      images: readIdx(bytes(folder, "images-idx3-ubyte")),
      splits: [
        splitRows(keyFromSeed(1), 20, 0.3),
        splitRowsByClass(keyFromSeed(2), [0, 1, 2, 0, 1, 2, 0, 1, 2], 3, 0.4),
      ],
    };
  },
};
