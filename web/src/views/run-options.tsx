import type { JSX } from "preact";
import { choicesIn, flag, type Option, optionsOf } from "ratewise/options";
import type { Actions } from "../actions.ts";
import { givenBy } from "../command-words.ts";
import { formOptions } from "../form-options.ts";
import type { State } from "../state.ts";

/** Options that change what is read from the file. */
const reading = new Set(optionsOf("inspect").map(({ name }) => name));

/** How the network is trained and what is asked of the ranking: a control for every option of the command. */
export function RunOptions({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings } = state;
  const { options, data, network } = settings;
  const given = givenBy(settings);
  const shown = formOptions(given, data).filter(({ name }) => network === "" || name !== "model");
  return (
    <details>
      <summary>{network === "" ? "How to train, and how sure to be" : "More choices"}</summary>
      <div class="options">
        {shown.map((option) => (
          <Control
            key={option.name}
            option={option}
            value={options[option.name] ?? ""}
            choices={choicesIn(option, given, data)}
            onChange={(value) => {
              const again = option.kind === flag && reading.has(option.name);
              void actions.choose({ options: { ...options, [option.name]: value } }, again);
            }}
          />
        ))}
      </div>
    </details>
  );
}

/** A box to tick, a list to choose from, or a field to write in. */
function Control({
  option,
  value,
  choices,
  onChange,
}: {
  option: Option;
  value: string | boolean;
  choices: ReturnType<typeof choicesIn>;
  onChange: (value: string | boolean) => void;
}): JSX.Element {
  const { name, kind, page } = option;
  if (kind === flag)
    return (
      <label>
        <input
          type="checkbox"
          id={name}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />{" "}
        {page}
      </label>
    );
  const usual = `${option.default ?? option.otherwise ?? ""}`;
  return (
    <label class="field" htmlFor={name}>
      {page}
      {choices ? (
        <select
          id={name}
          value={`${value}`}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {!choices.some(([choice]) => choice === usual) && (
            <option value="">default: {usual}</option>
          )}
          {choices.map(([choice, words]) => (
            <option value={choice === usual ? "" : choice} key={choice}>
              {words === "" ? choice : `${choice} (${words})`}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          id={name}
          value={`${value}`}
          placeholder={usual === "" ? (option.value ?? kind.value) : usual}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
