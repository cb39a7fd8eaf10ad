import type { ScaleComparison } from "../../network/compare-scales.ts";
import type { Tried } from "../../network/tried.ts";

/** What was tried before the model was chosen, in one line; null where nothing was compared. */
export function choiceText(
  tried: readonly Tried[],
  scales: ScaleComparison | null = null,
): string | null {
  if (tried.length < 2 && !scales) return null;
  const plain = tried.filter(({ log, expanded }) => !log && expanded === 0);
  const logged = tried.filter(({ log, expanded }) => log && expanded === 0);
  const wider = tried.filter(({ expanded }) => expanded > 0);
  const chosen = tried.findLast(({ taken }) => taken) ?? null;
  const listed = (some: readonly Tried[]): string => listOf(some, chosen);
  const parts = [
    ...(plain.length > 0 ? [listed(plain)] : []),
    ...(scales ? [ofScales(scales)] : []),
    // Errors of logarithms have another unit: worth a word only where they chose among models.
    ...(logged.some(({ taken }) => taken) ? [`on the log scale ${listed(logged)}`] : []),
    ...(wider.length > 0 ? [`${expandedOnes(wider[0].expanded)} ${listed(wider)}`] : []),
  ];
  return `Chosen by the error on rows held back from training: ${parts.join("; ")}.`;
}

function ofScales({ asIs, log, better }: ScaleComparison): string {
  const told = `the target's logarithm ${digits(log)} against ${digits(asIs)} in its own unit`;
  return better === "log" ? told : `${told} (not chosen)`;
}

function expandedOnes(columns: number): string {
  return columns === 1
    ? "with one rough column expanded"
    : `with ${columns} rough columns expanded`;
}

/** Blends follow every network: one that gained nothing is not worth a word. Nor are more than the best of models that lost to others. */
function listOf(tried: readonly Tried[], chosen: Tried | null): string {
  const told = tried.some(({ taken }) => taken)
    ? tried.filter(({ form, taken }) => taken || form !== "blend")
    : [tried.reduce((best, each) => (each.loss < best.loss ? each : best))];
  return told
    .map((each) => {
      const word = each === chosen ? " (chosen)" : each.taken ? "" : " (no clear gain)";
      return `${nameOf(each)} ${digits(each.loss)}${word}`;
    })
    .join(", ");
}

function digits(loss: number): string {
  return loss.toPrecision(3);
}

function nameOf({ form, layers }: Tried): string {
  if (form === "constant") return "the average";
  if (form === "linear") return "linear";
  const units = `${layers.join("-")} units`;
  if (form === "blend") return `${units} blended with linear`;
  return form === "beside" ? `${units} beside linear` : units;
}
