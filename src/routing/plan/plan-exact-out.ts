import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { Edge } from "../edges/edges.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Support } from "../flow/support.ts";
import type { Wrappers } from "../graph/naming.ts";
import { COARSE_UNITS, type PlannedFill } from "./execution.ts";
import { buyTokenOf, directionOf, LARGE, NOTHING, sellTokenOf, shareOf } from "./plan.ts";

/** A producer of a token: a pool, how much of the token it gives, and whether it may as well give a little more. */
type Offer = Omit<PlannedFill, "share"> & { readonly gives: number; readonly isFine: boolean };

/** Part of a unit. */
const HALF = 0.5;
/** Part of what is made of whole units that pools are asked for: what one takes is not to be rounded up to one more. */
const NEARLY = 1 - 1e-8;

/**
 * A flow as fills back to front: token by token from the bought one, each before all that flows into it; of each token the
 * smallest producer first, the largest gives the rest. Wrapping stands where a form of the native token is missing. `asItIs`: as
 * floats have it. `inWholeUnits`: in whole units, for pools in which single units count; undefined if there are none.
 */
export function planExactOut(solved: Split, order: Extract<SwapOrder, { kind: "exactOut" }>, wrappers: Wrappers) {
  const { support, sells } = solved;
  return {
    asItIs: planTaking(support, sells, false, order, wrappers),
    inWholeUnits: () => {
      if (sells.every((takes) => takes >= COARSE_UNITS)) return undefined;
      const whole = sells.map((takes) => (takes < COARSE_UNITS ? Math.max(1, Math.round(takes)) : takes));
      return planTaking(support, whole, true, order, wrappers);
    },
  };
}

/** The fills of edges of which each takes so much; in `whole` units the last producer of a token gives what is missing of it. */
function planTaking(
  support: Support,
  sells: readonly number[],
  whole: boolean,
  order: Extract<SwapOrder, { kind: "exactOut" }>,
  wrappers: Wrappers,
): PlannedFill[] {
  const offers: Map<Address, Offer[]>[] = support.order.map(() => new Map());
  const needed = new Map<Address, number>();
  /** By place whether some of the token is made of whole units. */
  const coarse = support.order.map(() => false);
  support.leaving.forEach((own, from) => {
    for (const i of own) {
      const [edge, to, takes] = [support.edges[i] as Edge, support.to[i] as number, sells[i] as number];
      const isCoarse = takes < COARSE_UNITS || (whole && (coarse[from] as boolean));
      if (isCoarse) coarse[to] = true;
      const gives = edge.curve.buyAmountFor(takes) * (whole && isCoarse ? NEARLY : 1);
      const [made, sold] = [buyTokenOf(edge), sellTokenOf(edge)];
      const { pool, direction } = edge;
      const others = offers[to]?.get(made) ?? [];
      offers[to]?.set(made, [...others, { pool, direction, gives, isFine: !isCoarse }]);
      needed.set(sold, (needed.get(sold) ?? 0) + takes);
    }
  });
  needed.set(order.buyToken, Number(order.buyAmount));
  const plan: PlannedFill[] = [];
  for (let at = support.order.length - 1; at >= 0; at--) {
    const own = offers[at] as Map<Address, Offer[]>;
    const isNative = support.order[at] === 0;
    if (isNative) plan.push(...planForms(own, needed, at === 0 ? order.sellToken : undefined, wrappers));
    else for (const [token, of] of own) plan.push(...dealOut(of, whole ? needed.get(token) : undefined));
  }
  return plan;
}

/** The fills at the native token's node: what is wrapped for forms that are short of it first, then the native token, then the rest. */
function planForms(
  offers: ReadonlyMap<Address, readonly Offer[]>,
  needed: ReadonlyMap<Address, number>,
  given: Address | undefined,
  wrappers: Wrappers,
): PlannedFill[] {
  const forms = [...wrappers.keys()];
  const made = (token: Address) => (offers.get(token) ?? []).reduce((sum, { gives }) => sum + gives, 0);
  const want = (token: Address) => needed.get(token) ?? 0;
  const all = [NATIVE_TOKEN, ...forms].reduce((sum, token) => sum + want(token), 0);
  const wrapping = (from: Address, to: Address, form: Address, amount: number): Offer => {
    const pool = wrappers.get(form) as Offer["pool"];
    return { pool, direction: directionOf(pool, from, to), gives: amount, isFine: amount >= COARSE_UNITS };
  };
  const plan: PlannedFill[] = [];
  const native = [...(offers.get(NATIVE_TOKEN) ?? [])];
  // Without anybody who makes native tokens, what a form is short of is the flow's imprecision.
  const isMade = made(NATIVE_TOKEN) > 0 || forms.some((form) => made(form) - want(form) > NOTHING * all);
  const canWrap = given !== undefined || isMade;
  const later: (readonly Offer[])[] = [];
  let wrapped = 0;
  for (const form of forms) {
    if (form === given) continue;
    const own = offers.get(form) ?? [];
    const short = want(form) - made(form);
    const isShort = (canWrap && short > NOTHING * all) || (own.length === 0 && want(form) > 0);
    if (!isShort) {
      later.push(own);
      if (-short > NOTHING * all) native.push(wrapping(form, NATIVE_TOKEN, form, -short));
      continue;
    }
    wrapped += short;
    plan.push(...dealOut([...own, wrapping(NATIVE_TOKEN, form, form, short)]));
  }
  if (given === NATIVE_TOKEN) return plan;
  const missing = wrapped + want(NATIVE_TOKEN);
  if (given !== undefined)
    return missing > 0 ? [...plan, ...dealOut([wrapping(given, NATIVE_TOKEN, given, missing)])] : plan;
  plan.push(...dealOut(native));
  for (const own of later) plan.push(...dealOut(own));
  return plan;
}

/** Shares of one token's producers: what each gives of what is then left of `all`; the last one all of it. They are rounded up. */
function dealOut(offers: readonly Offer[], all = offers.reduce((sum, { gives }) => sum + gives, 0)): PlannedFill[] {
  let left = all;
  const line = lineUp(offers, all);
  return line.map(({ pool, direction, gives }, i) => {
    const share = i === line.length - 1 ? SHARE_ONE : shareOf(gives < COARSE_UNITS ? gives - HALF : gives, left);
    left -= gives;
    return { pool, direction, share };
  });
}

/** The smallest first and the largest last, of those that take fine units where there is one. */
function lineUp(offers: readonly Offer[], all: number): readonly Offer[] {
  const line = offers.toSorted((a, b) => a.gives - b.gives);
  const last = line.findLastIndex(({ gives, isFine }) => gives >= LARGE * all && isFine);
  return last === -1 ? line : [...line.toSpliced(last, 1), line[last] as Offer];
}
