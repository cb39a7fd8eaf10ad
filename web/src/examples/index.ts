import { drawnDigits } from "./drawn-digits.ts";
import type { Example, ExampleName } from "./example.ts";
import { simulatedGenotypes } from "./simulated-genotypes.ts";
import { simulatedTable } from "./simulated-table.ts";
import { trainedNetwork } from "./trained-network.ts";

const makers: Readonly<Record<ExampleName, () => Example>> = {
  table: simulatedTable,
  digits: drawnDigits,
  genotypes: simulatedGenotypes,
  network: trainedNetwork,
};

/** Files made here and now by code, always the same bytes: from there on an example is like any dropped file. */
export function makeExample(name: ExampleName): Example {
  return makers[name]();
}
