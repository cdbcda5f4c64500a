import { createRandom, type Random } from "../../devnet/plan/random.ts";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { type Direction, isRejection } from "../../pools/pool-math.ts";
import { FRACTION_ONE, type SwapRequest } from "../../quoting/answer/types.ts";

/** One trade to be quoted and run. */
export interface TradeCase {
  /** Together with the audit's seed: which random trade it is. */
  readonly index: number;
  readonly request: SwapRequest;
  /** The one source that is asked; undefined where all are. */
  readonly source: string | undefined;
}

/** Two tokens that are traded both ways. */
export type TokenPair = readonly [Address, Address];

export interface CaseOptions {
  readonly seed: number;
  readonly wrappedNative: Address;
  readonly sources: ReadonlyMap<string, Pick<LiquiditySource, "exactOut">>;
  /** The only sources that are asked; all by default. */
  readonly included: readonly string[];
  /** Absent: pairs are random. */
  readonly pairs: readonly TokenPair[] | undefined;
  readonly describe: (token: Address) => Promise<Token>;
}

/** Decimal orders of magnitude between the smallest and the largest size. */
const SIZE_ORDERS = 7;
/** The largest size moves the price of the pool that it is measured by to this part of what it was, and less by as much. */
const MAX_MOVED = 0.6;
/** Sizes in base units where a pool is straight and has no end: 10^this at most. */
const ENDLESS_ORDERS = 24;
/** Wei that a trade of a given pair is worth at most, as a power of ten, and at least. */
const PAIR_ORDERS = { most: 20, least: 13 };
const FEES_PPM = [1n, 250n, 1_000n, 100_000n];
/** Gets the integrator's fee: an address without code, history or meaning. */
const FEE_RECIPIENT = "0x7472696275746172792d61756469742d66656531" as Address;
const SEED_STRIDE = 0x9e37_79b1;

/**
 * Random trades, the same for the same seed, index and snapshot: sources have their turns one after the other, half of the
 * trades over that source alone and half over all, from dust to what moves a pool's price by more than half, both ways, for
 * either amount, a fifth with a fee. Undefined where the turn's pool cannot be traded with as it is.
 */
export async function tradeCase(
  index: number,
  snapshot: Snapshot,
  options: CaseOptions,
): Promise<TradeCase | undefined> {
  const random = createRandom(options.seed + Math.imul(index, SEED_STRIDE));
  const trade =
    options.pairs === undefined
      ? randomTrade(index, random, snapshot, options)
      : pairTrade(index, random, snapshot, options.pairs);
  if (trade === undefined) return undefined;
  const [sellToken, buyToken] = await Promise.all([trade.sellToken, trade.buyToken].map(options.describe));
  const { included } = options;
  return {
    ...{ index, source: trade.source },
    request: {
      ...{ sellToken: sellToken!, buyToken: buyToken!, amount: trade.amount },
      slippage: FRACTION_ONE / 100n,
      sources:
        trade.source !== undefined
          ? { kind: "only", ids: [trade.source] }
          : included.length > 0
            ? { kind: "only", ids: included }
            : { kind: "all" },
      ...(random.below(5) === 0 && { fee: { ratePpm: random.pick(FEES_PPM), recipient: FEE_RECIPIENT } }),
      skipValidation: true,
    },
  };
}

interface Trade extends Pick<SwapRequest, "amount"> {
  readonly source: string | undefined;
  readonly sellToken: Address;
  readonly buyToken: Address;
}

/** A trade that a pool of the turn's source could do. */
function randomTrade(
  index: number,
  random: Random,
  { graph, block }: Snapshot,
  { sources, included, wrappedNative }: CaseOptions,
): Trade | undefined {
  const bySource = Map.groupBy(graph.all(), (pool) => pool.source);
  const names = [...bySource.keys()].filter(
    (id) => sources.has(id) && (included.length === 0 || included.includes(id)),
  );
  const name = names.sort()[index % Math.max(names.length, 1)];
  if (name === undefined) return undefined;
  const pool = random.pick(bySource.get(name)!);
  const sell = random.below(pool.tokens.length);
  const buy = (sell + 1 + random.below(pool.tokens.length - 1)) % pool.tokens.length;
  const sellAmount = sizeIn(pool, { sell, buy }, block.timestamp, random);
  if (sellAmount === undefined) return undefined;
  const [sold, bought] = [pool.tokens[sell]!, pool.tokens[buy]!];
  /** Half of what is traded in the wrapped native token is traded in the native one. */
  const natively = (token: Address) => (token === wrappedNative && random.below(2) === 0 ? NATIVE_TOKEN : token);
  const source = random.below(2) === 0 ? name : undefined;
  const isExactOut = sources.get(name)?.exactOut === true && random.below(5) < 2;
  const quote = mathOf(pool).quoteExactIn(pool.state, { sell, buy }, sellAmount, block.timestamp);
  const far = source === undefined && random.below(3) === 0 ? random.pick(random.pick(graph.all()).tokens) : bought;
  const sellToken = natively(sold);
  const buyToken = natively(far === sold || far === sellToken ? bought : far);
  if (sellToken === buyToken) return undefined;
  // An output is known of the pool's own token only.
  if (isExactOut && !isRejection(quote) && quote.amount > 0n && [bought, NATIVE_TOKEN].includes(buyToken)) {
    return { source, sellToken, buyToken, amount: { kind: "exactOut", buyAmount: quote.amount } };
  }
  return { source, sellToken, buyToken, amount: { kind: "exactIn", sellAmount } };
}

/** An amount from dust to what moves the pool's price by more than half; undefined where it takes nothing. */
function sizeIn(pool: Pool, direction: Direction, time: bigint, random: Random): bigint | undefined {
  const curve = mathOf(pool).curve(pool.state, direction, time);
  if (curve === undefined) return undefined;
  // Large sizes more often than small ones: what goes wrong at a tick or a limit shows there.
  const part = 10 ** (-SIZE_ORDERS * unitOf(random) ** 2);
  const moved = curve.sellAmountAtRate(curve.marginalRate(0) * (1 - MAX_MOVED * part));
  const isStraight = moved >= curve.maxSell;
  const amount = isStraight ? Math.min(curve.maxSell, 10 ** ENDLESS_ORDERS) * part : moved;
  return Number.isFinite(amount) && amount >= 1 ? BigInt(Math.floor(amount)) : undefined;
}

/** A trade of a given pair, each the other way than the one before it. */
function pairTrade(index: number, random: Random, { rates }: Snapshot, pairs: readonly TokenPair[]): Trade | undefined {
  const pair = pairs[Math.floor(index / 2) % pairs.length]!;
  const [sellToken, buyToken] = index % 2 === 0 ? pair : [pair[1], pair[0]];
  const { least, most } = PAIR_ORDERS;
  const wei = BigInt(Math.floor(10 ** (least + (most - least) * unitOf(random))));
  const isExactOut = random.below(5) < 2;
  const rate = rates.perNative(isExactOut ? buyToken : sellToken);
  const amount = rate === undefined ? wei / 10n ** 12n : (wei * rate.num) / rate.den;
  if (amount === 0n) return undefined;
  return {
    ...{ source: undefined, sellToken, buyToken },
    amount: isExactOut ? { kind: "exactOut", buyAmount: amount } : { kind: "exactIn", sellAmount: amount },
  };
}

/** 0 to 1. */
function unitOf(random: Random): number {
  return random.below(2 ** 30) / 2 ** 30;
}
