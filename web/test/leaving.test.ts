import { afterEach, expect, test, vi } from "vitest";
import { warnOnLeaving } from "../src/leaving.ts";
import { createStore } from "../src/state.ts";

afterEach(() => vi.unstubAllGlobals());

test("the browser asks before work or an unsaved result is lost, and otherwise not", () => {
  const listeners: ((event: Event) => void)[] = [];
  vi.stubGlobal("addEventListener", (type: string, listener: (event: Event) => void) => {
    if (type === "beforeunload") listeners.push(listener);
  });
  const store = createStore();
  warnOnLeaving(store);
  const asked = (): boolean => {
    const event = new Event("beforeunload", { cancelable: true });
    for (const listener of listeners) listener(event);
    return event.defaultPrevented;
  };
  expect(asked()).toBe(false);
  store.set({
    running: { title: "", phase: "", done: 0, total: 0, elapsed: 0, losses: [] },
  });
  expect(asked()).toBe(true);
  store.set({ running: null, unsaved: true });
  expect(asked()).toBe(true);
  store.set({ unsaved: false });
  expect(asked()).toBe(false);
});
