import { methodTable, type RunRecord } from "@ratewise/core/explain";
import { type Html, html } from "./html.ts";
import { number, whole, words } from "./number.ts";

const CITATION = `@article{ishhorowicz2020rate,
  title   = {Interpreting Deep Neural Networks Through Variable Importance},
  author  = {Ish-Horowicz, Jonathan and Udwin, Dana and Flaxman, Seth and Filippi, Sarah and Crawford, Lorin},
  journal = {arXiv:1901.09839},
  year    = {2020}
}`;

/**
 * Enough to make the result again, and to cite it.
 *
 * @param timed whether the result holds times, which differ from run to run
 */
export function recordSection(
  document: RunRecord & { readonly version: string },
  timed = false,
): Html {
  const { options, seed, engine, version, dataHash } = document;
  const { command, ...others } = options;
  return html`<section aria-labelledby="again">
<h2 id="again">To do it again</h2>
${typeof command === "string" ? html`<pre data-from="options.command">${whole(command)}</pre>` : html`<p>A program made this result, not a command.</p>`}
<dl class="record">
<dt>seed</dt><dd>${number("seed", seed, "count")}</dd>
<dt>engine</dt><dd>${words("engine", engine)}</dd>
<dt>ratewise</dt><dd>${words("version", version)}</dd>
<dt>data</dt><dd>${words("dataHash", dataHash)}</dd>
</dl>
<p class="soft">The same data, seed and engine give the same ${timed ? "numbers (except for the seconds that methods took)" : "bytes"}, on any number of cores.</p>
<details><summary>All options</summary><pre data-options>${whole(JSON.stringify(others))}</pre></details>
<details><summary>The method, and how to cite it</summary>
<p>RATE is ${methodTable.rate.asks}, as a share of the whole; direct is ${methodTable.gradient.asks}, likewise. How they are computed: a Bayesian network has a distribution over its weights. So each variable has an effect (its covariance with the prediction) with a mean, a variance and covariances with the other effects. A variable's RATE says how far the other effects would move if its own effect were known to be zero. The direct share is computed in the same way, from the slopes of the prediction instead of covariances.</p>
<pre data-constant>${CITATION}</pre></details>
</section>`;
}
