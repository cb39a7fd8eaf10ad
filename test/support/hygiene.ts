/** A rule that reads one line of a file. */
interface LineRule {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  readonly pattern: RegExp;
}

const isCode = (path: string): boolean => /\.([cm]?[jt]sx?|css|html)$/.test(path);
const isTest = (path: string): boolean => /(^|\/)test\/|\.(test|spec)\./.test(path);

const lineRules: readonly LineRule[] = [
  {
    name: "a path of one machine",
    applies: (path) => path !== ".ci/run",
    pattern: /(^|[^\w./])\/(work|farm|root|home)\/|\.\.\/shared|[.]library/,
  },
  {
    name: "ambient randomness, a clock or printing in core",
    applies: (path) => path.startsWith("core/src/"),
    // An example in a doc comment prints; it does not run here.
    pattern:
      /^(?!\s*\* ).*(\bMath\.random\b|\bDate\.now\b|\bnew Date\(\)|\bconsole\.|\bprocess\.std(out|err)\b)/,
  },
  {
    name: "a function whose last bits are the engine's (core/src/elementary has our own)",
    applies: (path) => /^core\/src\/(?!elementary\/)/.test(path),
    pattern:
      /^(?!\s*(\/?\*|\/\/)).*\bMath(\b(?!\.)|\.(a?(cos|sin|tan)h?|atan2|cbrt|exp|expm1|hypot|log|log10|log1p|log2|pow)\b)/,
  },
  {
    name: "a power that is neither a square nor of 2 (core/src/elementary has pow)",
    applies: (path) => path.startsWith("core/src/"),
    pattern: /^(?!\s*\/?\*).*( \*\* -?\d*\.\d|(?<!\b2) \*\* (?!2\b))/,
  },
  {
    name: "a test that is skipped, alone, expected to fail or left out",
    applies: (path) => isCode(path) && isTest(path),
    pattern: /\.(skip|only|todo|fails)\b|\.(skipIf|runIf)\(|\bx(it|test|describe)\(|skip: *true/,
  },
  {
    name: "unfinished work",
    applies: (path) => isCode(path) && !isTest(path),
    pattern: /\b(TODO|FIXME|XXX|HACK)\b|[Nn]ot (yet )?implemented/,
  },
];

const emptyName = /(^|[/-])(utils?|helpers?|common|misc|types)(\.|\/index\.)/;

/** What the house rules find in `files` (path → text), as `path:line: rule`. */
export function findings(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const lines = text.split("\n");
    if (isCode(path) && lines.length > 501) found.push(`${path}: over 500 lines`);
    if (isCode(path) && emptyName.test(path)) found.push(`${path}: a name that says nothing`);
    for (const [index, line] of lines.entries())
      for (const { name, applies, pattern } of lineRules)
        if (applies(path) && pattern.test(line)) found.push(`${path}:${index + 1}: ${name}`);
  }
  return found;
}
