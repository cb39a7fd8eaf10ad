import type { CurveShape } from "@ratewise/core/explain";
import { type Html, html, listed } from "./html.ts";
import { name, number } from "./number.ts";
import { predictedBy } from "./predicted.ts";
import type { Ranked } from "./ranked.ts";

const MOST_NAMED = 5;
/** Named at all: the first variables until they make up this share, and none below the other. */
const ENOUGH = 0.9;
const LEAST = 0.01;

/** The leading variables by either importance, and how many it takes to make up most of the whole. */
export function whatMatters({ variables, target }: Ranked): Html {
  const used = leaders(variables.map(({ direct }) => direct?.rate ?? 0));
  const along = leaders(variables.map(({ rate }) => rate ?? 0));
  const asked = variables.some(({ direct }) => direct !== null);
  if (used.length === 0 && (asked || along.length === 0))
    return html`Nothing. The model found no variable worth using.`;
  const byDirect = used.map(
    (at) =>
      html`${name(variables[at].name)} (${number(`variables.${at}.direct.rate`, variables[at].direct!.rate, "percent")})`,
  );
  const byRate = along.map(
    (at) =>
      html`${name(variables[at].name)} (${number(`variables.${at}.rate`, variables[at].rate, "percent")})`,
  );
  const first =
    used.length > 0 &&
    html`To predict ${subject(target)}, the model mostly uses ${listed(byDirect)}. The brackets show each variable's share of everything it uses (<span class="direct">direct</span>). `;
  return html`${first}Its predictions move most closely with ${listed(byRate)} (<span class="rate">RATE</span>).`;
}

/** What the prediction does when one of the leading variables alone grows, in the order of their direct shares. */
export function whichWay(document: Ranked): Html {
  const { variables, shapes } = document;
  const used = leaders(variables.map(({ direct }) => direct?.rate ?? 0));
  const byShape = (wanted: CurveShape) =>
    used
      .map((at) => shapes.find((shape) => shape.name === variables[at].name))
      .filter((shape) => shape?.curves.length === 1 && shape.curves[0].shape === wanted)
      .map((shape) => name(shape!.name));
  const ways = (["rises", "falls"] as const)
    .map((shape) => ({ shape, names: byShape(shape) }))
    .filter(({ names }) => names.length > 0)
    .map(({ shape, names }) => html`${shape} with ${listed(names)}`);
  const dependent = byShape("depends on others");
  return html`${ways.length > 0 && html` When one of them alone grows, ${prediction(document)} ${listed(ways)}.`}${dependent.length > 0 && html` What ${listed(dependent)} ${dependent.length === 1 ? "does" : "do"} depends on other variables: ${prediction(document)} rises with ${dependent.length === 1 ? "it" : "them"} in some rows and falls in others.`}`;
}

/** What the model says of a row, in a sentence: of which number, or of which class. */
export function prediction(
  document: Pick<Ranked, "task" | "target" | "shapes" | "diagnostics">,
): Html {
  const { kind, of } = predictedBy(document);
  if (of === null) return html`the prediction`;
  return kind === "number" ? html`the predicted ${name(of)}` : html`the probability of ${name(of)}`;
}

/** What is predicted, in a sentence. */
export function subject(target: string | null): Html {
  return target === null ? html`its output` : name(target);
}

function leaders(shares: readonly number[]): number[] {
  const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]);
  const named: number[] = [];
  let sum = 0;
  for (const at of order) {
    if (shares[at] === 0) break;
    if (named.length >= 2 && (named.length === MOST_NAMED || sum > ENOUGH || shares[at] < LEAST))
      break;
    named.push(at);
    sum += shares[at];
  }
  return named;
}
