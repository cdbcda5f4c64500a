import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { Pool } from "../../pools/pool.ts";
import { type Direction, directionOf, type PoolCurve, takesAll } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Wrappers } from "../graph/wrappers.ts";
import { COARSE_UNITS, type PlannedFill, tokenPairOf } from "./execution.ts";

/** The steps from one form of the native token to another: none, one wrapper, or two by way of the native token. */
export function wrapSteps(wrappers: Wrappers, from: Address, to: Address): { pool: Pool; direction: Direction }[] {
  if (from === to) return [];
  if (from !== NATIVE_TOKEN && to !== NATIVE_TOKEN)
    return [...wrapSteps(wrappers, from, NATIVE_TOKEN), ...wrapSteps(wrappers, NATIVE_TOKEN, to)];
  const pool = wrappers.get(from === NATIVE_TOKEN ? to : from) as Pool;
  return [{ pool, direction: directionOf(pool, from, to) }];
}

/** A pool beside others at one token, of which it takes a part (exact-in) or gives one (exact-out). */
interface PoolPart {
  readonly pool: Pool;
  readonly direction: Direction;
  /** Part that it takes or gives, and what it gives or takes for that. */
  readonly amount: number;
  readonly other: number;
  /** Curve that no more is to be taken than it takes; absent: any amount. */
  readonly curve?: PoolCurve;
}

type PartsByToken = Map<Address, PoolPart[]>;

/** Part of a token's flow from which on one pool can take, or give, what others leave. */
const LARGE = 0.01;
/** Part of a node's flow below which no wrapping is planned. */
const NOTHING = 1e-9;
/** Part of a unit. */
const HALF = 0.5;
/** Part of what is made of whole units that pools are asked for: what one takes is not to be rounded up to one more. */
const NEARLY = 1 - 1e-8;

/**
 * A flow as fills in the order in which they are evaluated: exact-in from the sold token on, each token behind all that flows
 * into it; exact-out from the bought token back, each token before all that flows into it. At each token the smallest part comes
 * first, the largest takes, or gives, the rest. Wrapping stands where a form of the native token is missing. `whole`: pools that
 * sell few units sell whole ones, and the last producer of a token gives what is missing of it.
 */
export function planFlow(flow: Split, order: SwapOrder, wrappers: Wrappers, whole = false): PlannedFill[] {
  const { support, sells, sellAmount } = flow;
  const isExactIn = order.kind === "exactIn";
  const [first, last] = isExactIn ? [order.sellToken, order.buyToken] : [order.buyToken, order.sellToken];
  const parts: PartsByToken[] = support.order.map(() => new Map());
  /** By token what its pools are to take, or to give. */
  const open = new Map([[first, isExactIn ? sellAmount : Number(order.buyAmount)]]);
  /** By place whether some of the token is made of few units. */
  const coarse = support.order.map(() => false);
  support.leaving.forEach((own, from) => {
    for (const i of own) {
      const [edge, to, wanted] = [support.edges[i] as Edge, support.to[i] as number, sells[i] as number];
      const takes = whole && wanted < COARSE_UNITS ? Math.max(1, Math.round(wanted)) : wanted;
      const hasFew = takes < COARSE_UNITS || (whole && (coarse[from] as boolean));
      if (hasFew) coarse[to] = true;
      const gives = edge.curve.buyAmountFor(takes) * (whole && hasFew ? NEARLY : 1);
      const { pool, direction, curve } = edge;
      const part = isExactIn
        ? { pool, direction, amount: takes, other: gives, curve }
        : { pool, direction, amount: gives, other: takes };
      const { sellToken, buyToken } = tokenPairOf(edge);
      const [token, other] = isExactIn ? [sellToken, buyToken] : [buyToken, sellToken];
      const there = parts[isExactIn ? from : to] as PartsByToken;
      const line = there.get(token) ?? [];
      there.set(token, line);
      line.push(part);
      open.set(other, (open.get(other) ?? 0) + part.other);
    }
  });
  const places = isExactIn ? [...parts.keys()] : [...parts.keys()].reverse();
  return places.flatMap((at, i) => {
    const own = parts[at] as PartsByToken;
    const end = i === places.length - 1 ? last : undefined;
    if (support.order[at] === 0) return planForms(own, open, { end, wrappers, isExactIn });
    return [...own].flatMap(([token, line]) => dealOut(line, isExactIn, whole ? open.get(token) : undefined));
  });
}

/**
 * The fills at the native token's node: forms of which more is open than their pools deal with first, the rest converted to the
 * native token; then the native token, then the other forms. `end`: the form that the plan ends at, which stays open.
 */
