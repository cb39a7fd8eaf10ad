import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Settings } from "../settings.ts";
import type { State } from "../state.ts";

/** How the network is trained and what is asked of the ranking. */
export function RunOptions({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings } = state;
  const choose = (changes: Partial<Settings>): void => void actions.choose(changes);
  return (
    <details>
      <summary>How to train, and how sure to be</summary>
      <div class="options">
        <Choice
          label="Which variables may be called findings"
          value={settings.select}
          onChange={(select) => choose({ select })}
          options={[
            ["", "do not ask"],
            ["knockoffs", "select by knockoffs (trains again)"],
            ["permutation", "select by permutation tests"],
          ]}
        />
        {settings.select !== "" && (
          <Field
            label="False ones among them, on average at most"
            value={settings.fdr}
            onChange={(fdr) => choose({ fdr })}
          />
        )}
        <label>
          <input
            type="checkbox"
            id="stability"
            checked={settings.stability}
            onChange={(event) => choose({ stability: event.currentTarget.checked })}
          />{" "}
          Say how sure the ranks are
        </label>
        <Choice
          label="Kind of target"
          value={settings.task}
          onChange={(task) => choose({ task })}
          options={[
            ["", "by its values"],
            ["regression", "numbers"],
            ["classification", "classes"],
          ]}
        />
        <Choice
          label="Rows with missing values"
          value={settings.missing}
          onChange={(missing) => choose({ missing })}
          options={[
            ["", "as the command does"],
            ["drop", "leave out"],
            ["mean", "fill with the mean"],
            ["error", "refuse"],
          ]}
        />
        <Choice
          label="Recipe"
          value={settings.recipe}
          onChange={(recipe) => choose({ recipe })}
          options={[
            ["standard", "standard: shrinks what does not help"],
            ["paper", "as published"],
          ]}
        />
        <Field
          label="Units of the hidden layers"
          value={settings.hidden}
          placeholder="32,16"
          onChange={(hidden) => choose({ hidden })}
        />
        <Field
          label="Networks to average"
          value={settings.ensemble}
          onChange={(ensemble) => choose({ ensemble })}
        />
        <Field
          label="Seed of the random numbers"
          value={settings.seed}
          onChange={(seed) => choose({ seed })}
        />
        <label>
          <input
            type="checkbox"
            checked={settings.decimalComma}
            onChange={(event) =>
              void actions.choose({ decimalComma: event.currentTarget.checked }, true)
            }
          />{" "}
          Decimals are written with a comma
        </label>
      </div>
    </details>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}): JSX.Element {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([name, words]) => (
          <option value={name} key={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Field({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}{" "}
      <input
        type="text"
        size={8}
        value={value}
        placeholder={placeholder}
        onInput={(event) => onChange(event.currentTarget.value.trim())}
      />
    </label>
  );
}
