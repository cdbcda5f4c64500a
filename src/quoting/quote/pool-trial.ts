import { NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { type ExactInRoute, type Route, SHARE_ONE } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { evaluatePlan } from "../../routing/plan/execution.ts";
import type { ContractCode, Settlement, SwapTerms, TradeRun, TradeRunner } from "../ports.ts";
import { countsNamed } from "../search/named-amounts.ts";
import { deviatingSide, type Tolerance } from "./deviations.ts";
import { evaluateOver } from "./evaluate-over.ts";
import { holdersOn } from "./tested-tokens.ts";
import { wrapTransaction } from "./wrap.ts";

/** Outcome of a trial of a pool. Unknown: it could not be run. */
export type TrialOutcome =
  | { readonly kind: "works" }
  | { readonly kind: "fails"; readonly reason: string }
  | { readonly kind: "unknown" };

/** Runs a small swap with one pool alone on the node, each way, from a stand-in and without fee. */
export type PoolTrial = (pool: Pool, at: BlockRef) => Promise<TrialOutcome>;

/** A trial's swap moves the pool's price to this part of what it was. */
const PRICE_MOVED_TO = 0.999;
const TTL_SECONDS = 600n;
/** Wei that a trial of the wrapped native token wraps and unwraps. */
const WRAPPED_WEI = 10n ** 15n;

/** Parts that a trial of pools needs. */
interface TrialParts {
  readonly settlement: Pick<Settlement, "encode" | "allowanceTarget">;
  readonly runner: TradeRunner;
  readonly sources: ReadonlyMap<string, Pick<LiquiditySource, "action" | "wrapsNative" | "ask" | "takesDonations">>;
  /** Asks contracts whose prices nobody else knows; absent: pools are taken at their word. */
  readonly reader?: Pick<ChainReader, "calls">;
  /** The settlement contracts, where they do not stand on the chain; none by default. */
  readonly code?: () => readonly ContractCode[];
}

/** A small swap, and what it has to pay. */
interface SmallSwap extends Pick<Parameters<TradeRunner["run"]>[0], "transaction" | "terms" | "allowanceTarget"> {
  readonly route: ExactInRoute;
}

/** A pool works when every direction that can be tried does what its maths says, to the wei where it is run in time. */
export function createPoolTrial(parts: TrialParts): PoolTrial {
  async function tryDirection(pool: Pool, direction: Direction, at: BlockRef): Promise<TrialOutcome> {
    const sellAmount = swapAmount(pool, direction, at, parts);
    if (sellAmount === undefined) return { kind: "unknown" };
    const asked = await askedAbout(pool, { direction, sellAmount, at }, parts);
    if (asked === undefined) return { kind: "fails", reason: "its contract quotes less than a moment ago, or nothing" };
    const swap = swapOf(asked, { direction, sellAmount, at }, parts);
    if (swap === undefined) return { kind: "unknown" };
    const { route, ...transaction } = swap;
    const run = await parts.runner.run({
      ...{ ...transaction, at, avoidHolders: holdersOn(route) },
      code: parts.code?.() ?? [],
    });
    const takesDonations = parts.sources.get(pool.source)?.takesDonations === true;
    const roundsSold = countsNamed(pool, route.sellToken);
    const leeway = { moves: movesWithTime(pool), takesDonations, roundsSold };
    const asPromised = judge(run, route, leeway);
    if (asPromised.kind !== "fails" || run.kind !== "done" || !leeway.moves) return asPromised;
    const later = evaluateOver(route, () => asked, at.timestamp + run.secondsLater);
    return "broken" in later || judge(run, later, leeway).kind === "fails" ? asPromised : { kind: "works" };
  }

  return async (pool, at) => {
    let worked = false;
    for (const [sell] of pool.tokens.entries()) {
      const buy = (sell + 1) % pool.tokens.length;
      const outcome = await tryDirection(pool, { sell, buy }, at);
      if (outcome.kind === "fails") return outcome;
      worked ||= outcome.kind === "works";
    }
    return worked ? { kind: "works" } : { kind: "unknown" };
  };
}

/** One small swap of a pool. */
interface SwapOfPool {
  readonly direction: Direction;
  readonly sellAmount: bigint;
  readonly at: BlockRef;
}

/** Amount with which a pool is tried; undefined if it has no small swap. */
function swapAmount(
  pool: Pool,
  direction: Direction,
  at: BlockRef,
  { sources }: Pick<TrialParts, "sources">,
): bigint | undefined {
  const source = sources.get(pool.source);
  if (source === undefined) return undefined;
  return source.wrapsNative === true ? WRAPPED_WEI : smallAmount(pool, direction, at.timestamp);
}

/** The pool as its contract quotes the swap, where it has to be asked; undefined where it quotes less than the pool says. */
async function askedAbout(
  pool: Pool,
  { direction, sellAmount, at }: SwapOfPool,
  { sources, reader }: Pick<TrialParts, "sources" | "reader">,
): Promise<Pool | undefined> {
  const question = sources.get(pool.source)?.ask?.(pool, direction, sellAmount);
  if (question === undefined || reader === undefined) return pool;
  const [answer] = await reader.calls([question.call], at);
  return question.answered(answer);
}

/** Undefined where the pool does not make it. */
function swapOf(pool: Pool, { direction, sellAmount, at }: SwapOfPool, parts: TrialParts): SmallSwap | undefined {
  const { settlement, sources } = parts;
  const source = sources.get(pool.source);
  if (source === undefined) return undefined;
  const wraps = source.wrapsNative === true;
  const [sellToken, buyToken] = [pool.tokens[direction.sell]!, pool.tokens[direction.buy]!];
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount } as const;
  const route = evaluatePlan([{ pool, direction, share: SHARE_ONE }], order, at.timestamp);
  if ("broken" in route) return undefined;
  const deadline = at.timestamp + TTL_SECONDS;
  const ends = { sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n };
  const terms: SwapTerms = { ...ends, recipient: ZERO_ADDRESS, deadline };
  if (wraps) {
    // The executor wraps on the way only: at an end of a route the token's own contract is called, as by users.
    const wrapped = sellToken === NATIVE_TOKEN ? buyToken : sellToken;
    return {
      route,
      terms,
      transaction: wrapTransaction(sellToken, sellAmount, wrapped),
      allowanceTarget: ZERO_ADDRESS,
    };
  }
  const transaction = settlement.encode(route, terms, (fill) => source.action(pool, fill));
  return { route, terms, transaction, allowanceTarget: settlement.allowanceTarget };
}

