import type { Address } from "../../domain/address.ts";
import { NATIVE_TOKEN } from "../../domain/address.ts";
import { makerPairId } from "../../domain/maker-order.ts";
import { fillsOf, type PoolId, type Route } from "../../domain/route.ts";
import { withOrders } from "../../market/indicative.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { MAX_UINT128 } from "../../math/full-math.ts";
import type { Curve } from "../../pools/curve/curve.ts";
import { curveOf, mathOf, type Pool } from "../../pools/pool.ts";
import { type Direction, isRejection } from "../../pools/pool-math.ts";
import { type CallContext, FRACTION_ONE, type SwapRequest } from "../answer/types.ts";
import type { FirmOrderContext, FirmOrderRequest, MakerDesk } from "../maker-ports.ts";
import { mostSlippageOf } from "../price/slippage.ts";
import type { KnownRoute } from "../search/known-route.ts";
import { deadlinePassed } from "../search/past-deadline.ts";
import { isWanted, type SearchSetting } from "../search/route-query.ts";
import { type FoundRoute, mayUseMakers } from "../search/search.ts";
import { orderOf } from "../search/trade.ts";
import { overOrders } from "./firm-route.ts";
import { searchTested } from "./tested-tokens.ts";

/**
 * The setting for a quote: makers' levels give way to firm orders, of the makers that the best route over levels chooses
 * and of those that show no levels. They are asked once; without a taker nobody is asked, and no maker is on the route.
 */
export async function withFirmOrders<S extends SearchSetting>(
  request: SwapRequest,
  context: CallContext,
  setting: S,
  /** `from`: Unix seconds that the lives of orders are counted from. */
  options: { readonly makers: MakerDesk | undefined; readonly wrappedNative: Address; readonly from: bigint },
): Promise<S> {
  const { makers, wrappedNative, from } = options;
  const { snapshot } = setting;
  if (makers === undefined || request.taker === undefined) return { ...setting, snapshot: withOrders(snapshot, []) };
  const overLevels = await searchOverLevels(request, setting);
  const asks = [
    ...(overLevels === undefined ? [] : chosenMakers(request, overLevels.route, setting, wrappedNative)),
    ...quoters(request, setting, makers, wrappedNative),
  ];
  const occasion: FirmOrderContext = {
    requestId: context.requestId,
    taker: request.taker,
    at: snapshot.block,
    from,
    deadlineMs: context.deadlineMs ?? Number.POSITIVE_INFINITY,
    signal: context.signal,
  };
  const orders = asks.length === 0 ? [] : await makers.firmOrders(asks, occasion);
  if (context.signal.aborted) throw deadlinePassed();
  if (overLevels === undefined) return { ...setting, snapshot: withOrders(snapshot, orders) };
  const firm = { ...setting, snapshot: withOrders(snapshot, orders) };
  const ends = {
    sellToken: erc20Of(request.sellToken.address, wrappedNative),
    buyToken: erc20Of(request.buyToken.address, wrappedNative),
  };
  const isFirm = orders.length === 0 && !isIndicative(overLevels.route, snapshot.graph);
  let known: KnownRoute | undefined = isFirm
    ? { found: overLevels, achieved: overLevels.certificate?.achieved, isBest: true }
    : overOrders({ overLevels, asks, orders, graph: firm.snapshot.graph, ends });
  return {
    ...firm,
    takeKnown() {
      const taken = known;
      known = undefined;
      return taken;
    },
  };
}

/** The makers' orders on a route. */
export function ordersOn(route: Route, graph: MarketGraph): readonly PoolId[] {
  const ids = fillsOf(route).map((fill) => fill.poolId);
  return ids.filter((id) => offerOf(graph.pool(id)) === "firm");
}

/** Whether a route uses levels, which nobody has signed for. */
export function isIndicative(route: Route, graph: MarketGraph): boolean {
  return fillsOf(route).some((fill) => offerOf(graph.pool(fill.poolId)) === "indicative");
}

function offerOf(pool: Pool | undefined): Curve<Pool["state"]>["offer"] {
  return pool && curveOf(pool).offer;
}

/** Trade of a route with one maker, according to its levels. */
interface LevelTrade {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly takerAmount: bigint;
  readonly makerAmount: bigint;
}

/**
 * The best route where levels take part. Undefined where the request leaves all of them out, and where there is none: makers
 * that show no levels may still serve it, and if not, the search after them says why not.
 */
async function searchOverLevels(request: SwapRequest, setting: SearchSetting): Promise<FoundRoute | undefined> {
  if (!mayUseMakers(request, setting)) return undefined;
  const found = await searchTested(request, setting, new Set());
  return found.found ? found : undefined;
}

