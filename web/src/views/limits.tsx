import type { JSX } from "preact";

/** What this browser allows, plainly. */
export function Limits(): JSX.Element {
  const cores = navigator.hardwareConcurrency;
  const threads = crossOriginIsolated
    ? `All ${cores} cores are used.`
    : "One core is used for a single network: this page was opened without the headers that threads need.";
  return (
    <>
      <p>
        <strong>Nothing leaves this machine.</strong> Files are read and networks trained in this
        page; a policy that the browser enforces forbids it every other connection. After the first
        visit it opens without a network.
      </p>
      <p id="limits">
        {threads} A page may hold about 4 GB, so a table of at most some 250 million numbers; beyond
        that use the command.{" "}
        {!crossOriginIsolated && (
          <button type="button" class="text-button" onClick={() => location.reload()}>
            Reload to try for all cores
          </button>
        )}
      </p>
    </>
  );
}
