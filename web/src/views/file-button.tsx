import type { JSX } from "preact";

/** A button that opens the browser's own chooser of files. */
export function FileButton({
  label,
  onFiles,
  multiple = false,
  class: style = "button",
}: {
  label: string;
  onFiles: (files: readonly File[]) => void;
  multiple?: boolean;
  class?: string;
}): JSX.Element {
  return (
    <label class={style}>
      {label}
      <input
        type="file"
        multiple={multiple}
        class="hidden-input"
        onChange={(event) => {
          const input = event.currentTarget;
          const files = [...(input.files ?? [])];
          // So that the same file can be chosen again.
          input.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
