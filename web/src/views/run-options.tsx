import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Settings } from "../settings.ts";
import type { State } from "../state.ts";

/** How the network is trained and what is asked of the ranking. */
export function RunOptions({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings } = state;
  const choose = (changes: Partial<Settings>): void => void actions.choose(changes);
  const more = (
    <Field
      wide
      label="Other options, as the command has them"
      value={settings.more}
      placeholder={settings.network === "" ? "--top 5 --test-fraction 0.2" : "--noise-variance 0.5"}
      onChange={(text) => choose({ more: text })}
    />
  );
  if (settings.network !== "")
    return (
      <details>
        <summary>More choices</summary>
        <div class="options">{more}</div>
      </details>
    );
  const genotypes = state.columns!.format === "plink";
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
          label="Rows with missing values"
          value={settings.missing}
          onChange={(missing) => choose({ missing })}
          options={[
            ["", genotypes ? "fill with the mean (default)" : "leave out (default)"],
            genotypes ? ["drop", "leave out"] : ["mean", "fill with the mean"],
            ["error", "refuse"],
          ]}
        />
        <Field
          label="Columns to take out of the target first"
          value={settings.covariates}
          placeholder={genotypes ? "of the phenotypes: sex,age" : "age,site"}
          onChange={(covariates) => choose({ covariates })}
        />
        <Choice
          label="Model"
          value={settings.model}
          onChange={(model) => choose({ model })}
          options={[
            ["", "a neural network"],
            ["gp", "a Gaussian process (few rows)"],
          ]}
        />
        {settings.model === "gp" ? (
          <Choice
            label="Kernel"
            value={settings.kernel}
            onChange={(kernel) => choose({ kernel })}
            options={[
              ["", "smooth (rbf)"],
              ["matern52", "rougher (Matérn 5/2)"],
              ["linear", "linear"],
            ]}
          />
        ) : (
          <Choice
            label="Uncertainty of the output weights"
            value={settings.posterior}
            onChange={(posterior) => choose({ posterior })}
            options={[
              ["", "from training"],
              ["laplace", "fitted anew (Laplace)"],
              ["swag", "fitted anew (SWAG)"],
            ]}
          />
        )}
        <Choice
          label="Recipe"
          value={settings.recipe}
          onChange={(recipe) => choose({ recipe })}
          options={[
            ["standard", "shrinks what does not help"],
            ["paper", "as the paper has it"],
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
        {more}
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
    <label class="field">
      {label}
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
  wide = false,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
  wide?: boolean;
}): JSX.Element {
  return (
    <label class={wide ? "field whole" : "field"}>
      {label}
      <input
        type="text"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
