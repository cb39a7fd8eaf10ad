import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { flag } from "../options/kinds.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { optionsOf } from "../options/table.ts";

const help = `usage: ratewise completion <bash|zsh|fish>

Prints a script that lets the shell complete commands, options and files.

options:
${optionsHelp("completion")}
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
    run: async (argv, io) => {
      const { positionals } = parseCommandLine("completion", argv);
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

function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const options = commands.map(({ name }) => {
    const words = optionsOf(name).map((option) => `--${option.name}`);
    return `      ${name}) words="${words.join(" ")}" ;;`;
  });
  const choices = commands.flatMap(({ name }) =>
    optionsOf(name).flatMap((option) =>
      option.kind.choices
        ? [
            `    "${name} --${option.name}") words="${Object.keys(option.kind.choices).join(" ")}" ;;`,
          ]
        : [],
    ),
  );
  return `_ratewise() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join("\n")}
  esac
  if [ -n "$words" ]; then :
  elif [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} help --help --version"
  elif [ "\${current#-}" != "$current" ]; then
    case "\${COMP_WORDS[1]}" in
${options.join("\n")}
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
  const lines = commands.flatMap(({ name, summary }) => [
    `complete -c ratewise -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...optionsOf(name).map(({ name: option, kind, help }) => {
      const choices = kind.choices
        ? ` -x -a ${quoted(Object.keys(kind.choices).join(" "))}`
        : kind === flag
          ? ""
          : " -r";
      return `complete -c ratewise -n '__fish_seen_subcommand_from ${name}' -l ${option}${choices} -d ${quoted(help)}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
