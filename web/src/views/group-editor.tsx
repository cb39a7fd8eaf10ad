import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import { type ColumnGroups, groupsByPrefix, withGroup, withoutGroup } from "../column-groups.ts";
import type { State } from "../state.ts";
import { Name, shownName } from "./name.tsx";

const GROUP_FILE = /\.(json|csv|tsv|gmt|bed)(\.gz)?$/i;

/** Sets of columns to rank besides: by the beginnings of names, by hand, or from a file. */
export function GroupEditor({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings, files, columns } = state;
  const { groups } = settings;
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const names = columns!.columns.flatMap((column) =>
    column.use === "predictor" ? [column.name] : [],
  );
  const own = groups.kind === "own" ? groups.groups : {};
  const choose = (next: ColumnGroups): void =>
    void actions.choose({
      groups: Object.keys(next).length > 0 ? { kind: "own", groups: next } : { kind: "none" },
    });
  const others = files.filter(
    (file) => GROUP_FILE.test(file.name) && ![settings.data, settings.pheno].includes(file.name),
  );
  const prefixes = groupsByPrefix(names);
  return (
    <details>
      <summary>Groups of columns ({summary(state)})</summary>
      <p>A group is ranked as a whole: a pathway, a gene, the answers to one questionnaire.</p>
      <p class="tools">
        <button
          type="button"
          class="plain"
          disabled={Object.keys(prefixes).length === 0}
          onClick={() => choose({ ...own, ...prefixes })}
        >
          By how their names begin
        </button>
        {groups.kind !== "none" && (
          <button
            type="button"
            class="plain"
            onClick={() => void actions.choose({ groups: { kind: "none" } })}
          >
            No groups
          </button>
        )}
      </p>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== "" && text !== "") choose(withGroup(own, name, text, names));
        }}
      >
        <label>
          Group{" "}
          <input type="text" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label>
          of columns{" "}
          <input
            type="text"
            placeholder="names, or parts of names"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="plain">
          Add
        </button>
      </form>
      {others.length > 0 && (
        <p class="tools">
          <label>
            From a file{" "}
            <select
              value={groups.kind === "file" ? groups.name : ""}
              onChange={(event) => {
                const file = event.currentTarget.value;
                void actions.choose({
                  groups: file === "" ? { kind: "none" } : { kind: "file", name: file, window: "" },
                });
              }}
            >
              <option value="">None</option>
              {others.map((file) => (
                <option key={file.name} value={file.name}>
                  {file.name}
                </option>
              ))}
            </select>
          </label>
          {groups.kind === "file" && /\.bed$/i.test(groups.name) && (
            <label>
              with base pairs around{" "}
              <input
                type="text"
                size={6}
                value={groups.window}
                placeholder="50k"
                onChange={(event) =>
                  void actions.choose({ groups: { ...groups, window: event.currentTarget.value } })
                }
              />
            </label>
          )}
        </p>
      )}
      <ul class="groups">
        {Object.entries(own)
          .slice(0, 100)
          .map(([group, members]) => (
            <li key={group}>
              <Name text={group} most={40} /> ({members.length}){" "}
              <button
                type="button"
                class="text-button"
                aria-label={`remove the group ${shownName(group)}`}
                onClick={() => choose(withoutGroup(own, group))}
              >
                remove
              </button>
            </li>
          ))}
      </ul>
    </details>
  );
}

function summary({ settings: { groups } }: State): string {
  if (groups.kind === "none") return "none";
  if (groups.kind === "file") return `from ${groups.name}`;
  const count = Object.keys(groups.groups).length;
  return count === 1 ? "1 group" : `${count} groups`;
}
