import type { Edge } from "../edges/edges.ts";
import { sellAmountFor } from "../edges/trade-at.ts";
import type { Search } from "../session/search.ts";
import { inTurn, inTurns } from "./pool-uses.ts";
import type { Support } from "./support.ts";

/** Result of carrying out a flow in order, with every unit placed. */
export interface PlacedFlow {
  readonly buyAmount: number;
  /** Part of the sold amount that found no room, in sold units. */
  readonly stuck: number;
  /** Amount that each edge of the support sells. */
  readonly sells: readonly number[];
}

/** Part of what a pool takes at most that counts as all of it. */
const FULL = 0.999;
/** Part of the sold amount that may be stuck without notice. */
const NOTHING = 1e-9;
/** Limit on retries, each from what the last attempt placed. */
const MAX_ATTEMPTS = 4;

/**
 * Carries the trade out in order: every token's arrivals are dealt out in proportion to the wanted sells. Where a pool
 * would get more than it takes, or a token more than the pools behind it take, others at the same token take what is too
 * much; what then finds no room is stuck.
 */
export function placeFlow(search: Search, support: Support, sellAmount: number, wanted: readonly number[]): PlacedFlow {
  const { edges } = support;
  let wants = wanted;
  let best: PlacedFlow | undefined;
  /** The most that each edge takes, after the pool uses before it in the last attempt. */
  const takes = edges.map(({ curve }) => curve.maxSell);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const isTight = attempt > 0 || edges.some((_, i) => (wants[i] as number) > FULL * (takes[i] as number));
    const room = isTight ? roomOf(support, search.sink, wants, takes) : undefined;
    const next = dealOut(search, support, { sellAmount, wants, room, takes });
    if (best === undefined || next.stuck < best.stuck) best = next;
    if (best.stuck === 0) break;
    wants = next.sells;
  }
  return best as PlacedFlow;
}

/** The most that each edge may sell so that no token gets more than the edges behind it take. `takes`: the most of each by itself. */
function roomOf(
  { edges, order, to, leaving }: Support,
  sink: number,
  wants: readonly number[],
  takes: readonly number[],
): readonly number[] {
  const room = edges.map(() => 0);
  const arriving: number[][] = order.map(() => []);
  for (let i = 0; i < edges.length; i++) arriving[to[i] as number]?.push(i);
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] as number;
    const most =
      node === sink
        ? Number.POSITIVE_INFINITY
        : (leaving[at] as readonly number[]).reduce((sum, i) => sum + (room[i] as number), 0);
    const entering = arriving[at] as readonly number[];
    const buys = entering.map((i) =>
      (edges[i] as Edge).curve.buyAmountFor(Math.min(wants[i] as number, takes[i] as number)),
    );
    const all = buys.reduce((sum, buy) => sum + buy, 0);
    entering.forEach((i, k) => {
      const own = takes[i] as number;
      const share = ((buys[k] as number) * most) / all;
      const high = Math.min(own, wants[i] as number);
      room[i] = all > most ? sellAmountFor((edges[i] as Edge).curve, share, high) : own;
    });
  }
  return room;
}

/** Input of one attempt; `takes` gets the most that each edge takes in its turn. */
interface Attempt {
  readonly sellAmount: number;
  readonly wants: readonly number[];
  readonly room: readonly number[] | undefined;
  readonly takes: number[];
}

function dealOut(
  { sink, time, whole }: Search,
  support: Support,
  { sellAmount, wants, room, takes }: Attempt,
): PlacedFlow {
  const { edges, order, to, shared } = support;
  const turns = inTurns(time, shared);
  const arrived = order.map((_, at) => (at === 0 ? sellAmount : 0));
  const sells = edges.map(() => 0);
  let bought = 0;
  let stuck = 0;
  for (let at = 0; at < order.length; at++) {
    const amount = arrived[at] as number;
    if (order[at] === sink) {
      bought = amount;
      continue;
    }
    const leaving = support.leaving[at] as readonly number[];
    let left = amount;
    let open = leaving;
    while (open.length > 0) {
      let sum = 0;
      for (const i of open) sum += wants[i] as number;
      const all = left;
      /** Those that have room for more; all until one has not. */
      let roomy: number[] | undefined;
      for (let k = 0; k < open.length; k++) {
        const i = open[k] as number;
        const share = sum > 0 ? (all * (wants[i] as number)) / sum : all / open.length;
        takes[i] = turns.most(edges[i] as Edge);
        const most = Math.min(room?.[i] ?? Number.POSITIVE_INFINITY, takes[i] as number);
        sells[i] = Math.min(share, most);
        if (share <= most) roomy?.push(i);
        else {
          left -= most;
          roomy ??= open.slice(0, k);
        }
      }
      if (roomy === undefined) {
        left = 0;
        break;
      }
      open = roomy;
    }
    if (left > 0 && amount > 0) stuck += (left / amount) * sellAmount;
    for (const i of shared.size > 0 ? inTurn(leaving, sells) : leaving) {
      const pays = turns.pays(edges[i] as Edge, sells[i] as number);
      arrived[to[i] as number]! += whole ? Math.floor(pays) : pays;
    }
  }
  return { buyAmount: bought, stuck: stuck > NOTHING * sellAmount ? stuck : 0, sells };
}
