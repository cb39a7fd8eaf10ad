import {
  type CompareDocument,
  type ExplainDocument,
  upgradeComparison,
} from "@ratewise/core/explain";
import type { OptionText } from "@ratewise/core/words";
import { howHonest, howSure, shortAnswer } from "./answer.ts";
import { comparedSection, comparisonSections, methodRanks } from "./comparison.ts";
import { effectsSection } from "./effects.ts";
import { howGood } from "./good.ts";
import { type Html, html } from "./html.ts";
import { name, shown, words } from "./number.ts";
import { page } from "./page.ts";
import { qualitySection } from "./quality.ts";
import { rankingSection } from "./ranking.ts";
import { recordSection } from "./record.ts";
import {
  cautionsSection,
  classesSection,
  dataSection,
  groupsSection,
  modelSection,
  selectionSection,
} from "./sections.ts";

export interface ReportOptions {
  /** The result of `compare` on the same data, for its sections on other methods. */
  readonly compare?: CompareDocument;
}

/**
 * result.json of `ratewise explain` as one page of HTML for somebody who does not know the method. The page loads nothing
 * and can be mailed; it reads without its script, which only sorts, filters, saves and turns the theme.
 */
export function explainReport(document: ExplainDocument, options: ReportOptions = {}): string {
  const compare = options.compare && upgradeComparison(options.compare);
  return page(
    `What matters for ${shown(document.target)}`,
    html`<h1>What matters for ${name(document.target)}?</h1>
${answersOf(document)}`,
    [
      dataSection(document),
      qualitySection(document),
      rankingSection(document),
      effectsSection(document),
      groupsSection(document),
      selectionSection(document),
      classesSection(document),
      ...(compare ? [comparisonSections(compare, "compare.")] : []),
      cautionsSection(document, ofEveryRun),
      modelSection(document),
      recordSection(document),
    ],
    compare ? { ...document, compare } : document,
  );
}

/**
 * The box at the top of the report by itself: a list of questions with their answers, as HTML. It speaks of the command's
 * options, or of options as `optionText` does.
 */
export function explainAnswers(document: ExplainDocument, optionText?: OptionText): string {
  return answersOf(document, optionText).html;
}

function answersOf(document: ExplainDocument, optionText?: OptionText): Html {
  const good = html`${howGood(document)} ${howHonest(document)}`;
  return shortAnswer(document, howSure(document, optionText), good);
}

/** True of every network that was trained here. */
const ofEveryRun = [
  html`The shares describe this model, not the world. They do not say what causes what.`,
  html`Shares add up to one hundred percent even if nothing matters. If the model predicts poorly, a large share means little. Look at the model's score first.`,
  html`Variables that say nearly the same share their importance. Which of them gets more can change with the seed; several networks (<code>--ensemble</code>) make this more stable.`,
  html`A variable that is not in the table cannot be found, and others can stand in for it.`,
];

/** result.json of `ratewise compare` as a page of its own. */
export function compareReport(written: CompareDocument): string {
  const document = upgradeComparison(written);
  return page(
    `Methods compared for ${shown(document.target)}`,
    html`<h1>Methods compared for ${name(document.target)}</h1>
<p>One model, several ways to say which of its variables matter.</p>`,
    [
      comparedSection(document),
      comparisonSections(document),
      methodRanks(document),
      html`<section aria-labelledby="cautions"><h2 id="cautions">What to keep in mind</h2><ul class="cautions">
${document.diagnostics.map(({ message }, at) => html`<li>${words(`diagnostics.${at}.message`, message)}</li>`)}
<li>Methods that agree can all be wrong. The shuffle test says which ranking this model confirms.</li></ul></section>`,
      recordSection(
        document,
        document.methods.some(({ seconds }) => seconds !== null),
      ),
    ],
    document,
  );
}
