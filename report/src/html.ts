/** A piece of HTML that may stand in a page as it is. */
export interface Html {
  readonly html: string;
}

type Content = Html | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in an element or in a quoted attribute, whatever it holds. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]);
}

/** HTML from a template: what is put in is escaped unless it is HTML already; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Content[]): Html {
  return { html: strings.reduce((text, next, at) => text + textOf(parts[at - 1]) + next) };
}

/** Says that a text made here is HTML: a figure, the style sheet. */
export function trusted(text: string): Html {
  return { html: text };
}

function textOf(part: Content): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return `${part}`;
  if ("html" in part) return part.html;
  return part.map(textOf).join("");
}

/** Words with commas between them and "and" before the last. */
export function listed(parts: readonly Html[]): Html {
  if (parts.length < 2) return parts[0] ?? { html: "" };
  const all = parts.map(({ html: text }) => text);
  return { html: `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` };
}
