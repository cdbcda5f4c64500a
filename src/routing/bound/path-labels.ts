import type { Search } from "../session/search.ts";

/**
 * Most that a route can make of one unit of a token over a path to the bought token: bought units for one, the gas of the
 * path in base units of the token that gas is measured in, and the node that it leads to first.
 */
export interface Label {
  readonly rate: number;
  readonly cost: number;
  readonly next: number;
}

/** A path from the sold token. */
export type Path = Pick<Label, "rate" | "cost">;

/** The most that a trade gains by one rate over another one, in the units of costs. */
export type Gain = (rate: number, than: number) => number;

/** Terms on which paths are followed back from the bought token. */
export interface PathTerms {
  /** The most that a unit in a slot is worth, in bought units, given the worth of the token that it pays. Grows with that. */
  readonly worth: (slot: number, paid: number) => number;
  /** Cost of the pool in a slot, at the least. */
  readonly cost: (slot: number) => number;
  readonly gain: Gain;
  /** Whether a path of the sold token is worth more than is of use. */
  readonly isTooMuch: (path: Path) => boolean;
  /** Slots and labels that may be looked at. */
  readonly mostSteps: number;
}

export const NO_LABELS: readonly Label[] = [];

/** Part of a step that a comparison of two labels takes: of one that joins with all, of those that it may replace with all others. */
const COMPARED = 1 / 16;

/**
 * The labels of all nodes over paths of at most `maxFills` pools. A label is never passed on to the node that it leads to next.
 * Undefined where a path is too much, or there are too many.
 */
export function labelsTo(search: Search, terms: PathTerms): ReadonlyMap<number, readonly Label[]> | undefined {
  const { graph, source, sink, maxFills, work } = search;
  const { start, to, twin, dead } = graph;
  const { worth, cost, gain, isTooMuch, mostSteps } = terms;
  const labels = new Map<number, readonly Label[]>([[sink, [{ rate: 1, cost: 0, next: -1 }]]]);
  const last = work.steps + mostSteps;
  let fresh = new Set([sink]);
  for (let pools = 1; pools <= maxFills && fresh.size > 0; pools++) {
    const changed = new Set<number>();
    for (const node of fresh) {
      if (node === source) continue;
      const end = start[node + 1] as number;
      work.steps += end - (start[node] as number);
      const ahead = labels.get(node) ?? NO_LABELS;
      const best = bestRate(ahead);
      const least = Math.min(...ahead.map(({ cost }) => cost));
      for (let back = start[node] as number; back < end; back++) {
        const from = to[back] as number;
        if (from === sink || (dead[from] === 1 && from !== source)) continue;
        const slot = twin[back] as number;
        const made = worth(slot, best);
        const own = cost(slot);
        const before = labels.get(from) ?? NO_LABELS;
        const bestOfAll = { rate: made, cost: least + own, next: node };
        if (!(made > 0) || isCovered(before, bestOfAll, gain) || !search.allowsSlot(slot)) continue;
        let all = before;
        for (const { rate, cost, next } of ahead) {
          const label = { rate: worth(slot, rate), cost: cost + own, next: node };
          if (next === from || !(label.rate > 0)) continue;
          const more = withLabel(all, label, gain);
          work.steps += COMPARED * (more === all ? all.length : all.length ** 2);
          all = more;
        }
        if (all === before) continue;
        labels.set(from, all);
        changed.add(from);
      }
      if (work.steps > last || search.over()) return undefined;
    }
    if ((labels.get(source) ?? NO_LABELS).some(isTooMuch)) return undefined;
    fresh = changed;
  }
  return labels;
}

/** The best rate of any label; 0 where there is none. */
export function bestRate(labels: readonly Label[]): number {
  return labels.reduce((most, { rate }) => Math.max(most, rate), 0);
}

/** Labels and one more, without those that it makes useless. */
export function withLabel(labels: readonly Label[], added: Label, gain: Gain): readonly Label[] {
  if (isCovered(labels, added, gain)) return labels;
  let kept: readonly Label[] = [added, ...labels];
  // One by one: labels that are as good as each other would all make each other useless.
  for (const label of labels) {
    if (!isAsGood(added, label, gain)) continue;
    const others = kept.filter((other) => other !== label);
    if (isCovered(others, label, gain)) kept = others;
  }
  return kept;
}

/** Whether a path costs no more than another one, and that gains no more by its rate than it costs more. */
function isAsGood(path: Path, { rate, cost }: Path, gain: Gain): boolean {
  return path.cost <= cost && gain(rate, path.rate) <= cost - path.cost;
}

/** Whether labels are as good as another one: one that leads on as it does, or two that lead on otherwise. */
function isCovered(labels: readonly Label[], label: Label, gain: Gain): boolean {
  let next = -2;
  for (const other of labels) {
    if (!isAsGood(other, label, gain)) continue;
    if (other.next === label.next || (next !== -2 && other.next !== next)) return true;
    next = other.next;
  }
  return false;
}
