import { type EdgeGroup, isIn } from "./edge-group.ts";
import type { Edge } from "./edges.ts";
import { mostEarned, type Room } from "./most-earned.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** Part of the gas of a touch below which it is cheap for being needed. */
const CHEAP = 0.9;

/** What touches cost at the least that every route needs, and the slots that this is for. */
export interface Unavoidable {
  readonly loss: number;
  readonly slots: readonly number[];
}

/**
 * At most what touches cost and do not earn back at these prices where every route touches an edge of each group: group
 * after group the least of what is left of its edges' losses is charged to all of its edges, so that no edge is charged
 * more than it loses, whichever edges a route touches.
 */
export function unavoidableLoss(
  session: Session,
  prices: Prices,
  costPerGas: number,
  room: Room,
  groups: readonly EdgeGroup[],
): Unavoidable {
  const { edges, spot, gas } = session.graph;
  const charges: number[] = [];
  const slots: number[] = [];
  for (const group of groups) {
    let least = Number.POSITIVE_INFINITY;
    const cheap: number[] = [];
    for (const slot of slotsOf(session, group)) {
      if (spot[slot] === 0) continue;
      const edge = edges[slot] as Edge;
      if (!isIn(group, edge) || !session.usable(edge.from, edge.to)) continue;
      let loss = (gas[slot] as number) * costPerGas;
      const [sellPrice, buyPrice] = [outerPrice(session, prices, edge.from), outerPrice(session, prices, edge.to)];
      const earns = edge.spot * buyPrice > sellPrice;
      if ((loss >= least && !earns && charges.length === 0) || !session.allowsSlot(slot)) continue;
      if (earns) {
        const { sellAmount, buyAmount } = mostEarned(edge, sellPrice / buyPrice, room(edge.from), room(edge.to));
        loss -= buyAmount * buyPrice - sellAmount * sellPrice;
      }
      charges.forEach((charge, i) => {
        if (isIn(groups[i] as EdgeGroup, edge)) loss -= charge;
      });
      if (earns && loss < CHEAP * (gas[slot] as number) * costPerGas) cheap.push(slot);
      least = Math.min(least, Math.max(0, loss));
      if (least === 0) break;
    }
    charges.push(Number.isFinite(least) ? least : 0);
    if (least > 0) slots.push(...cheap);
  }
  return { loss: charges.reduce((sum, charge) => sum + charge, 0), slots };
}

/** The slots that may be in a group, and others. */
function* slotsOf(session: Session, { from, to, edge }: EdgeGroup): Generator<number> {
  const { source, sink, graph, endOf, entryEnd, leadsOn } = session;
  const { start, to: ends, twin, dead } = graph;
  const node = edge?.from ?? from;
  const at = node ?? (to as number);
  const end = at === sink ? entryEnd : endOf(at);
  session.steps += end - (start[at] as number);
  for (let slot = start[at] as number; slot < end; slot++) {
    if (node !== undefined) {
      if (leadsOn(slot, node)) yield slot;
    } else if (dead[ends[slot] as number] === 0 || ends[slot] === source) yield twin[slot] as number;
  }
}
