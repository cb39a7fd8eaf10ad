export { type ColumnCorrelation, correlatedNormals, correlationKinds } from "./columns.ts";
export {
  causalLabels,
  type SimulatedRows,
  type SimulatedTruth,
  type SimulateOptions,
  type Simulation,
  simulate,
  simulatedLinks,
  simulateMoreRows,
} from "./simulate.ts";
