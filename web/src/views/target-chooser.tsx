import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { shownName } from "./name.tsx";

/** Above this many columns a list is no longer pleasant; one types a name. */
const MOST_LISTED = 300;

/** The column to predict, the trait of genotypes, or what a network's outputs are compared with. */
export function TargetChooser({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings, columns } = state;
  if (columns!.format === "plink")
    return (
      <>
        {settings.pheno === "" ? (
          <p>
            The phenotype in the .fam file. For another one, add a file of phenotypes (FID, IID and
            columns).
          </p>
        ) : (
          <p>
            <label for="trait">Trait</label>{" "}
            <select
              id="trait"
              value={settings.trait}
              onChange={(event) => void actions.choose({ trait: event.currentTarget.value }, true)}
            >
              <option value="">the phenotype of the .fam file</option>
              {state.traits.map((name) => (
                <option value={name} key={name}>
                  {shownName(name, 60)}
                </option>
              ))}
            </select>{" "}
            <span class="soft">a column of {shownName(settings.pheno, 60)}</span>
          </p>
        )}
      </>
    );
  if (columns!.format === "libsvm") return <p>The label that stands first in every line.</p>;
  const names = columns!.columns.map(({ name }) => name);
  // The response of arrays is an array or a file of its own, and no column yet.
  const arrays = columns!.format === "npz" || columns!.format === "npy";
  const elsewhere = settings.target !== "" && !names.includes(settings.target);
  const choose = (target: string): void => {
    const exclude = settings.exclude.filter((name) => name !== target);
    void actions.choose({ target, exclude }, true);
  };
  return (
    <p>
      <label for="target">Target</label>{" "}
      {names.length <= MOST_LISTED && !arrays ? (
        <select
          id="target"
          value={settings.target}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{settings.network === "" ? "Choose a column" : "None"}</option>
          {elsewhere && <option value={settings.target}>{shownName(settings.target, 60)}</option>}
          {names.map((name) => (
            <option value={name} key={name}>
              {shownName(name, 60)}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          id="target"
          list="target-names"
          value={settings.target}
          placeholder={arrays ? "an array or a file, such as y" : "the column's name"}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <datalist id="target-names">
        {names.slice(0, MOST_LISTED).map((name) => (
          <option value={name} key={name} />
        ))}
      </datalist>
    </p>
  );
}
