import type { Pool } from "../pools/pool.ts";
import type { Edge } from "./edges.ts";
import type { Session } from "./session.ts";
import type { Support } from "./support.ts";
import { inTurn, inTurns, sharedPools } from "./touches.ts";

/** What comes of a flow that is carried out in order, every unit placed. */
export interface Carried {
  readonly buyAmount: number;
  /** What of the sold amount found no room, in sold units. */
  readonly stuck: number;
  /** What each edge of the support sells. */
  readonly sells: readonly number[];
}

/** Part of what a pool takes at most that counts as all of it. */
const FULL = 0.999;
/** Part of the sold amount that may be stuck without notice. */
const NOTHING = 1e-9;
/** How often room is looked for once more, from what the last attempt placed. */
const MOST_ATTEMPTS = 4;
const HALVINGS = 40;

/**
 * Carries the trade out in order: every token's arrivals are dealt out in proportion to the wanted sells. Where a pool
 * would get more than it takes, or a token more than the pools behind it take, others at the same token take what is too
 * much; what then finds no room is stuck.
 */
export function carry(
  { source, sink, time }: Session,
  support: Support,
  sellAmount: number,
  wanted: readonly number[],
): Carried {
  const { edges } = support;
  const shared = sharedPools(edges);
  let wants = wanted;
  let best: Carried | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const tight = edges.some((edge, i) => (wants[i] as number) > FULL * edge.curve.maxSell);
    const room = tight ? roomOf(support, sink, wants) : undefined;
    const next = dealOut(support, source, sink, sellAmount, wants, room, shared, time);
    if (best === undefined || next.stuck < best.stuck) best = next;
    if (best.stuck === 0) break;
    wants = next.sells;
  }
  return best as Carried;
}

/** The most that each edge may sell so that no token gets more than the edges behind it take. */
function roomOf({ edges, order }: Support, sink: number, wants: readonly number[]): Map<Edge, number> {
  const room = new Map<Edge, number>();
  const sells = new Map(edges.map((edge, i) => [edge, wants[i] as number]));
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] as number;
    const entering = edges.filter(({ to }) => to === node);
    const most =
      node === sink
        ? Number.POSITIVE_INFINITY
        : edges.reduce((sum, edge) => (edge.from === node ? sum + (room.get(edge) as number) : sum), 0);
    const buys = entering.map((edge) =>
      edge.curve.buyAmountFor(Math.min(sells.get(edge) as number, edge.curve.maxSell)),
    );
    const all = buys.reduce((sum, buy) => sum + buy, 0);
    entering.forEach((edge, i) => {
      const { maxSell } = edge.curve;
      const full = all > most ? sellFor(edge, ((buys[i] as number) * most) / all, sells.get(edge) as number) : maxSell;
      room.set(edge, Math.min(maxSell, full));
    });
  }
  return room;
}

/** The most that an edge may sell, no more than `high`, for what it pays to stay below `buyAmount`. */
export function sellFor({ curve }: Edge, buyAmount: number, high: number): number {
  const sell = Math.min(high, curve.maxSell);
  // A concave curve lies below its tangents: where the tangent ends, it pays no more.
  const near = sell - (curve.buyAmountFor(sell) - buyAmount) / curve.marginalRate(sell);
  if (curve.concave && near > sell / 2) return near;
  let [low, top] = [0, sell];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + top) / 2;
    if (curve.buyAmountFor(middle) > buyAmount) top = middle;
    else low = middle;
  }
  return low;
}

function dealOut(
  support: Support,
  source: number,
  sink: number,
  sellAmount: number,
  wants: readonly number[],
  room: ReadonlyMap<Edge, number> | undefined,
  shared: ReadonlySet<Pool>,
  time: bigint,
): Carried {
  const turns = inTurns(time, shared);
  const arrived = new Map<number, number>([[source, sellAmount]]);
  const sells = new Map<Edge, number>();
  const want = new Map(support.edges.map((edge, i) => [edge, wants[i] as number]));
  let stuck = 0;
  for (const node of support.order) {
    if (node === sink) continue;
    const amount = arrived.get(node) ?? 0;
    let left = amount;
    let open = support.leaving.get(node) ?? [];
    while (open.length > 0) {
      const wanted = open.map((edge) => want.get(edge) as number);
      const sum = wanted.reduce((all, one) => all + one, 0);
      const shares = wanted.map((one) => (sum > 0 ? (left * one) / sum : left / open.length));
      const most = open.map((edge) => Math.min(room?.get(edge) ?? Number.POSITIVE_INFINITY, turns.most(edge)));
      const isFull = (i: number) => (shares[i] as number) > (most[i] as number);
      const rest = open.filter((_, i) => !isFull(i));
      if (rest.length === open.length) {
        open.forEach((edge, i) => {
          sells.set(edge, shares[i] as number);
        });
        left = 0;
        break;
      }
      open.forEach((edge, i) => {
        if (!isFull(i)) return;
        sells.set(edge, most[i] as number);
        left -= most[i] as number;
      });
      open = rest;
    }
    if (left > 0 && amount > 0) stuck += (left / amount) * sellAmount;
    for (const edge of shared.size > 0 ? inTurn(support, sells, node) : (support.leaving.get(node) ?? []))
      arrived.set(edge.to, (arrived.get(edge.to) ?? 0) + turns.pays(edge, sells.get(edge) as number));
  }
  return {
    buyAmount: arrived.get(sink) ?? 0,
    stuck: stuck > NOTHING * sellAmount ? stuck : 0,
    sells: support.edges.map((edge) => sells.get(edge) as number),
  };
}
