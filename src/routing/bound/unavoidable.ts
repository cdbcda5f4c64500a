import { type EdgeGroup, isIn, type Waiver } from "../edges/edge-group.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";
import type { Earner } from "./earner.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";

/** Part of the gas of a touch below which it is cheap for being needed. */
const CHEAP = 0.9;

/** What touches that are needed make of what pools earn. */
export interface Unavoidable {
  /** What touches that every route needs cost at the least and do not earn back. */
  readonly loss: number;
  /** What edges earn of which that is another amount than without it. */
  readonly earners: readonly Earner[];
  /** Cheap slots of what is needed. */
  readonly slots: readonly number[];
}

/** What is paid to edges for being needed, less what they owe for what they need. */
interface Account {
  pay(group: EdgeGroup, by: Edge | undefined, amount: number): void;
  of(edge: Edge): number;
}

/**
 * What pools earn where routes need touches of some groups: what a need waives is paid to all edges of its group, whichever
 * of them a route touches, and taken from the edge that needs it, or from every route. Any amounts prove as much as the sum
 * that they leave: those that are given, and on top of them for need after need the least of what is left of the losses of
 * its group's edges, so that none of these earns anything. `profitAt`: what a slot earns after its gas.
 */
export function unavoidableLoss(
  session: Session,
  prices: Prices,
  costPerGas: number,
  waivers: readonly Waiver[],
  earners: readonly Earner[],
  profitAt: (slot: number) => number,
): Unavoidable {
  const { edgeAt, spot, gas } = session.graph;
  const account = createAccount();
  /** Where nothing is paid but what no edge earns by, all earn what they did. */
  const isPaid = waivers.some(({ need, waived }) => waived > 0 || need.by !== undefined);
  const named = new Map(isPaid ? earners.map(({ slot, profit }) => [edgeAt(slot), profit]) : []);
  const known = new Map<number, number>();
  /** What an edge earns after its gas, below zero where that is more. */
  const profitOf = (slot: number, edge: Edge): number => {
    const profit = named.get(edge) ?? known.get(slot);
    if (profit !== undefined) return profit;
    if (edge.spot * outerPrice(session, prices, edge.to) <= outerPrice(session, prices, edge.from))
      return -(gas[slot] as number) * costPerGas;
    const found = profitAt(slot);
    known.set(slot, found);
    return found;
  };
  /** No less than that: what the deepest hyperbola earns that the curve may be. */
  const mostOf = (slot: number, edge: Edge): number => {
    const paid = edge.spot * outerPrice(session, prices, edge.to);
    const short = 1 - Math.sqrt(outerPrice(session, prices, edge.from) / paid);
    return paid * edge.deepest * short * short - (gas[slot] as number) * costPerGas;
  };
  let loss = 0;
  for (const { need, waived } of waivers) {
    account.pay(need.group, need.by, waived);
    if (need.by === undefined) loss += waived;
  }
  const slots: number[] = [];
  for (const { need } of waivers) {
    const { group, by } = need;
    let least = by === undefined ? Number.POSITIVE_INFINITY : (named.get(by) ?? 0) + account.of(by);
    const cheap: number[] = [];
    for (const slot of slotsOf(session, group)) {
      if (least <= 0) break;
      if (spot[slot] === 0) continue;
      const edge = edgeAt(slot);
      if (!isIn(group, edge) || !session.usable(edge.from, edge.to) || !session.allowsSlot(slot)) continue;
      if (-mostOf(slot, edge) >= Math.max(least + account.of(edge), CHEAP * (gas[slot] as number) * costPerGas))
        continue;
      const profit = profitOf(slot, edge);
      least = Math.min(least, -(profit + account.of(edge)));
      if (known.has(slot) && profit > -CHEAP * (gas[slot] as number) * costPerGas) cheap.push(slot);
    }
    if (!(least > 0) || !Number.isFinite(least)) continue;
    account.pay(group, by, least);
    if (by === undefined) loss += least;
    slots.push(...cheap);
  }
  if (!isPaid) return { loss, earners, slots };
  const changed = new Map(earners.map(({ slot, profit }) => [slot, profit + account.of(edgeAt(slot))]));
  for (const { need } of waivers)
    for (const slot of slotsOf(session, need.group)) {
      if (spot[slot] === 0 || changed.has(slot)) continue;
      const edge = edgeAt(slot);
      const paid = account.of(edge);
      const cost = (gas[slot] as number) * costPerGas;
      if (paid <= 0 || !session.usable(edge.from, edge.to)) continue;
      const earns = edge.spot * outerPrice(session, prices, edge.to) > outerPrice(session, prices, edge.from);
      if ((!earns && paid <= cost) || !session.allowsSlot(slot)) continue;
      changed.set(slot, profitOf(slot, edge) + paid);
    }
  const left = [...changed].flatMap(([slot, profit]) => (profit > 0 ? [{ slot, profit }] : []));
  return { loss, earners: left, slots };
}

function createAccount(): Account {
  const entering = new Map<number, number>();
  const leaving = new Map<number, number>();
  const narrow: { readonly group: EdgeGroup; readonly amount: number }[] = [];
  const owed = new Map<Edge, number>();
  let empty = true;
  const add = <K>(sums: Map<K, number>, key: K, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
  return {
    pay(group, by, amount) {
      if (amount === 0) return;
      empty = false;
      const { from, to, edge } = group;
      if (edge !== undefined || (from !== undefined && to !== undefined)) narrow.push({ group, amount });
      else if (from !== undefined) add(leaving, from, amount);
      else add(entering, to as number, amount);
      if (by !== undefined) add(owed, by, amount);
    },
    of(edge) {
      if (empty) return 0;
      let sum = (entering.get(edge.to) ?? 0) + (leaving.get(edge.from) ?? 0) - (owed.get(edge) ?? 0);
      for (const { group, amount } of narrow) if (isIn(group, edge)) sum += amount;
      return sum;
    },
  };
}

/** Whether a route can touch an edge of a group at all. */
export function isTouchable(session: Session, group: EdgeGroup): boolean {
  const { edgeAt, spot } = session.graph;
  for (const slot of slotsOf(session, group)) {
    if (spot[slot] === 0 || !isIn(group, edgeAt(slot))) continue;
    const { from, to } = edgeAt(slot);
    if (session.usable(from, to) && session.allowsSlot(slot)) return true;
  }
  return false;
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
