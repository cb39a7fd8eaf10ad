import { diagnosticTable, type Severity } from "./diagnostic-table.ts";
import { mentioned, type OptionText, type Words, wordsText } from "./words/words.ts";

export { diagnosticTable, type Severity };

export type DiagnosticCode = keyof typeof diagnosticTable;

/** What comes beside the message of a code. */
export type DetailsOf<Code extends DiagnosticCode> = (typeof diagnosticTable)[Code]["details"];

interface Told<Code extends DiagnosticCode> {
  readonly code: Code;
  readonly severity: (typeof diagnosticTable)[Code]["severity"];
  /** For people. It speaks of options as a program does, in a result.json of the command as the command does. */
  readonly message: string;
  /** The message where it mentions options, for readers who have other names for them. */
  readonly words?: Words;
  /** The method of a comparison that it is about. */
  readonly method?: string;
}

/** A warning as data: the library never prints. Its code says what else it carries; {@link diagnosticTable} has them all. */
export type Diagnostic<Code extends DiagnosticCode = DiagnosticCode> = {
  readonly [C in Code]: Told<C> & DetailsOf<C>;
}[Code];

/** None for a code that carries nothing. */
type Carried<Details> = [keyof Details] extends [never]
  ? []
  : object extends Details
    ? [details?: Details]
    : [details: Details];

/** A warning in words; its severity is the table's. */
export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  words: Words,
  ...[details]: Carried<DetailsOf<Code>>
): Diagnostic<Code> {
  const told = {
    code,
    severity: diagnosticTable[code].severity,
    message: wordsText(words),
    ...details,
    ...(mentioned(words).length > 0 && { words }),
  };
  return told as unknown as Diagnostic<Code>;
}

/** The same warnings for a reader who knows the options as `optionText` says. */
export function spokenTo<Each extends Pick<Diagnostic, "message" | "words">>(
  diagnostics: readonly Each[],
  optionText: OptionText,
): Each[] {
  return diagnostics.map((each) =>
    each.words === undefined ? each : { ...each, message: wordsText(each.words, optionText) },
  );
}

/** By the code, because results of earlier versions do not say it; a code that this version does not know is a note. */
export function severityOf({ code }: { readonly code: string }): Severity {
  return entryOf(code)?.severity ?? "note";
}

/** Whether it is about RATE alone, which may be one score of many. */
export function isAboutRate({ code }: { readonly code: string }): boolean {
  return entryOf(code)?.about === "rate";
}

/** The first warning with this code. */
export function diagnosticOf<Code extends DiagnosticCode>(
  diagnostics: readonly Diagnostic[],
  code: Code,
): Diagnostic<Code> | undefined {
  return diagnostics.find((each) => each.code === code) as Diagnostic<Code> | undefined;
}

interface Entry {
  readonly severity: Severity;
  readonly about?: "rate";
  readonly details: object;
}

/** What every entry has to be. */
const entries: Readonly<Record<string, Entry>> = diagnosticTable;

function entryOf(code: string): Entry | undefined {
  return Object.hasOwn(entries, code) ? entries[code] : undefined;
}
