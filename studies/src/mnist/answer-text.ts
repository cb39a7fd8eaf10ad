import {
  areaText,
  type ComparedArea,
  comparedAreas,
  fallsBeside,
  type Walked,
} from "../compared-areas.ts";
import { agreementOf, agreementText } from "./agreement.ts";
import type { Answer } from "./answer-question.ts";
import type { DigitQuestion } from "./question.ts";

/** What the answer is made of. */
export type Answered = Pick<Answer, "images" | "accuracy" | "rankings" | "curves" | "spearman">;

const MIMICS = ["RF mimic", "GBM mimic"] as const;

/** The answer to one question, in a few sentences that follow from its numbers. */
export function answerText(question: DigitQuestion, answer: Answered, walked: Walked): string[] {
  const { curves, rankings, images, accuracy, spearman } = answer;
  const areas = comparedAreas(curves, walked);
  const [rate, random] = ["RATE", "random"].map((name) => areas.get(name)!);
  const byArea = Object.keys(rankings)
    .map((name) => areas.get(name)!)
    .sort((a, b) => a.area - b.area);
  const [best] = byArea;
  const alike = byArea.filter(
    (other) => other !== rate && fallsBeside(rate, other) === "as fast as",
  );
  const place = 1 + byArea.indexOf(rate);
  const title = `${question.title[0].toUpperCase()}${question.title.slice(1)}`;
  return [
    `**${title}.** The network is right on ${(100 * accuracy).toFixed(2)}% of ${images[1].toLocaleString("en")} test images.`,
    agreementText(agreementOf(Object.keys(rankings), spearman), byArea.length),
    `Which ranking would the network confirm? As the pixels that RATE ranks first are shuffled, its accuracy falls ${fallsBeside(rate, random)} for pixels at random (area under the curve ± its standard error over shuffles, that of rankings pooled: ${areaText(rate)}; ${areaText(random)}). RATE is number ${place} of ${byArea.length} by that${alike.length === 0 ? ", told apart from every other" : `, but cannot be told apart from ${alike.map(named).join(", ")}`}${best === rate ? "" : `; the best is ${named(best)}`}.`,
    besidePaper(question, areas, place, byArea.length),
  ];
}

const named = (area: ComparedArea): string => `${area.name} (${areaText(area)})`;

/** The paper's order of the methods, and what becomes of its claims for RATE. */
function besidePaper(
  { verdict, bestOfPaper }: DigitQuestion,
  areas: ReadonlyMap<string, ComparedArea>,
  place: number,
  count: number,
): string {
  const [one, other] = MIMICS.map((name) => areas.get(name)!);
  const mimic = one.area < other.area ? one : other;
  const falls = fallsBeside(areas.get("RATE")!, mimic);
  const matches = `RATE ${falls === "more slowly than" ? "does not match" : "matches"} the better mimic here, the ${named(mimic)}`;
  const claimed = bestOfPaper.includes("RATE");
  const among = !claimed
    ? ""
    : place <= bestOfPaper.length
      ? " It is among the best here too."
      : ` That it is among the best is not confirmed: it is ${place === count ? "the last of all" : `number ${place}`} here.`;
  return `The paper has ${verdict}, and says of both questions that RATE “is able to at least match the best performing mimic models”: ${matches}.${among}`;
}
