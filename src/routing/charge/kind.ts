import { type EdgeGroup, isIn, isWithin, type Need, type Waiver } from "../edges/edge-group.ts";

/** Routes that touch an edge of each group that is needed, and none of those that are barred. */
export interface Kind {
  readonly needed: readonly EdgeGroup[];
  readonly barred: readonly EdgeGroup[];
}

/** Groups of which each needs a touch, without those that another one is a part of. */
export function joined(groups: readonly EdgeGroup[], more: readonly EdgeGroup[]): readonly EdgeGroup[] {
  const fresh = more.filter((large) => !groups.some((small) => isWithin(small, large)));
  return [...groups.filter((large) => !fresh.some((small) => isWithin(small, large))), ...fresh];
}

/** The needs of a kind, those of every route first, with what is known of their multipliers. */
export function waiversFor({ needed, barred }: Kind, known: readonly Waiver[]): Waiver[] {
  const waived = new Map(known.map((one) => [one.need.group, one.waived]));
  const always = needed.map((group) => ({ need: { group, by: undefined }, waived: waived.get(group) ?? 0 }));
  const links = known.filter(
    ({ need: { group, by } }) =>
      by !== undefined && !barred.some((one) => isIn(one, by)) && !needed.some((one) => isWithin(one, group)),
  );
  return [...always, ...links];
}

/** Whether a need follows from known ones. */
export function isKnown(waivers: readonly Waiver[], { group, by }: Need): boolean {
  return waivers.some(({ need }) => (need.by === undefined || need.by === by) && isWithin(need.group, group));
}