function smallAmount(pool: Pool, direction: Direction, time: bigint): bigint | undefined {
  const curve = mathOf(pool).curve(pool.state, direction, time);
  if (curve === undefined) return undefined;
  const amount = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * PRICE_MOVED_TO), curve.maxSell);
  if (!Number.isFinite(amount) || amount < 1) return undefined;
  const { maxSell } = mathOf(pool).limits(pool.state, direction, time);
  // The float of a large amount may be above it.
  return BigInt(Math.floor(amount)) < maxSell ? BigInt(Math.floor(amount)) : maxSell;
}

function judge(
  run: TradeRun,
  { sellAmount, buyAmount }: Pick<Route, "sellAmount" | "buyAmount">,
  leeway: Tolerance,
): TrialOutcome {
  if (run.kind === "incomplete") return { kind: "unknown" };
  if (run.kind === "reverted") return { kind: "fails", reason: run.reason };
  const promised = { bought: buyAmount, sold: sellAmount };
  const broken = deviatingSide(run, promised, { ...leeway, secondsLater: run.secondsLater });
  if ((run.sold === sellAmount || leeway.roundsSold === true) && broken === undefined) return { kind: "works" };
  return { kind: "fails", reason: `it pays ${run.bought} for ${run.sold} instead of ${buyAmount}` };
}
