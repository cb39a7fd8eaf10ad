import { areaText, curveNamed, fallsBeside } from "../shuffle-curves.ts";
import { agreementOf, agreementText } from "./agreement.ts";
import type { Answer } from "./answer-question.ts";
import type { DigitQuestion } from "./question.ts";

/** What the answer is made of. */
export type Answered = Pick<Answer, "images" | "accuracy" | "rankings" | "curves" | "spearman">;

const MIMICS = ["RF mimic", "GBM mimic"] as const;

/** The answer to one question, in a few sentences that follow from its numbers. */
export function answerText(question: DigitQuestion, answer: Answered): string[] {
  const { curves, rankings, images, accuracy, spearman } = answer;
  const byArea = Object.keys(rankings).sort(
    (a, b) => curveNamed(curves, a).area - curveNamed(curves, b).area,
  );
  const [best] = byArea;
  const alike = byArea.filter(
    (name) => name !== "RATE" && fallsBeside(curves, "RATE", name) === "as fast as",
  );
  const place = 1 + byArea.indexOf("RATE");
  const title = `${question.title[0].toUpperCase()}${question.title.slice(1)}`;
  const named = (name: string): string => `${name} (${areaText(curves, name)})`;
  return [
    `**${title}.** The network is right on ${(100 * accuracy).toFixed(2)}% of ${images[1].toLocaleString("en")} test images.`,
    agreementText(agreementOf(Object.keys(rankings), spearman), byArea.length),
    `Which ranking would the network confirm? As the pixels that RATE ranks first are shuffled, its accuracy falls ${fallsBeside(curves, "RATE", "random")} for pixels at random (area under the curve ± its standard error over shuffles: ${areaText(curves, "RATE")}; ${areaText(curves, "random")}). RATE is number ${place} of ${byArea.length} by that${alike.length === 0 ? ", apart from every other by more than two standard errors" : `, but within two standard errors of ${alike.map(named).join(", ")}`}${best === "RATE" ? "" : `; the best is ${named(best)}`}.`,
    besidePaper(question, answer, place, byArea.length),
  ];
}

/** The paper's order of the methods, and what becomes of its claims for RATE. */
function besidePaper(
  { verdict, bestOfPaper }: DigitQuestion,
  { curves }: Answered,
  place: number,
  count: number,
): string {
  const [one, other] = MIMICS;
  const mimic = curveNamed(curves, one).area < curveNamed(curves, other).area ? one : other;
  const falls = fallsBeside(curves, "RATE", mimic);
  const matches = `RATE ${falls === "more slowly than" ? "does not match" : "matches"} the better mimic here, the ${mimic} (${areaText(curves, mimic)})`;
  const claimed = bestOfPaper.includes("RATE");
  const among = !claimed
    ? ""
    : place <= bestOfPaper.length
      ? " It is among the best here too."
      : ` That it is among the best is not confirmed: it is ${place === count ? "the last of all" : `number ${place}`} here.`;
  return `The paper has ${verdict}, and says of both questions that RATE “is able to at least match the best performing mimic models”: ${matches}.${among}`;
}
