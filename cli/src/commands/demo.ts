import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import {
  engineOption,
  linearAlgebraEngine,
  parseCommandLine,
  usageError,
} from "../options/options.ts";
import { demonstrateGaussian } from "./demo-gaussian.ts";
import { demonstrateSimulation } from "./demo-simulation.ts";

const help = `usage: ratewise demo [simulation|gaussian] [options]

Shows what ratewise does on data whose answer is known.

simulation (default): the paper's simulated regression. Trains a network on 10,000 rows of 100 variables,
ranks them, says how sure the ranking is, and marks the 30 that are causal. Takes a few seconds.

gaussian: ranks a small Gaussian: three causes, a correlated stand-in for each, six bystanders.

options:
${optionsHelp("demo")}
examples:
  ratewise demo
  ratewise demo --out demo-result
  ratewise demo --seed 7
  ratewise demo gaussian --out posterior.npz
`;

export const demo: Command = {
  name: "demo",
  summary: "try ratewise on data whose answer is known",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("demo", argv);
    const [which = "simulation", ...more] = positionals;
    if (more.length > 0 || !["simulation", "gaussian"].includes(which))
      throw usageError("demo", `needs simulation or gaussian, got "${positionals.join(" ")}"`);
    const { out, json, seed } = values;
    if (which === "simulation") {
      if (out !== undefined) await io.checkFolder(out, values.force);
      await engineOption("demo", values.engine);
      return demonstrateSimulation({ seed, json, out }, io);
    }
    if (out !== undefined && !/\.(json|npz)$/i.test(out))
      throw usageError("demo", `--out needs a name that ends in .json or .npz, got "${out}"`);
    if (out !== undefined) await io.checkTarget(out);
    const engine = await linearAlgebraEngine("demo", values.engine, io);
    return demonstrateGaussian({ seed, engine, json, out }, io);
  },
};
