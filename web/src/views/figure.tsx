import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { FigureName } from "../protocol.ts";
import { pngOf, saveBlob } from "../save-blob.ts";

/** A figure that the worker draws; saved in the colours of print. */
export function Figure({
  name,
  actions,
  children,
}: {
  name: FigureName;
  actions: Actions;
  children?: ComponentChildren;
}): JSX.Element {
  const [svg, setSvg] = useState("");
  const [error, setError] = useState("");
  useEffect(() => {
    let wanted = true;
    setSvg("");
    actions.figure(name).then(
      (drawn) => wanted && setSvg(drawn),
      (failure: Error) => wanted && setError(failure.message),
    );
    return () => {
      wanted = false;
    };
  }, [name, actions]);
  const save = async (ending: "svg" | "png"): Promise<void> => {
    const drawn = await actions.figure(name, "print");
    const blob =
      ending === "png" ? await pngOf(drawn) : new Blob([drawn], { type: "image/svg+xml" });
    saveBlob(blob, `${name}.${ending}`);
  };
  return (
    <figure data-name={name}>
      {error !== "" && <p class="caution">{error}</p>}
      {svg === "" && error === "" ? (
        <p class="soft drawing">Drawing</p>
      ) : (
        // Made by our own worker: names in it are escaped where it is drawn, and the page's policy runs no script from it.
        <div class="wide" dangerouslySetInnerHTML={{ __html: svg }} />
      )}
      {children && <figcaption>{children}</figcaption>}
      <div class="tools">
        <button type="button" class="plain" onClick={() => void save("svg")}>
          Save as SVG
        </button>
        <button type="button" class="plain" onClick={() => void save("png")}>
          Save as PNG
        </button>
      </div>
    </figure>
  );
}
