export { type ColumnCorrelation, correlatedNormals } from "./columns.ts";
export {
  causalLabels,
  type SimulatedRows,
  type SimulatedTruth,
  type SimulateOptions,
  type Simulation,
  simulate,
  simulateMoreRows,
} from "./simulate.ts";
