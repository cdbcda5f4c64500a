import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import { SwapError, type Violation } from "../domain/swap-error.ts";
import type { SwitchedOff } from "../domain/switches.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { type Pool, servesExactOut } from "../pools/pool.ts";
import { largestFillable } from "../routing/largest-fillable.ts";
import type { Certificate, NoRoute, RouteRequest, RouteResult, Router, SearchBudget } from "../routing/router.ts";
import type { SwapRequest } from "./answers.ts";
import { gasPriceWithData } from "./data-fee.ts";
import { dealOf, orderOf } from "./deal.ts";
import { holdsKeptOut, isPoolOff, tokenOff } from "./is-off.ts";
import type { TokenVerdicts } from "./ports.ts";
import { type SourceCatalog, tokensOf } from "./route-view.ts";

const WIDE_BPS = 5n;

export type FoundRoute = Extract<RouteResult, { found: true }>;

/** What a search works with, apart from the request. */
export interface SearchSetting {
  readonly router: Router;
  readonly sources: SourceCatalog;
  readonly snapshot: Snapshot;
  readonly gasPrice: bigint;
  readonly budget: SearchBudget;
  /** What the operator has switched off. */
  readonly off: SwitchedOff;
  readonly verdicts: TokenVerdicts;
}

/**
 * The best route for a request that touches none of `without`.
 * @throws SwapError naming the amount and, source by source, why there is no route.
 */
export function searchRoute(request: SwapRequest, setting: SearchSetting, without: ReadonlySet<PoolId>): FoundRoute {
  const wanted = (source: SourceId) => isWanted(request, source, setting.sources);
  const wants = (pool: Pool) => wanted(pool.source) && !without.has(pool.id);
  const result = noWorseForMakers(request, setting, wants, findBest(request, setting, wants));
  if (!result.found) throw refusal(request, setting, wants, result.reason);
  if (dealOf(request, result.route).buyAmount === 0n) throw tooSmall(request);
  return result;
}

/** Whether a request's filters leave a source in. Wrappers of the native token stay unless they are excluded by name. */
export function isWanted(request: SwapRequest, source: SourceId, sources: SourceCatalog): boolean {
  switch (request.sources.kind) {
    case "all":
      return true;
    case "without":
      return !request.sources.ids.includes(source);
    case "only":
      return request.sources.ids.includes(source) || sources.get(source)?.wrapsNative === true;
  }
}

/**
 * Makers' offers are steps, which a search can stumble over: where it leaves much of its bound open, the best route without
 * makers is looked at too, and the better one taken. The bound holds for both.
 */
function noWorseForMakers(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  all: RouteResult,
): RouteResult {
  const makers = [...setting.sources.values()].some(({ kind }) => kind === "maker" || kind === "rfq");
  if (!makers || !all.found || all.certificate === undefined || !isWide(all.certificate)) return all;
  const chain = findBest(request, setting, (pool) => !isMakers(pool) && wants(pool));
  if (!chain.found || chain.certificate === undefined) return all;
  const [other, own] = [chain.certificate.achieved, all.certificate.achieved];
  const better = request.amount.kind === "exactIn" ? other > own : other < own;
  return better ? { ...chain, certificate: { bound: all.certificate.bound, achieved: other } } : all;
}

function isMakers({ curve }: Pool): boolean {
  return curve === "levels" || curve === "signed-order";
}

/** Whether more than WIDE_BPS of what was achieved may be missing. */
function isWide({ bound, achieved }: Certificate): boolean {
  const open = bound > achieved ? bound - achieved : achieved - bound;
  return open * 10_000n > WIDE_BPS * (achieved < 0n ? -achieved : achieved);
}

function findBest(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  keptOut = setting.verdicts.keptOut(),
): RouteResult {
  return setting.router.findBest(queryOf(request, setting, wants, keptOut));
}

/** What the router is asked, over the wanted pools but for those that are off or hold a token of `keptOut`. */
function queryOf(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  keptOut: ReturnType<TokenVerdicts["keptOut"]>,
): RouteRequest {
  const { snapshot, gasPrice, budget, off } = setting;
  const exactOut = request.amount.kind === "exactOut";
  const isLeftOut = (pool: Pool) => isPoolOff(pool, off) || holdsKeptOut(pool, keptOut);
  const allows = (pool: Pool) => wants(pool) && !isLeftOut(pool) && (!exactOut || servesExactOut(pool));
  return {
    order: orderOf(request),
    graph: snapshot.graph,
    allows,
    cost: { gasPrice: gasPriceWithData(gasPrice, snapshot.dataFee), rate: (token) => snapshot.rates.perNative(token) },
    budget,
  };
}

