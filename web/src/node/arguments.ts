interface OptionKind {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
}

interface ParseOptions {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, OptionKind>>;
}

type Values = Record<string, string | boolean | string[]>;

/**
 * What the commands use of `node:util`: `--name=value`, `--name`, and the rest after `--`. Only the page itself writes such
 * lines, so that is all of them; a person's own command lines are Node's to read.
 */
export function parseArgs({ args, options }: ParseOptions): {
  positionals: string[];
  values: Values;
} {
  const positionals: string[] = [];
  const values: Values = {};
  const rest = args.indexOf("--");
  const words = rest < 0 ? args : args.slice(0, rest);
  for (const word of words) {
    const [, name, value] = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined) {
      positionals.push(word);
      continue;
    }
    const kind = options[name];
    if (!kind || (kind.type === "string") !== (value !== undefined))
      throw new Error(`Unknown option '--${name}'`);
    if (kind.multiple) values[name] = [...((values[name] as string[]) ?? []), value];
    else values[name] = kind.type === "boolean" ? true : value;
  }
  return {
    positionals: rest < 0 ? positionals : [...positionals, ...args.slice(rest + 1)],
    values,
  };
}
