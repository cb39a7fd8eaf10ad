/** Longest wait for the service worker before the page goes on without it, ms. */
const PATIENCE = 3000;

/** Registers the service worker; resolves when it answers for the page, or when there is none to be had. */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const { serviceWorker } = navigator;
  try {
    await serviceWorker.register(new URL("./service-worker.js", document.baseURI), {
      type: "classic",
    });
    if (serviceWorker.controller) return;
    await Promise.race([
      new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve)),
      new Promise((resolve) => setTimeout(resolve, PATIENCE)),
    ]);
  } catch {
    // Private windows and plain http elsewhere have none: the page works, but only with a network.
  }
}