function planForms(
  parts: PartsByToken,
  open: ReadonlyMap<Address, number>,
  {
    end,
    wrappers,
    isExactIn,
  }: { readonly end: Address | undefined; readonly wrappers: Wrappers; readonly isExactIn: boolean },
): PlannedFill[] {
  const openOf = (token: Address) => open.get(token) ?? 0;
  const partsOf = (token: Address) => parts.get(token) ?? [];
  const all = [NATIVE_TOKEN, ...wrappers.keys()].reduce((sum, token) => sum + openOf(token), 0);
  const forms = [...wrappers].map(([form, pool]) => ({
    ...{ form, pool, own: partsOf(form) },
    left: openOf(form) - (form === end ? all : sumOf(partsOf(form))),
  }));
  // Only native tokens that there are, or that forms have too many of, can become other forms: without any, what is missing is
  // the flow's imprecision.
  const given = openOf(NATIVE_TOKEN) + forms.reduce((sum, { left }) => sum + Math.max(0, left), 0);
  const lacks = (left: number) => given > NOTHING * all && left < -NOTHING * all;
  // An amount that nobody takes in another form is left to those that take it as it is.
  const isTaken = end === NATIVE_TOKEN || partsOf(NATIVE_TOKEN).length > 0 || forms.some(({ left }) => lacks(left));
  const converted = (pool: Pool, from: Address, to: Address, amount: number): PoolPart => ({
    ...{ pool, direction: isExactIn ? directionOf(pool, from, to) : directionOf(pool, to, from) },
    ...{ amount, other: amount },
  });
  const plan: PlannedFill[] = [];
  const native = [...partsOf(NATIVE_TOKEN)];
  const others: (readonly PoolPart[])[] = [];
  for (const { form, pool, own, left } of forms) {
    if ((left > NOTHING * all && isTaken) || (left > 0 && own.length === 0))
      plan.push(...dealOut([converted(pool, form, NATIVE_TOKEN, left), ...own], isExactIn));
    else {
      others.push(own);
      if (lacks(left)) native.push(converted(pool, NATIVE_TOKEN, form, Math.min(-left, all)));
    }
  }
  for (const own of end === NATIVE_TOKEN ? others : [native, ...others]) plan.push(...dealOut(own, isExactIn));
  return plan;
}

/**
 * Shares of the parts of one token: what each has of what is then left of `all`; the last one all of it. Those of an exact-out
 * trade are rounded up.
 */
function dealOut(parts: readonly PoolPart[], isExactIn: boolean, all = sumOf(parts)): PlannedFill[] {
  let left = all;
  const line = lineUp(parts, all);
  return line.map(({ pool, direction, amount, curve }, i) => {
    const part = !isExactIn && amount < COARSE_UNITS ? amount - HALF : amount;
    const share = i === line.length - 1 ? SHARE_ONE : shareOf(part, left, curve);
    left -= amount;
    return { pool, direction, share };
  });
}

/** The smallest first and the largest last; where single units count at its other end, a large one with most units there. */
function lineUp(parts: readonly PoolPart[], all: number): readonly PoolPart[] {
  const line = parts.toSorted((a, b) => a.amount - b.amount);
  const largest = line.at(-1);
  if (largest === undefined || largest.other >= COARSE_UNITS) return line;
  const last = line.reduce(
    (most, part) => (part.amount >= LARGE * all && part.other > most.other ? part : most),
    largest,
  );
  return [...line.filter((part) => part !== last), last];
}

function sumOf(parts: readonly PoolPart[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}

/** Units up to which a share, which is one of 10^9 parts, tells each of them apart. */
const COUNTED = 1e6;

/**
 * `part` of what is left as a share, the part being at most all that is left. At least one part in 10^9 and never the
 * whole: the last one in line takes the rest. Where a flow that found no room has nothing left, the least. Rounded, but not
 * to more than a `curve` takes; whole units of few are not rounded to one less.
 */
export function shareOf(part: number, left: number, curve?: PoolCurve): bigint {
  if (!(left > 0)) return 1n;
  const exact = (part / left) * Number(SHARE_ONE);
  const rounded = Number.isInteger(part) && left < COUNTED ? Math.ceil(exact) : Math.round(exact);
  const isTooMuch = curve !== undefined && rounded > exact && !takesAll(curve, (rounded / Number(SHARE_ONE)) * left);
  const share = BigInt(isTooMuch ? rounded - 1 : rounded);
  if (share < 1n) return 1n;
  return share < SHARE_ONE ? share : SHARE_ONE - 1n;
}
