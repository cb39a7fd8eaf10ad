import type { Progress } from "@ratewise/core";
import type { Variant } from "@ratewise/core/rate";
import { compareWords, explainWords, inspectWords, predictWords } from "./command-words.ts";
import { sortOut, traitsOf } from "./dropped-files.ts";
import { Engine, Refused } from "./engine.ts";
import type { ExampleName } from "./examples/example.ts";
import type { FigureName, FigureOptions } from "./protocol.ts";
import { forgetRun, rememberRun } from "./remembered-run.ts";
import { noSettings, OWN_GROUPS, type Settings } from "./settings.ts";
import { initialState, type LossPoint, type Running, type Store, type ViewName } from "./state.ts";

/** Points of the loss curve that are kept; when there are more, every other one goes. */
const MOST_POINTS = 400;

const SESSION = "result.ratewise-session";

/** Everything that a person can do. */
export interface Actions {
  open(given: readonly File[]): Promise<void>;
  example(name: ExampleName): Promise<void>;
  /** Reads files again that could not be read, with other choices. */
  readAgain(changes: Partial<Settings>): Promise<void>;
  /** Changes a choice; `again` reads the table anew, for what shapes it. */
  choose(changes: Partial<Settings>, again?: boolean): Promise<void>;
  run(): Promise<void>;
  /** Asks other methods; none are all of them, and `search` is how their settings are chosen. */
  compare(methods: readonly string[], search?: string): Promise<void>;
  /** Ends the work at once; the files stay, and so does a result that was there before. */
  cancel(): Promise<void>;
  rankAgain(nullified: readonly string[], variant: Variant | null): Promise<void>;
  figure(name: FigureName, options: FigureOptions): Promise<string>;
  file(name: string): Promise<Blob>;
  show(view: ViewName): void;
  showVariable(variable: string | null): void;
  back(): void;
  startOver(): void;
}

