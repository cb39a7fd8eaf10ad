import { safeJson } from "@ratewise/core/explain";
import type { Palette } from "@ratewise/plots";
import { type Html, html, trusted } from "./html.ts";
import { pageScript } from "./page-script.ts";
import { pageScriptHash } from "./page-script-hash.ts";
import { style } from "./style.ts";

/** Figures take the page's colours, so that one drawing serves light, dark and paper. */
export const pagePalette: Palette = {
  ink: "var(--ink)",
  faint: "var(--line)",
  background: "none",
  rate: "var(--rate)",
  direct: "var(--direct)",
  several: Array.from({ length: 10 }, (_, c) => `var(--several-${c})`),
};

/** Above this many letters the result is not carried in the page; result.json lies beside it. */
const MOST_EMBEDDED = 4_000_000;

/** The whole page. Nothing in it is loaded from elsewhere, and the policy forbids it. */
export function page(
  title: string,
  lead: Html,
  sections: readonly Html[],
  result: unknown,
): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${pageScriptHash}'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const json = embeddedJson(result);
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="ratewise">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header>
${lead}
<div class="tools" hidden><button class="plain" id="theme" type="button">Light or dark</button>${json && html`<button class="plain" data-save="json" type="button">Save result.json</button>`}</div>
</header>
<main>
${sections}
</main>
<footer><p>Made by ratewise. This page is one file. It needs no network, and you can send it to others as it is.</p></footer>
${json && html`<script type="application/json" id="result">${trusted(json)}</script>`}
<script>${trusted(pageScript)}</script>
</body>
</html>
`;
  return text;
}

/** JSON that cannot end the element it stands in: no "<" is left in it. */
function embeddedJson(result: unknown): string | null {
  const json = safeJson(result).replace(/</g, "\\u003c");
  return json.length > MOST_EMBEDDED ? null : json;
}

/** Drawings wider than this are scrolled on a phone: their letters would become too small. */
const PHONE = 360;
/** Width for a phone's drawing. */
export const phoneWidth = 330;

/** A figure with its words and with buttons to save it; `narrow` is the same drawn for a phone. */
export function figure(
  name: string,
  svg: string,
  caption: Html | null = null,
  narrow: string | null = null,
): Html {
  const wide = Number(/\bwidth="([\d.]+)"/.exec(svg)?.[1] ?? 0) > PHONE;
  const drawing = narrow
    ? html`<div class="on-wide">${trusted(svg)}</div><div class="on-narrow">${trusted(narrow)}</div>`
    : wide
      ? html`<div class="scrolled" tabindex="0" role="region" aria-label="Drawing of ${name}">${trusted(svg)}</div>`
      : trusted(svg);
  return html`<figure data-name="${name}">
${drawing}
${caption && html`<figcaption>${caption}</figcaption>`}
<div><button class="plain" data-save="svg" type="button" hidden>Save as SVG</button> <button class="plain" data-save="png" type="button" hidden>Save as PNG</button></div>
</figure>`;
}
