import type { Address } from "../domain/address.ts";
import { NATIVE_TOKEN } from "../domain/address.ts";
import { fillsOf, type PoolId, type Route } from "../domain/route.ts";
import { SwapError } from "../domain/swap-error.ts";
import { withOrders } from "../market/indicative.ts";
import type { MarketGraph } from "../market/pool-store.ts";
import { mathOf } from "../pools/pool.ts";
import type { CallContext, SwapRequest } from "./answers.ts";
import { orderOf } from "./deal.ts";
import type { FirmAsk, MakerDesk } from "./ports.ts";
import { isWanted, type SearchSetting } from "./route-query.ts";
import { searchTested } from "./tested-tokens.ts";

/**
 * The setting for a quote: makers' levels give way to firm orders, of the makers that the best route over levels chooses
 * and of those that show no levels. They are asked once; without a taker nobody is asked, and no maker is on the route.
 */
export async function withFirmOrders<S extends SearchSetting>(
  request: SwapRequest,
  context: CallContext,
  setting: S,
  options: { readonly makers: MakerDesk | undefined; readonly wrappedNative: Address },
): Promise<S> {
  const { makers, wrappedNative } = options;
  const { snapshot } = setting;
  if (makers === undefined || request.taker === undefined) return { ...setting, snapshot: withOrders(snapshot, []) };
  const asks = [...(await chosenMakers(request, setting)), ...quoters(request, setting, makers, wrappedNative)];
  if (asks.length === 0) return { ...setting, snapshot: withOrders(snapshot, []) };
  const orders = await makers.firmOrders(asks, {
    requestId: context.requestId,
    taker: request.taker,
    at: snapshot.block,
    deadlineMs: context.deadlineMs ?? Number.POSITIVE_INFINITY,
    signal: context.signal,
  });
  if (context.signal.aborted) throw new SwapError("DEADLINE_EXCEEDED", "the deadline has passed");
  return { ...setting, snapshot: withOrders(snapshot, orders) };
}

/** The makers' orders on a route. */
export function ordersOn(route: Route, graph: MarketGraph): readonly PoolId[] {
  const ids = fillsOf(route).map((fill) => fill.poolId);
  return ids.filter((id) => graph.pool(id)?.curve === "signed-order");
}

/** Whether a route touches levels, which nobody has signed for. */
export function isIndicative(route: Route, graph: MarketGraph): boolean {
  return fillsOf(route).some((fill) => graph.pool(fill.poolId)?.curve === "levels");
}

/** What the best route over levels would have makers trade. */
async function chosenMakers(request: SwapRequest, setting: SearchSetting): Promise<readonly FirmAsk[]> {
  if (setting.snapshot.indicative === undefined) return [];
  const found = await searchTested(request, setting, new Set());
  // Makers that show no levels may still serve it; if not, the search after them says why not.
  if (!found.found) return [];
  const { route } = found;
  const asks = new Map<string, FirmAsk>();
  for (const { poolId, source, sellToken, buyToken, sellAmount, buyAmount } of fillsOf(route)) {
    const pool = setting.snapshot.graph.pool(poolId);
    if (pool?.curve !== "levels") continue;
    const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
    const spot = mathOf(pool).spotPrice(pool.state, direction, setting.snapshot.graph.time);
    if (spot === undefined) continue;
    const key = `${poolId} ${sellToken}`;
    const before = asks.get(key);
    const [takerAmount, makerAmount] = [sellAmount + takerOf(before), buyAmount + makerOf(before)];
    const sides = { source, takerToken: sellToken, makerToken: buyToken };
    asks.set(
      key,
      route.kind === "exactIn"
        ? { ...sides, amount: { kind: "exactIn", takerAmount }, level: { amount: makerAmount, spot } }
        : { ...sides, amount: { kind: "exactOut", makerAmount }, level: { amount: takerAmount, spot } },
    );
  }
  return [...asks.values()];
}

function takerOf(ask: FirmAsk | undefined): bigint {
  return (ask?.amount.kind === "exactIn" ? ask.amount.takerAmount : ask?.level?.amount) ?? 0n;
}

function makerOf(ask: FirmAsk | undefined): bigint {
  return (ask?.amount.kind === "exactOut" ? ask.amount.makerAmount : ask?.level?.amount) ?? 0n;
}

/** All of the trade, for each maker that shows no levels and deals in its tokens. */
function quoters(
  request: SwapRequest,
  setting: SearchSetting,
  makers: MakerDesk,
  wrappedNative: Address,
): readonly FirmAsk[] {
  const { off, sources } = setting;
  const order = orderOf(request);
  const erc20 = (token: Address) => (token === NATIVE_TOKEN ? wrappedNative : token);
  const [takerToken, makerToken] = [erc20(order.sellToken), erc20(order.buyToken)];
  if (off.token.has(takerToken) || off.token.has(makerToken)) return [];
  const amount: FirmAsk["amount"] =
    order.kind === "exactIn"
      ? { kind: "exactIn", takerAmount: order.sellAmount }
      : { kind: "exactOut", makerAmount: order.buyAmount };
  return makers
    .quotersOf(takerToken, makerToken)
    .filter((source) => isWanted(request, source, sources) && !off.source.has(source))
    .map((source): FirmAsk => ({ source, takerToken, makerToken, amount, level: undefined }));
}
