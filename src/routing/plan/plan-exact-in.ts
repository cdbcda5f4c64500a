import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { PoolCurve } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Wrappers } from "../graph/naming.ts";
import { COARSE, type PlannedFill } from "./execution.ts";
import { buyTokenOf, directionOf, LARGE, NOTHING, sellTokenOf, shareOf } from "./plan.ts";

/** A consumer of a token: a pool, and how much of the token it wants; its curve, unless it takes any amount. */
type Want = Omit<PlannedFill, "share"> & {
  readonly amount: number;
  readonly pays: number;
  readonly curve?: PoolCurve;
};

/**
 * A flow as fills in execution order: token by token, each behind all that flows into it; of each token the smallest
 * consumer first, the largest takes the rest. Wrapping stands where a form of the native token is missing.
 */
export function planExactIn(
  { support, sells, sellAmount }: Split,
  tokens: { readonly sellToken: Address; readonly buyToken: Address },
  sink: number,
  wrappers: Wrappers,
): PlannedFill[] {
  const arrived = new Map<Address, number>([[tokens.sellToken, sellAmount]]);
  const plan: PlannedFill[] = [];
  for (let at = 0; at < support.order.length; at++) {
    const node = support.order[at] as number;
    const wants = new Map<Address, Want[]>();
    for (const i of support.leaving[at] as readonly number[]) {
      const edge = support.edges[i] as Edge;
      const amount = sells[i] as number;
      const pays = edge.curve.buyAmountFor(amount);
      const want = { pool: edge.pool, direction: edge.direction, amount, pays, curve: edge.curve };
      const token = sellTokenOf(edge);
      wants.set(token, [...(wants.get(token) ?? []), want]);
      const buyToken = buyTokenOf(edge);
      arrived.set(buyToken, (arrived.get(buyToken) ?? 0) + pays);
    }
    if (node === 0) plan.push(...planForms(wants, arrived, node === sink ? tokens.buyToken : undefined, wrappers));
    else for (const of of wants.values()) plan.push(...dealOut(of));
  }
  return plan;
}

/** The fills at the native token's node: unwrapping of what is too much first, then the native token, then the rest. */
function planForms(
  wants: Map<Address, Want[]>,
  arrived: ReadonlyMap<Address, number>,
  keep: Address | undefined,
  wrappers: Wrappers,
): PlannedFill[] {
  const forms = [...wrappers.keys()];
  const supply = (token: Address) => arrived.get(token) ?? 0;
  const all = [NATIVE_TOKEN, ...forms].reduce((sum, token) => sum + supply(token), 0);
  const demand = (token: Address) =>
    token === keep ? all : (wants.get(token) ?? []).reduce((sum, want) => sum + want.amount, 0);
  const plan: PlannedFill[] = [];
  const native = [...(wants.get(NATIVE_TOKEN) ?? [])];
  // Only native tokens that come, or that are unwrapped, can be wrapped: without any, what is missing is the flow's imprecision.
  const surplusOf = (token: Address) => Math.max(0, supply(token) - demand(token));
  const given = supply(NATIVE_TOKEN) + forms.reduce((sum, token) => sum + surplusOf(token), 0);
  const lacks = (token: Address) => given > NOTHING * all && supply(token) - demand(token) < -NOTHING * all;
  // An amount that nobody takes in another form is left to those that take it as it is.
  const isTaken = keep === NATIVE_TOKEN || native.length > 0 || forms.some(lacks);
  for (const token of forms) {
    const pool = wrappers.get(token);
    const surplus = supply(token) - demand(token);
    if (pool === undefined) continue;
    if (surplus > NOTHING * all && isTaken) {
      const unwrap = { pool, direction: directionOf(pool, token, NATIVE_TOKEN), amount: surplus, pays: surplus };
      plan.push(...dealOut([unwrap, ...(wants.get(token) ?? [])], "as given"));
      wants.delete(token);
    } else if (lacks(token)) {
      const missing = Math.min(-surplus, all);
      native.push({ pool, direction: directionOf(pool, NATIVE_TOKEN, token), amount: missing, pays: missing });
    }
  }
  plan.push(...dealOut(keep === NATIVE_TOKEN ? [] : native));
  for (const token of forms) plan.push(...dealOut(wants.get(token) ?? []));
  return plan;
}

/** Shares of one token's consumers: what each takes of what is then left; the last one all of it. */
function dealOut(wants: readonly Want[], order: "smallest first" | "as given" = "smallest first"): PlannedFill[] {
  let left = wants.reduce((sum, want) => sum + want.amount, 0);
  const line = order === "as given" ? wants : lineUp(wants, left);
  return line.map(({ pool, direction, amount, curve }, i) => {
    const share = i === line.length - 1 ? SHARE_ONE : shareOf(amount, left, curve);
    left -= amount;
    return { pool, direction, share };
  });
}

/** The smallest first and the largest last; where that pays coarse units, a large one that pays finer ones. */
function lineUp(wants: readonly Want[], all: number): readonly Want[] {
  const line = [...wants].sort((a, b) => a.amount - b.amount);
  const largest = line[line.length - 1];
  if (largest === undefined || largest.pays >= COARSE) return line;
  const last = line.reduce(
    (most, want) => (want.amount >= LARGE * all && want.pays > most.pays ? want : most),
    largest,
  );
  return [...line.filter((want) => want !== last), last];
}
