import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import { Name } from "./name.tsx";

/** A variable's name, which opens its own page. */
export function VariableLink({
  name,
  actions,
  most = 60,
}: {
  name: string;
  actions: Actions;
  most?: number;
}): JSX.Element {
  return (
    <button type="button" class="text-button" onClick={() => actions.showVariable(name)}>
      <Name text={name} most={most} />
    </button>
  );
}
