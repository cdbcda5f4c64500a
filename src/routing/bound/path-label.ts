/**
 * Most that a route can make of one unit of a token over a path to the bought token: bought units for one, the gas of the
 * path in base units of the token that gas is measured in, and the node that it leads to first.
 */
export interface Label {
  readonly rate: number;
  readonly cost: number;
  readonly next: number;
}

export const NO_LABELS: readonly Label[] = [];

/** Whether labels are as good in every respect: one that leads on as this one, or two that lead on otherwise. */
export function isCovered(labels: readonly Label[], rate: number, cost: number, next: number): boolean {
  let others = 0;
  let other = -2;
  for (const label of labels) {
    if (label.rate < rate || label.cost > cost) continue;
    if (label.next === next) return true;
    if (label.next !== other) others++;
    other = label.next;
    if (others >= 2) return true;
  }
  return false;
}

/** Labels and one more, without those that it makes useless. */
export function withLabel(labels: readonly Label[], rate: number, cost: number, next: number): readonly Label[] {
  if (isCovered(labels, rate, cost, next)) return labels;
  let kept: readonly Label[] = [{ rate, cost, next }, ...labels];
  // One by one: labels that are as good as each other would all make each other useless.
  for (const label of labels) {
    const others = kept.filter((other) => other !== label);
    if (isCovered(others, label.rate, label.cost, label.next)) kept = others;
  }
  return kept;
}
