import { render } from "preact";
import { createActions } from "./actions.ts";
import { warnOnLeaving } from "./leaving.ts";
import { interruptedRun } from "./remembered-run.ts";
import { registerServiceWorker } from "./service-worker-registration.ts";
import { createStore } from "./state.ts";
import { App } from "./views/app.tsx";

const store = createStore();
store.set({ interrupted: interruptedRun() });
warnOnLeaving(store);
const actions = createActions(store, registerServiceWorker());
// In a task of its own: reading the script and the browser's first layout of the page are long enough each.
setTimeout(() => {
  const place = document.getElementById("app")!;
  place.textContent = "";
  render(<App store={store} actions={actions} />, place);
});
