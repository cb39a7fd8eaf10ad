import type { State, Store } from "./state.ts";

/** Whether something would be lost: work under way, or a result of which nothing was saved. */
export function losesWork({ running, unsaved }: Pick<State, "running" | "unsaved">): boolean {
  return running !== null || unsaved;
}

/** Has the browser ask before the page is left or loaded again while something would be lost. */
export function warnOnLeaving(store: Store): void {
  addEventListener("beforeunload", (event) => {
    if (losesWork(store.get())) event.preventDefault();
  });
}
