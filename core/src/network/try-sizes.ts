import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { layoutOf } from "./layout.ts";
import type { Search } from "./search.ts";
import { trainNetwork } from "./train-network.ts";
import { multiplyAdds } from "./work.ts";

/** Work of a training at the penalties near one that was best, beside one at all penalties. */
const NEAR_WORK = 0.4;

/**
 * The simplest first: the linear part alone; a network alone, and a blend of both; where the linear part has a share in the
 * best of these, a network that learns what it leaves.
 *
 * @param extra work that may follow beside that of larger networks, as a share of this
 * @returns whether the network was taken
 */
export function* trySmallest(
  search: Search,
  architectures: readonly Architecture[],
  extra = 0,
): Generator<Progress, boolean> {
  const { linear, linearAlone } = search.task;
  if (linear && linearAlone) search.considerLinear();
  return yield* trySize(search, architectures, 0, extra);
}

/** Larger networks of the form that won, until one does not gain convincingly. */
export function* tryLarger(
  search: Search,
  architectures: readonly Architecture[],
): Generator<Progress, void> {
  for (let at = 1; at < architectures.length; at++)
    if (!(yield* trySize(search, architectures, at))) return;
}

function* trySize(
  search: Search,
  architectures: readonly Architecture[],
  at: number,
  extra = 0,
): Generator<Progress, boolean> {
  const { task } = search;
  const { linear } = task;
  const works = architectures.map((each) => multiplyAdds(layoutOf(each)));
  const architecture = { ...architectures[at], inputs: task.X.cols };
  const near = NEAR_WORK * works[at];
  const later = NEAR_WORK * (works[at + 1] ?? 0) + extra * works[at];
  let better = false;
  if (!search.beside()) {
    const plan = at === 0 ? task.plan : search.planNear();
    const work = at === 0 ? works[at] : near;
    const options = { at, beside: null, hurdle: search.hurdle(), work, later };
    const network = yield* trainNetwork({ ...task, plan }, architecture, options);
    better = search.considerAlone(network);
  }
  if (linear?.worthwhile && (search.beside() || (at === 0 && search.taken().linear > 0))) {
    const options = { at, beside: linear, work: near, later };
    const plan = search.planNear();
    const network = yield* trainNetwork({ ...task, plan }, architecture, options);
    better = search.considerBeside(network) || better;
  }
  return better;
}
