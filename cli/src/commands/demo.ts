import type { Command } from "../command.ts";
import {
  engineOption,
  everywhere,
  everywhereHelp,
  parseCommandLine,
  seedOption,
  usageError,
} from "../options.ts";
import { demonstrateGaussian } from "./demo-gaussian.ts";
import { demonstrateSimulation } from "./demo-simulation.ts";

const options = { ...everywhere, out: { type: "string" } } as const;

const help = `usage: ratewise demo [simulation|gaussian] [options]

Shows what ratewise does on data whose answer is known.

simulation (default): the paper's simulated regression. Trains a network on 10,000 rows of 100 variables,
ranks them, and marks the 30 that are causal. Takes some seconds.

gaussian: ranks a small Gaussian: three causes, a correlated stand-in for each, six bystanders.

options:
  --out <file>      with gaussian: write the posterior it ranks, x.json or x.npz, to try "ratewise rank" on
${everywhereHelp}
examples:
  ratewise demo
  ratewise demo --seed 7
  ratewise demo gaussian --out posterior.npz
`;

export const demo: Command = {
  name: "demo",
  summary: "show what it does on data whose answer is known",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("demo", argv, options);
    const [which = "simulation", ...more] = positionals;
    if (more.length > 0 || !["simulation", "gaussian"].includes(which))
      throw usageError("demo", `needs simulation or gaussian, got "${positionals.join(" ")}"`);
    const { out, json = false } = values;
    if (out !== undefined && which === "simulation")
      throw usageError("demo", "--out goes with gaussian only");
    if (out !== undefined && !/\.(json|npz)$/i.test(out))
      throw usageError("demo", `--out needs a name that ends in .json or .npz, got "${out}"`);
    const seed = seedOption("demo", values.seed);
    if (out !== undefined) await io.checkTarget(out);
    const engine = await engineOption("demo", values.engine);
    if (which === "simulation") return demonstrateSimulation({ seed, json }, io);
    return demonstrateGaussian({ seed, engine, json, out }, io);
  },
};
