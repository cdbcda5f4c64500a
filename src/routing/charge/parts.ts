import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";
import { earnedInParts, isOfUse, type Part, type PartedPool } from "./parted-pool.ts";
import type { Takers } from "./takers.ts";

/** Part of the most that a pool falls from which on those behind a taker are looked at, and how many takers are looked behind. */
const LARGE = 0.2;
const MOST_BEHIND = 4;
/** Losses up to what is open at which it is told what a taker takes: at first, to see whether it may be of use, and then. */
const COARSELY = 3;
const CLOSELY = 8;
/** Base units that a pool has to hold for those that touches on the way round up by to be nothing beside it. */
const FINE = 1e11;

/** The parts that a pool is touched in, and at least what it earns in them less what those lose that have them. */
interface Parted {
  readonly earned: number;
  readonly parts: readonly Part[];
  /** Those whose losses that takes off, be they of any use or not. */
  readonly losing: readonly number[];
}

/** The parts of a token's takers that may be of use, and whose losses say which they are. */
type PartsOut = Omit<Parted, "earned">;

/**
 * A part for each edge that takes what a pool makes. In a tree that edge is touched for each that takes what it makes in turn,
 * and the pool for each of its touches. So those behind it have parts of their own where that tells more; what it loses itself
 * is left out then. `losing`: those whose losses are taken off elsewhere; undefined where none is to be.
 */
export function inDearestParts(
  session: Session,
  takers: Takers,
  edge: Edge,
  pool: PartedPool,
  losing: ReadonlySet<number> | undefined,
): Parted {
  const { source, sink, graph } = session;
  const { longest, left, small, best } = pool;
  const whole = left * Math.expm1(best);
  // Where one takes all of it without losing more than is open there may be no parts.
  if (losing === undefined && takers.outOf(edge.to).some((most) => most >= whole))
    return { earned: Number.POSITIVE_INFINITY, parts: [], losing: [] };
  const partsOutOf = (node: number, ratio: number): PartsOut => {
    const least = left * ratio * Math.expm1(small);
    const parts: Part[] = [];
    const own: number[] = [];
    takers.outOf(node).forEach((most, i) => {
      const slot = (graph.start[node] as number) + i;
      // A route touches no pool twice on its way.
      if (most <= least || graph.edgeAt(slot).pool === edge.pool) return;
      const isToLose = losing !== undefined && !losing.has(slot);
      if (isToLose) own.push(slot);
      const levels = isToLose ? [COARSELY, CLOSELY] : [0];
      const told = levels.map((count) => partOf(takers, slot, ratio, count, pool));
      if (told.every((part) => isOfUse(pool, part))) parts.push(told.at(-1) as Part);
    });
    return { parts, losing: own };
  };
  const parted = (out: PartsOut): Parted => ({ earned: earnedInParts(pool, out.parts), ...out });
  let found = parted(partsOutOf(edge.to, 1));
  if (losing === undefined || left < FINE) return found;
  const seen = new Set([source, sink, edge.to]);
  const tried = new Set<number>();
  for (let count = 0; count < MOST_BEHIND; count++) {
    const large = found.parts.filter((part) => lengthOf(part) > LARGE * longest && !tried.has(part.slot));
    if (large.length === 0) break;
    const largest = large.reduce((most, part) => (lengthOf(part) > lengthOf(most) ? part : most));
    tried.add(largest.slot);
    const behind = graph.to[largest.slot] as number;
    const ratio = largest.ratio * takers.leastRate(largest.slot);
    if (seen.has(behind) || ratio === 0) continue;
    const further = partsOutOf(behind, ratio);
    const other = parted({
      parts: [...found.parts.filter((part) => part !== largest), ...further.parts],
      losing: [...found.losing.filter((slot) => slot !== largest.slot), ...further.losing],
    });
    if (other.earned >= found.earned) continue;
    found = other;
    seen.add(behind);
  }
  return found;
}

/** How long a part is that loses nothing. */
function lengthOf({ lengths }: Part): number {
  return lengths[0] as number;
}

/**
 * What a taker may have of what a pool makes, told at so many losses up to what is open, at none for what it has there. All
 * its touches together take no less than e^u - 1 times what the pool has left at last, where u is the length of them all: that
 * is what the last of them would take for all. What it loses is convex in u, and so no less than as a chord goes on.
 */
function partOf(
  { open, most }: Takers,
  slot: number,
  ratio: number,
  levels: number,
  { left, longest }: PartedPool,
): Part {
  const lengthAt = (loss: number) => Math.min(longest, Math.log1p(most(slot, loss) / (ratio * left)));
  if (levels === 0) return { slot, ratio, lengths: Float64Array.of(lengthAt(open)), losses: Float64Array.of(0) };
  const lengths = new Float64Array(levels + 1);
  const losses = new Float64Array(levels + 1);
  let [before, lost, slope] = [0, 0, 0];
  for (let level = 0; level <= levels; level++) {
    const loss = open * (level / levels) ** 2;
    const length = lengthAt(loss);
    const step = length - before;
    lengths[level] = length;
    losses[level] = lost + slope * step;
    if (level > 0 && step > 0) slope = (loss - lost) / step;
    [before, lost] = [length, loss];
  }
  return { slot, ratio, lengths, losses };
}