function refusal(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  reason: NoRoute,
): SwapError {
  if (reason.kind === "TOO_SMALL") return tooSmall(request);
  const field = amountField(request);
  const switchedOff = tokenOff(request, setting.off);
  const query = queryOf(request, setting, wants, setting.verdicts.keptOut());
  const most = switchedOff === undefined ? largestFillable(setting.router, query, reason) : undefined;
  const whole: Violation = {
    field,
    code: 1004,
    reason: "INSUFFICIENT_ASSET_LIQUIDITY",
    description:
      switchedOff === undefined
        ? describe(request, reason, most) + whatIsKeptOut(request, setting)
        : `the operator has switched off ${switchedOff.symbol} (${switchedOff.address})`,
  };
  const liquid = [...setting.sources.values()].filter((source) => source.wrapsNative !== true);
  const each = liquid.map((source): Violation => {
    const description = `${source.id}: ${whyNot(request, setting, source.id)}`;
    return { field, code: 1004, reason: "SOURCE_CANNOT_SERVE", description };
  });
  return new SwapError("INSUFFICIENT_ASSET_LIQUIDITY", "no route for this amount", { violations: [whole, ...each] });
}

/** Why one source alone, with the wrappers, cannot serve a request. */
function whyNot(request: SwapRequest, setting: SearchSetting, id: SourceId): string {
  if (!isWanted(request, id, setting.sources)) return "left out by the request";
  if (setting.off.source.has(id)) return "switched off by the operator";
  const kind = setting.sources.get(id)?.kind;
  if ((kind === "maker" || kind === "rfq") && request.taker === undefined) {
    return "shows no levels for this; its firm orders are for quotes that name a takerAddress";
  }
  const state = setting.snapshot.sources.get(id);
  if (state !== undefined && state.status !== "live") return `not in use now, it is ${state.status}`;
  const wrapper = (pool: Pool) => setting.sources.get(pool.source)?.wrapsNative === true;
  const alone = findBest(request, setting, (pool) => pool.source === id || wrapper(pool));
  if (alone.found) return "its pools failed when the transaction was simulated";
  return describe(request, alone.reason);
}

/** What stands in the way of a route that there would be over tokens that do not move exactly. */
function whatIsKeptOut(request: SwapRequest, setting: SearchSetting): string {
  const keptOut = setting.verdicts.keptOut();
  if (keptOut.size === 0) return "";
  const other = findBest(request, setting, ({ source }) => isWanted(request, source, setting.sources), new Map());
  if (!other.found) return "";
  const inTheWay = tokensOf(other.route).flatMap((token) => {
    const why = keptOut.get(token);
    return why === undefined ? [] : [`${token} ${why}`];
  });
  return inTheWay.length === 0
    ? ""
    : `; pools with tokens that do not move exactly are left out: ${inTheWay.join("; ")}`;
}

/** Why there is no route. `most`: the largest amount that has one, where known. */
function describe(request: SwapRequest, reason: NoRoute, most?: bigint): string {
  const { sellToken, buyToken, amount } = request;
  const pair = `${sellToken.symbol} (${sellToken.address}) to ${buyToken.symbol} (${buyToken.address})`;
  if (reason.kind === "NO_PATH") return `no pools lead from ${pair}`;
  if (reason.kind === "TOO_SMALL") return `the amount is too small to pay anything out, from ${pair}`;
  const asked = amount.kind === "exactIn" ? `sell ${amount.sellAmount}` : `buy ${amount.buyAmount}`;
  const advice = most === undefined ? "send a smaller amount" : `send at most ${most}`;
  return `not enough liquidity from ${pair} to ${asked} base units; ${advice}`;
}

function tooSmall(request: SwapRequest): SwapError {
  const field = amountField(request);
  const given = request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount;
  const reason = "SELL_AMOUNT_TOO_SMALL";
  const description = `${given} base units of ${request.sellToken.symbol} buy nothing after fees; send a larger ${field}`;
  return new SwapError("INVALID_PARAMETERS", description, {
    violations: [{ field, code: 1004, reason, description }],
  });
}

/** The parameter that holds the amount of a request. */
export function amountField(request: SwapRequest): "sellAmount" | "buyAmount" {
  return request.amount.kind === "exactIn" ? "sellAmount" : "buyAmount";
}
