import type { JSX } from "preact";

/** A field that narrows a table down to the names that contain what is typed. */
export function SearchBox({
  id,
  value,
  onInput,
}: {
  id: string;
  value: string;
  onInput: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      Search{" "}
      <input
        type="search"
        id={id}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** A button below a table that draws only its first rows; nothing when it has no more. */
export function ShowMore({
  shown,
  total,
  onMore,
}: {
  shown: number;
  total: number;
  onMore: () => void;
}): JSX.Element | null {
  if (total <= shown) return null;
  return (
    <p class="tools">
      <button type="button" class="plain" onClick={onMore}>
        Show more
      </button>
      <span class="soft">
        {shown.toLocaleString("en-US")} of {total.toLocaleString("en-US")} shown
      </span>
    </p>
  );
}
