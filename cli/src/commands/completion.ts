import type { Command } from "../command.ts";
import { everywhere, everywhereHelp, parseCommandLine, usageError } from "../options/options.ts";

const help = `usage: ratewise completion <bash|zsh|fish>

Prints a script that lets the shell complete commands, options and files.

options:
${everywhereHelp}
examples:
  ratewise completion bash > ~/.local/share/bash-completion/completions/ratewise
  echo 'eval "$(ratewise completion zsh)"' >> ~/.zshrc
  ratewise completion fish > ~/.config/fish/completions/ratewise.fish
`;

const scripts: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: (commands) =>
    `#compdef ratewise\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** The command for these commands and itself. */
export function completionOf(commands: readonly Command[]): Command {
  const completion: Command = {
    name: "completion",
    summary: "print a script that completes commands and options in your shell",
    help,
    options: { ...everywhere },
    run: async (argv, io) => {
      const { positionals } = parseCommandLine("completion", argv, { ...everywhere });
      const script = scripts[positionals[0]];
      if (positionals.length !== 1 || !script)
        throw usageError(
          "completion",
          `needs bash, zsh or fish, got ${positionals.join(" ") || "none"}`,
        );
      await io.out(script([...commands, completion]));
    },
  };
  return completion;
}

const optionNames = ({ options }: Command): string[] =>
  Object.keys(options).map((name) => `--${name}`);

function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map(
    (command) => `      ${command.name}) words="${optionNames(command).join(" ")}" ;;`,
  );
  return `_ratewise() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} help --help --version"
  elif [ "\${current#-}" != "$current" ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  else
    case "\${COMP_WORDS[1]}" in
      help) words="${names}" ;;
      completion) words="bash zsh fish" ;;
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _ratewise ratewise
`;
}

function fishScript(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = commands.flatMap((command) => [
    `complete -c ratewise -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    ...Object.entries(command.options).map(
      ([name, { type }]) =>
        `complete -c ratewise -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${type === "string" ? " -r" : ""}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
