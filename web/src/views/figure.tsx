import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { FigureName } from "../protocol.ts";
import { pngOf, saveBlob } from "../save-blob.ts";

/** Below this width, CSS pixels, figures are drawn for a phone. */
const PHONE = 640;

/** Saves a figure in the colours of print. */
export async function saveFigure(
  name: FigureName,
  ending: "svg" | "png",
  actions: Actions,
): Promise<void> {
  const drawn = await actions.figure(name, { colours: "print" });
  const blob = ending === "png" ? await pngOf(drawn) : new Blob([drawn], { type: "image/svg+xml" });
  saveBlob(blob, `${name}.${ending}`);
}

/** A figure that the worker draws. */
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
    // A phone turned on its side scrolls: drawing again at every change of width would not be worth it.
    const narrow = innerWidth < PHONE;
    actions.figure(name, { colours: "page", narrow }).then(
      (drawn) => wanted && setSvg(drawn),
      (failure: Error) => wanted && setError(failure.message),
    );
    return () => {
      wanted = false;
    };
  }, [name, actions]);
  const save = async (ending: "svg" | "png"): Promise<void> => {
    try {
      await saveFigure(name, ending, actions);
    } catch (failure) {
      setError((failure as Error).message);
    }
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