/** The actions over a store and a worker of their own. */
export function createActions(store: Store, ready: Promise<unknown>): Actions {
  const engine = new Engine(ready);
  const { get, set } = store;
  /** The result as it was before work that may be cancelled. */
  let kept: File | null = null;

  /** Runs `work` with the screen of running; what fails is shown on the screen it came from. */
  const during = async (title: string, work: (listen: Listen) => Promise<void>): Promise<void> => {
    const { screen } = get();
    const back = screen === "running" ? "start" : screen;
    const start: Running = { title, phase: "", done: 0, total: 0, elapsed: 0, losses: [] };
    set({ screen: "running", running: start, error: null, remedies: [], notes: [] });
    try {
      await work({
        onProgress: progressInto(store),
        onNote: (line) => set({ notes: [...get().notes, line] }),
      });
    } catch (error) {
      const { message } = error as Error;
      if (message === "stopped") return;
      set({
        screen: back,
        error: message,
        remedies: error instanceof Refused ? error.remedies : [],
      });
    } finally {
      if (get().screen !== "running") set({ running: null });
    }
  };

  /** The dropped files, and the groups made in the page as one more. */
  const handOver = (settings: Settings): Promise<null> => {
    const files = get().files.filter(({ name }) => name !== OWN_GROUPS);
    const { groups } = settings;
    const own =
      groups.kind === "own" ? [new File([JSON.stringify(groups.groups)], OWN_GROUPS)] : [];
    return engine.call("open", [...files, ...own]);
  };

  const inspect = (settings: Settings): Promise<void> =>
    during(`Reading ${settings.data}`, async (listen) => {
      set({ unread: settings });
      await handOver(settings);
      const columns = await engine.call("inspect", inspectWords(settings), listen);
      set({
        ...{ screen: "columns", columns, settings, unread: null },
        ...{ explained: null, ranked: null, unsaved: false },
      });
    });

  return {
    open: async (given) => {
      if (given.length === 0) return;
      const { screen, files: known } = get();
      const dropped = sortOut(given, screen === "columns" ? known : []);
      set({ interrupted: null });
      if (dropped.kind === "unclear") return set({ error: dropped.why, remedies: [] });
      if (dropped.kind === "result")
        return during(`Opening ${dropped.file.name}`, async () => {
          const explained = await engine.call("reopen", dropped.file);
          set({ ...initialState, screen: "results", explained });
        });
      if (dropped.kind === "predict")
        return during(`Predicting ${dropped.data}`, async (listen) => {
          await engine.call("open", given);
          const words = predictWords(dropped.data, dropped.model);
          const predictions = await engine.call("predict", words, listen);
          set({ screen: "predictions", predictions });
        });
      const { settings: found, files } = dropped;
      const phenotypes = files.find(({ name }) => name === found.pheno);
      const traits = phenotypes ? await traitsOf(phenotypes) : [];
      set({ files, traits });
      // More files to a table that is open already keep what was chosen for it.
      const before = get().settings;
      const settings =
        before.data === found.data
          ? { ...before, network: found.network, pheno: found.pheno }
          : found;
      const trait = traits.includes(settings.trait) ? settings.trait : (traits[0] ?? "");
      await inspect({ ...settings, trait });
    },

    readAgain: async (changes) => {
      const { unread } = get();
      if (unread) await inspect({ ...unread, ...changes });
    },

    example: (name) =>
      during("Making the example", async () => {
        set({ interrupted: null });
        const { files, settings } = await engine.call("example", name);
        set({ files, screen: "start" });
        await inspect({ ...noSettings, ...settings });
      }),

    choose: async (changes, again = false) => {
      const settings = { ...get().settings, ...changes };
      if (again) await inspect(settings);
      else set({ settings });
    },

    run: () => {
      const { settings } = get();
      kept = null;
      rememberRun(settings.data);
      return during(
        `Explaining ${settings.target || settings.trait || settings.data}`,
        async (listen) => {
          await handOver(settings);
          const explained = await engine.call("explain", explainWords(settings), listen);
          const view: ViewName = "overview";
          set({ screen: "results", explained, view, variable: null, ranked: null, unsaved: true });
        },
      ).finally(forgetRun);
    },

    compare: (methods, search) =>
      during("Asking the other methods", async (listen) => {
        const { settings } = get();
        kept = new File([await engine.call("file", SESSION)], SESSION);
        const explained = await engine.call(
          "compare",
          compareWords(settings, methods, search),
          listen,
        );
        set({ screen: "results", explained, view: "methods", unsaved: true });
      }),

    cancel: async () => {
      engine.stop();
      forgetRun();
      const { columns } = get();
      const notes = ["Cancelled. Nothing of the run was saved."];
      if (!kept) return set({ screen: columns ? "columns" : "start", running: null, notes });
      const explained = await engine.call("reopen", kept);
      set({ screen: "results", running: null, explained, notes });
    },

    rankAgain: async (nullified, variant) => {
      if (nullified.length === 0 && variant === null) return set({ ranked: null, error: null });
      try {
        const formula = variant === null ? {} : { variant };
        const rows = await engine.call("rankAgain", { nullify: nullified, ...formula });
        // What a formula changes is not to be mixed with what taking an effect for zero does.
        const mixed = variant !== null && nullified.length > 0;
        const before = mixed ? await engine.call("rankAgain", formula) : null;
        set({ ranked: { nullified, variant, rows, before }, error: null });
      } catch (error) {
        set({ error: (error as Error).message, remedies: [] });
      }
    },

    figure: (name, options) => engine.call("figure", { name, ...options }),
    file: async (name) => {
      const file = await engine.call("file", name);
      set({ unsaved: false });
      return file;
    },
    show: (view) => set({ view, variable: null, error: null }),
    showVariable: (variable) => set({ variable, error: null }),
    back: () => {
      const { columns } = get();
      set({ screen: columns ? "columns" : "start", error: null, notes: [] });
    },
    startOver: () => {
      engine.stop();
      set(initialState);
    },
  };
}

interface Listen {
  readonly onProgress: (event: Progress) => void;
  readonly onNote: (line: string) => void;
}

/** Keeps the clock and the loss curve of the phase that runs. */
function progressInto({ get, set }: Store): (event: Progress) => void {
  let began = performance.now();
  return ({ phase, done, total, loss, validationLoss, task }) => {
    const before = get().running;
    if (!before) return;
    const now = performance.now();
    // Selecting trains again, and so goes back to the beginning of the same phase.
    const again = phase === before.phase && done < before.done;
    if (again || phase !== before.phase) began = now;
    const point: LossPoint | null =
      loss === undefined || !Number.isFinite(loss)
        ? null
        : {
            network: task?.index ?? 0,
            share: task?.share ?? done / Math.max(total, 1),
            loss,
            validationLoss: validationLoss ?? null,
          };
    const losses = point ? [...(again ? [] : before.losses), point] : before.losses;
    const thinned = losses.length > MOST_POINTS ? losses.filter((_, at) => at % 2 === 0) : losses;
    set({ running: { ...before, phase, done, total, elapsed: now - began, losses: thinned } });
  };
}