/** Trades with makers on a route over levels. */
function chosenMakers(
  request: SwapRequest,
  route: Route,
  setting: SearchSetting,
  wrappedNative: Address,
): readonly FirmOrderRequest[] {
  const trades = new Map<string, LevelTrade>();
  for (const { poolId, sellToken, buyToken, sellAmount, buyAmount } of fillsOf(route)) {
    const pool = setting.snapshot.graph.pool(poolId);
    if (pool === undefined || offerOf(pool) !== "indicative") continue;
    const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
    const { takerAmount, makerAmount } = trades.get(`${poolId} ${sellToken}`) ?? { takerAmount: 0n, makerAmount: 0n };
    trades.set(`${poolId} ${sellToken}`, {
      pool,
      direction,
      takerAmount: takerAmount + sellAmount,
      makerAmount: makerAmount + buyAmount,
    });
  }
  return [...trades.values()].flatMap((trade) => askFor(request, trade, setting.snapshot.graph.time, wrappedNative));
}

function askFor(
  request: SwapRequest,
  trade: LevelTrade,
  time: bigint,
  wrappedNative: Address,
): readonly FirmOrderRequest[] {
  const { pool, direction } = trade;
  const spot = mathOf(pool).spotPrice(pool.state, direction, time);
  if (spot === undefined) return [];
  const [takerToken, makerToken] = [pool.tokens[direction.sell] as Address, pool.tokens[direction.buy] as Address];
  const sides = { source: pool.source, takerToken, makerToken };
  if (request.amount.kind === "exactIn") {
    const { takerAmount, makerAmount } = trade;
    return [{ ...sides, amount: { kind: "exactIn", takerAmount }, level: { amount: makerAmount, spot } }];
  }
  const isLast = makerToken === erc20Of(request.buyToken.address, wrappedNative);
  const { takerAmount, makerAmount } = isLast ? trade : withRoom(trade, mostSlippageOf(request), time);
  return [{ ...sides, amount: { kind: "exactOut", makerAmount }, level: { amount: takerAmount, spot } }];
}

/** Most room in an order, scaled as slippage is: fills of less than half of one are not for sure. */
const MAX_ROOM = FRACTION_ONE / 2n;

/**
 * An exact-out trade draws from a maker what the pools behind it take in the end, up to the slippage more than quoted, and an order
 * gives no more than it says. What is not drawn stays with the maker.
 */
function withRoom(trade: LevelTrade, slippage: bigint, time: bigint): LevelTrade {
  const { pool, direction } = trade;
  const room = slippage < MAX_ROOM ? slippage : MAX_ROOM;
  const makerAmount = trade.makerAmount + (trade.makerAmount * room) / FRACTION_ONE;
  const quoted = mathOf(pool).quoteExactOut(pool.state, direction, makerAmount, time);
  return isRejection(quoted) ? trade : { ...trade, makerAmount, takerAmount: quoted.amount };
}

function erc20Of(token: Address, wrappedNative: Address): Address {
  return token === NATIVE_TOKEN ? wrappedNative : token;
}

/** All of the trade, for each maker that shows no levels and deals in its tokens. No order can hold more than 2^128 - 1. */
function quoters(
  request: SwapRequest,
  setting: SearchSetting,
  makers: MakerDesk,
  wrappedNative: Address,
): readonly FirmOrderRequest[] {
  const { off, sources } = setting;
  const order = orderOf(request);
  const [takerToken, makerToken] = [erc20Of(order.sellToken, wrappedNative), erc20Of(order.buyToken, wrappedNative)];
  if (off.token.has(takerToken) || off.token.has(makerToken)) return [];
  if ((order.kind === "exactIn" ? order.sellAmount : order.buyAmount) > MAX_UINT128) return [];
  const amount: FirmOrderRequest["amount"] =
    order.kind === "exactIn"
      ? { kind: "exactIn", takerAmount: order.sellAmount }
      : { kind: "exactOut", makerAmount: order.buyAmount };
  const excluded = new Set(request.limits?.excludedPools);
  return makers
    .quotersOf(takerToken, makerToken)
    .filter((source) => isWanted(request, source, sources) && !off.source.has(source))
    .filter((source) => !excluded.has(makerPairId(source, takerToken, makerToken)))
    .filter((source) => !excluded.has(makerPairId(source, makerToken, takerToken)))
    .map((source): FirmOrderRequest => ({ source, takerToken, makerToken, amount, level: undefined }));
}
