import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import { type Fill, fillsOf, type PoolId, type Route } from "../domain/route.ts";
import { partsOf } from "../domain/terms/swap-fee.ts";
import type { Payment } from "../pools/curve/curve.ts";
import { curveOf, type Pool } from "../pools/pool.ts";
import { mostGasOfUse } from "../pools/pool-use-gas.ts";
import type { SwapTerms } from "../quoting/ports.ts";
import { isPlain } from "./encode.ts";
import { comesByGateway, SLOT_GIVEN_BACK, unseenGas } from "./gas.ts";

/**
 * Largest gas of a transaction apart from its fills: a sold balance and an allowance that are written, and a recipient
 * that holds nothing of the bought token. The usual gas is in gas.ts.
 */
const AROUND = { exactIn: 76_000n, exactOut: 78_000n } as const;
/** The gateway's balance for a moment, its transfer, and a fee's recipient that holds nothing. */
const FEE = 53_000n;
/** Further gas of an order compared with plain terms. */
const ORDER = 6_000n;
/** Each recipient of a fee that holds nothing. */
const FEE_PART = 32_000n;
/** A fee in native token makes its recipient's account: 25,000 instead of a slot's 22,100. */
const NEW_ACCOUNT = 3_000n;
/** Native token that comes back has the executor, the gateway and the caller paid. */
const NATIVE_REFUND = 21_000n;

/** The executor's balance of a token in between: written, and given back in the end only. */
const PASSING = 20_000n;

/** Part of the remaining gas that a call passes on, in parts of 64: 63 (EIP-150). */
const PASSED_ON = 63n;
const OF = 64n;
/** Calls inside one another, from the executor to the code that uses the gas of a pool use: of a pool that is called as such, */
const CALLS = 1n;
/** and of one that is reached by way of others, a lock or a vault. */
const CALLS_OF_OTHERS = 3n;

type PoolOf = (id: PoolId) => Pool | undefined;

/**
 * Gas that a route's transaction suffices with, whatever was never written before: slots of pools, balances and ticks. It
 * counts nothing as given back, since that comes after the fact, and what calls inside one another hold back.
 */
export function gasLimit(route: Route, terms: SwapTerms, poolOf: PoolOf): bigint {
  const uses = poolUsesOf(route, poolOf);
  const inside = uses.reduce((most, { heldInside }) => (heldInside > most ? heldInside : most), 0n);
  const around = AROUND[route.kind] + feeGas(terms) + refundGas(route, terms) + passingGas(route, poolOf);
  const used = around + nested(uses);
  return withHeldBack(used, 1n) + inside + unseenGas(terms).limit;
}

function feeGas(terms: SwapTerms): bigint {
  const { fee, sellToken, buyToken } = terms;
  const isNative = (fee?.fromSold === true ? sellToken : buyToken) === NATIVE_TOKEN;
  const paid = BigInt(partsOf(fee).length) * (FEE_PART + (isNative ? NEW_ACCOUNT : 0n));
  return (isPlain(terms) ? 0n : ORDER) + paid + (comesByGateway(terms) ? FEE - FEE_PART : 0n);
}

function refundGas({ sellToken, sellAmount }: Route, { maxSellAmount }: SwapTerms): bigint {
  return sellToken === NATIVE_TOKEN && maxSellAmount > sellAmount ? NATIVE_REFUND : 0n;
}

/** Gas of intermediate tokens that pass through the executor, unless a pool use counts it as refunded. */
function passingGas(route: Route, poolOf: PoolOf): bigint {
  const fills = fillsOf(route);
  const tokens = new Set(fills.map(({ sellToken }) => sellToken));
  tokens.delete(route.sellToken);
  return [...tokens].reduce((sum, token) => {
    const takers = fills.filter(({ sellToken }) => sellToken === token);
    if (takers.some(({ givenBack = 0n }) => givenBack >= SLOT_GIVEN_BACK)) return sum;
    return goesStraight(fills, token, poolOf) ? sum : sum + PASSING;
  }, 0n);
}

/** Whether one pool use makes a token for the pair of the next one, which takes all of it. */
function goesStraight(fills: readonly Fill[], token: Address, poolOf: PoolOf): boolean {
  const at = fills.findIndex(({ sellToken }) => sellToken === token);
  const trading = fills.filter(({ sellToken, buyToken }) => sellToken === token || buyToken === token).length;
  const [maker, taker] = [fills[at - 1], fills[at]];
  const pool = taker && poolOf(taker.poolId);
  return trading === 2 && maker?.buyToken === token && pool !== undefined && paymentOf(pool) === "first";
}

interface PoolUse {
  readonly gas: bigint;
  /** Gas that inner calls hold back, of which one pool use at a time has need. */
  readonly heldInside: bigint;
  /** Calls that all pool uses after this one are made in: to its pool, and from there back to the executor. */
  readonly callsAround: bigint;
}

/** The pool uses of a route in the order of its fills. */
function poolUsesOf(route: Route, poolOf: PoolOf): readonly PoolUse[] {
  const around = route.kind === "exactOut" ? nestingFills(route.fills, route.sellToken, poolOf) : new Set<Fill>();
  const met = new Set<string>();
  return route.fills.map((fill) => {
    const pool = poolOf(fill.poolId);
    if (pool === undefined) throw new Error(`the route names an unknown pool ${fill.poolId}`);
    const key = `${fill.poolId} ${fill.sellToken} ${fill.buyToken}`;
    const gas = mostGasOfUse(pool, fill, met.has(key));
    met.add(key);
    const heldInside = withHeldBack(gas, isCalledAsSuch(pool) ? CALLS : CALLS_OF_OTHERS) - gas;
    return { gas, heldInside, callsAround: around.has(fill) ? 2n : 0n };
  });
}

/**
 * Gas that uses need together if some make later ones inside their calls: as if each used all of its gas before
 * those after it, so that it is never too little (test/settlement/random/nested.test.ts).
 */
function nested(uses: readonly PoolUse[]): bigint {
  return uses.reduceRight((inner, { gas, callsAround }) => withHeldBack(gas + inner, callsAround), 0n);
}

/** Gas to supply so that `gas` arrives through so many calls. */
function withHeldBack(gas: bigint, calls: bigint): bigint {
  return (gas * OF ** calls + PASSED_ON ** calls - 1n) / PASSED_ON ** calls;
}

/**
 * The fills of an exact-out in whose calls all those after them are made: what comes after a pool that asks for its payment in
 * a callback is made there, and what comes after the first use of a lock inside the lock.
 */
function nestingFills(fills: readonly Fill[], sellToken: Fill["sellToken"], poolOf: PoolOf): ReadonlySet<Fill> {
  const open = new Set<string>();
  return new Set(
    fills.filter((fill) => {
      const pool = poolOf(fill.poolId);
      if (pool === undefined) return false;
      const payment = paymentOf(pool);
      if (payment === "callback") return fill.sellToken !== sellToken;
      const before = open.size;
      return payment === "lock" && open.add(pool.source).size > before;
    }),
  );
}

function paymentOf(pool: Pool): Payment | undefined {
  return curveOf(pool).payment?.(pool.state);
}

function isCalledAsSuch(pool: Pool): boolean {
  const payment = paymentOf(pool);
  return payment === "callback" || payment === "first";
}
