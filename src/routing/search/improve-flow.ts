import { isBetter, isDone, resize } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { closeEnough, type Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { choosePools } from "./choose-pools.ts";
import { gapAbove, isFull, type Proven } from "./gap.ts";
import { placeAll } from "./place-all.ts";

/** Part of all fills up to which ways off the best path may lead to more than those off a flow, where pools are in line. */
const SMALL = 0.5;
/** Gap above a flow at which it is not improved further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** Multiple of the tolerance at which a cheap search without gas stops. */
const CLOSELY = 10;
/** Gap above a flow that uses nearly all fills from which exchanges of paths are tried. */
const WORTH_EXCHANGING = 1e-4;
/** Part of its steps up to which a search exchanges pools of a flow that has as good as all fills. */
const EXCHANGING = 1 / 32;
/** Gap above any flow from which further starts are tried. */
const WIDE = 1e-3;

/**
 * Improves the best path and the best flow so far by columns: those that earn more than their gas join, what then finds no
 * room goes by others, and of few pools it is decided which are worth their gas.
 */
export function improveFlow(search: Search, start: Split, { relaxed, proof }: Proven, path?: Split): Split {
  const isFree = search.costPerGas === 0;
  const full = isFull(search, start);
  const open = gapAbove(search, proof, start);
  const least = isFree ? Math.min(CLOSE_ENOUGH, CLOSELY * closeEnough(search)) : closeEnough(search);
  const isDear = search.spent() > EXCHANGING;
  const whenFull = Math.max(least, isDear ? WIDE : WORTH_EXCHANGING);
  let best = start;
  if (start.stuck > 0 || open > (full ? whenFull : least)) best = addColumns(search, start);
  const isOpen = relaxed.hopeless ? !full : best.support.edges.length <= SMALL * search.maxFills;
  if (path !== undefined && isOpen && !isFree && best !== path && open > least && !search.over()) {
    const other = addColumns(search, path);
    if (isBetter(search, other, best)) best = other;
  }
  if (!isDone(search, best)) best = placeAll(search, best);
  if (!isFree && open > least && !search.over())
    best = choosePools(search, best, [...(path?.support.edges ?? []), ...relaxed.edges()]);
  return resize(search, best, 12);
}
