import type { Tried } from "../../network/choose.ts";

/** What was tried before the model was chosen, in one line; null where nothing was compared. */
export function choiceText(tried: readonly Tried[]): string | null {
  if (tried.length < 2) return null;
  // Blends follow every network; one that gained nothing is not worth a word.
  const told = tried.filter(({ form, taken }) => taken || form !== "blend");
  const named = told.map(
    (each) => `${nameOf(each)} ${each.loss.toPrecision(3)}${each.taken ? "" : " (no clear gain)"}`,
  );
  return `Chosen by the error on rows held back from training: ${named.join(", ")}.`;
}

function nameOf({ form, layers }: Tried): string {
  if (form === "constant") return "the average";
  if (form === "linear") return "linear";
  const units = `${layers.join("-")} units`;
  if (form === "blend") return `${units} blended with linear`;
  return form === "beside" ? `${units} beside linear` : units;
}
