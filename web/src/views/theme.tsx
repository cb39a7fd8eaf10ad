import type { JSX } from "preact";

/** Turns light and dark; without it the page follows the system. */
export function ThemeButton(): JSX.Element {
  const turn = (): void => {
    const root = document.documentElement;
    const { theme } = root.dataset;
    const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  return (
    <button type="button" class="plain" id="theme" onClick={turn}>
      Light or dark
    </button>
  );
}
