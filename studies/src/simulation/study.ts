import { availableParallelism } from "node:os";
import { executorInUse, type TaskKind } from "@ratewise/core/parallel";
import { runOptions, type Study, type StudyContext } from "../study/study.ts";
import { openSweep } from "../sweep-executor.ts";
import { type CellRequest, type CellResult, simulationCell } from "./cell.ts";
import { cellIdentity, cellRequests } from "./cell-requests.ts";
import {
  type MethodsRequest,
  type MethodsResult,
  methodsCell,
  methodsIdentity,
} from "./methods-cell.ts";
import { type MethodsPlan, methodsRequests } from "./methods-requests.ts";
import { sizes } from "./published.ts";
import { simulationReport } from "./report.ts";
import { recordedRows, type SimulationRows } from "./simulation-rows.ts";

const LINKS = ["identity", "logistic"] as const;
const SEEDS = 25;
const QUICK_SEEDS = 2;
const MEMBERS = 5;

/** Tables 1 and 2, Figures 2 to 4. What a checkout has recorded is not computed again; a whole run from nothing takes hours. */
export const simulation: Study = {
  name: "simulation",
  title: "How well rankings find the causal variables of the paper's simulation",
  question:
    "How well do RATE in all its variants, gradients and mimics find the 30 causal of 100 variables, of which 20 also interact, as rows grow from 3,000 to 100,000, and what do they cost?",
  source: "section 5.1, Tables 1 and 2, Figures 2 to 4",
  needs: [],
  async run(context) {
    return simulationReport(
      context.quick ? await quickRows(context) : await allRows(context),
      context,
    );
  },
};

async function quickRows(context: StudyContext): Promise<SimulationRows> {
  const requests = methodsRequests({ ...planOf(context), rows: [sizes[0]], parts: ["rank"] }, []);
  return { cells: [], methods: await rankAll(requests, context), selection: [] };
}

/** Recorded rows, and what is missing beside them: networks and ensembles, rankings, searches, then what these chose. */
async function allRows(context: StudyContext): Promise<SimulationRows> {
  const { seed, permuted } = context;
  const recorded: SimulationRows = permuted
    ? { cells: [], methods: [], selection: [] }
    : recordedRows();
  const plan = planOf(context);
  const methods = [...recorded.methods];
  const missing = (): MethodsRequest[] => {
    const known = new Set(methods.map(methodsIdentity));
    return methodsRequests(plan, methods).filter((row) => !known.has(methodsIdentity(row)));
  };
  methods.push(...(await rankAll(missing(), context)));
  methods.push(...(await rankAll(missing(), context)));
  // A control has no ensembles: the cells of the sweep know no permuted responses.
  const ensembles = permuted ? [] : ensembleRequests(Math.max(1, seed), recorded.cells);
  const cells = await inLanes(ensembles, context, {
    name: ({ recipe, rows }) => `${recipe}, five networks, ${rows.toLocaleString("en")} rows`,
    kind: simulationCell,
  });
  return { ...recorded, methods, cells: [...recorded.cells, ...cells] };
}

function planOf({ seed, quick, permuted }: StudyContext): MethodsPlan {
  return {
    parts: ["rank", "times", "search", "searched"],
    recipes: ["paper", "standard"],
    links: LINKS,
    rows: sizes,
    seeds: quick ? QUICK_SEEDS : SEEDS,
    // 0 is the data set of a cell's search.
    first: Math.max(1, seed),
    permuted,
  };
}

function rankAll(
  requests: readonly MethodsRequest[],
  context: StudyContext,
): Promise<MethodsResult[]> {
  return inLanes(requests, context, {
    name: ({ study, recipe, rows }) =>
      `${study === "rank" ? `rank, ${recipe}` : study}, ${rows.toLocaleString("en")} rows`,
    kind: methodsCell,
  });
}

interface Lane<Request, Result> {
  readonly name: (request: Request) => string;
  readonly kind: TaskKind<Request, Result>;
}

/** Cells given out at once, on a cluster: each is a stage, and a stage a call. */
const LANES_ELSEWHERE = 256;

/** One stage a request, each kept when it is done; the whole study one on every core, the quick one here, one after another; all of them on a cluster with `--on`. */
async function inLanes<Request, Result>(
  requests: readonly Request[],
  context: StudyContext,
  { name, kind }: Lane<Request, Result>,
): Promise<Result[]> {
  const { stage, quick } = context;
  const here = { id: "", ...runOptions(context) };
  const elsewhere = executorInUse() !== undefined && requests.length > 0;
  const lanes = elsewhere
    ? Math.min(requests.length, LANES_ELSEWHERE)
    : quick || requests.length === 0
      ? 1
      : availableParallelism();
  const pool =
    elsewhere || lanes > 1
      ? await openSweep({ on: "local", store: undefined, workers: lanes })
      : null;
  const results: Result[] = [];
  const queue = requests.entries();
  try {
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const [at, request] of queue)
          results[at] = await stage(name(request), async () =>
            pool ? (await pool.run([kind.task(request)]))[0] : kind.run(request, here),
          );
      }),
    );
  } finally {
    await pool?.close();
  }
  return results;
}

function ensembleRequests(first: number, done: readonly CellResult[]): CellRequest[] {
  const known = new Set(done.map(cellIdentity));
  return cellRequests({
    ...{ recipes: ["paper", "standard"], rows: sizes, links: LINKS, seeds: SEEDS, first },
    ...{ correlations: [{ kind: "independent" }], members: MEMBERS },
  }).filter((request) => !known.has(cellIdentity(request)));
}
