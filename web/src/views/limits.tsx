import type { JSX } from "preact";

/** What this browser allows, plainly. */
export function Limits(): JSX.Element {
  const cores = navigator.hardwareConcurrency;
  const threads = crossOriginIsolated
    ? `All ${cores} cores are used.`
    : "A single network uses one core, because this page was opened without the headers that threads need.";
  return (
    <>
      <p>
        <strong>Nothing leaves this machine.</strong> This page reads the files and trains the
        networks itself. The browser enforces a policy that blocks every other connection. After the
        first visit it opens offline.
      </p>
      <p id="limits">
        {threads} A page may use about 4 GB, which is enough for a table of about 250 million
        numbers. For more, use the command.{" "}
        {!crossOriginIsolated && (
          <button type="button" class="text-button" onClick={() => location.reload()}>
            Reload to use all cores
          </button>
        )}
      </p>
    </>
  );
}
