import type { Address } from "../../domain/address.ts";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import { nameOf, type Token } from "../../domain/token.ts";
import type { NoRoute, TooSmallAt } from "../../routing/router.ts";
import { tokensOf } from "../answer/route-view.ts";
import { shownAmount, shownOrder, shownPair } from "../answer/shown-amount.ts";
import type { SwapRequest } from "../answer/types.ts";
import { largestFillable } from "./largest-fillable.ts";
import { deadlinePassed } from "./past-deadline.ts";
import { isWanted, onlyThese, queryOf, type SearchSetting } from "./route-query.ts";
import type { PoolFilter } from "./route-search.ts";
import { tokenOff } from "./switched-off.ts";
import { amountField, requestedAmountFor } from "./trade.ts";

/**
 * The answer to a request that has no route: the amount and, source by source, why not. Each source takes a search of its
 * own, and between them others have their turn.
 * @throws SwapError DEADLINE_EXCEEDED when nobody waits for it any more
 */
export async function noRoute(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
  reason: NoRoute,
): Promise<SwapError> {
  if (reason.kind === "TOO_SMALL") return tooSmall(request, reason.at, setting);
  const field = amountField(request);
  const switchedOff = tokenOff(request, setting.off);
  const { pass, isOver } = setting.search;
  /** Awaited between two searches. @throws SwapError when nobody waits for the answer any more */
  const turn = async () => {
    await pass();
    if (isOver()) throw deadlinePassed();
  };
  const query = queryOf(request, setting, { without });
  const timed = { ...query, budget: { ...query.budget, expired: isOver } };
  const most =
    switchedOff === undefined ? await largestFillable<typeof timed>(setting.search, timed, reason, turn) : undefined;
  await turn();
  const whole: Violation = {
    field,
    reason: "INSUFFICIENT_ASSET_LIQUIDITY",
    description:
      switchedOff === undefined
        ? (await describe(request, reason, setting, { without }, most)) +
          (await describeKeptOut(request, setting)) +
          (await overNoHops(request, reason, setting, without)) +
          (await beyondLimits(request, setting, without))
        : `the operator has switched off the ${sideOf(request, switchedOff)} token ${nameOf(switchedOff)}; send another token`,
  };
  const violations = [whole];
  for (const { id, wrapsNative } of setting.sources.values()) {
    if (wrapsNative === true) continue;
    await turn();
    const description = `${id}: ${await sourceReason(request, setting, id, reason)}`;
    violations.push({ field, reason: "SOURCE_CANNOT_SERVE", description });
  }
  return refuse("INSUFFICIENT_ASSET_LIQUIDITY", whole.description, { violations });
}

/** Why one source alone, with the wrappers, cannot serve a request. `reason`: why all of them cannot. */
async function sourceReason(
  request: SwapRequest,
  setting: SearchSetting,
  id: SourceId,
  reason: NoRoute,
): Promise<string> {
  if (!isWanted(request, id, setting.sources)) return "left out by the request";
  if (setting.off.source.has(id)) return "switched off by the operator";
  const kind = setting.sources.get(id)?.kind;
  if ((kind === "maker" || kind === "rfq") && request.taker === undefined) {
    return "shows no levels for this; its firm orders are for quotes that name a takerAddress";
  }
  const state = setting.snapshot.sources.get(id);
  if (state !== undefined && state.status !== "live") {
    return `not in use now, it is ${state.status}${state.reason === undefined ? "" : `: ${state.reason}`}`;
  }
  const alone = { sources: onlyThese([id], setting.sources) };
  const result = await setting.search.findBest({
    ...queryOf(request, setting, alone),
    isAnyEnough: true,
    // An amount too large for all sources is too large for one: whether it has a path at all takes few steps.
    ...(reason.kind === "NOT_ENOUGH_LIQUIDITY" && { budget: { ...setting.budget, maxSteps: 0 } }),
  });
  if (result.found) return "its pools failed when the transaction was simulated";
  return describe(request, result.reason, setting, alone);
}

/** Names the tokens with inexact transfers that a route would need. */
async function describeKeptOut(request: SwapRequest, setting: SearchSetting): Promise<string> {
  const keptOut = setting.verdicts.keptOut();
  if (keptOut.size === 0) return "";
  const query = queryOf(request, setting, { keptOut: new Map() });
  const other = await setting.search.findBest({ ...query, isAnyEnough: true });
  if (!other.found) return "";
  const inTheWay = tokensOf(other.route).flatMap((token) => {
    const why = keptOut.get(token);
    return why === undefined ? [] : [`${token} ${why}`];
  });
  return inTheWay.length === 0
    ? ""
    : `; pools with tokens that do not move exactly are left out: ${inTheWay.join("; ")}`;
}

/** Why there is no route over the wanted pools. `most`: the largest amount that the router has one for, where known. */
async function describe(
  request: SwapRequest,
  reason: NoRoute,
  setting: SearchSetting,
  pools: Partial<PoolFilter>,
  most?: bigint,
): Promise<string> {
  const { amount } = request;
  const pair = shownPair(request);
  if (reason.kind === "NO_PATH") {
    return amount.kind === "exactOut" && (await canBeSold(request, setting, pools))
      ? `the pools that lead from ${pair} cannot be asked for an exact buyAmount; send a sellAmount`
      : `no pools lead from ${pair}`;
  }
  if (reason.kind === "TOO_SMALL") return tooSmallReason(request, reason.at, setting);
  const token = amount.kind === "exactIn" ? request.sellToken : request.buyToken;
  const field = amountField(request);
  const advice =
    most === undefined
      ? `send a smaller ${field}`
      : `send a ${field} of at most ${shownAmount(requestedAmountFor(request, most), token)}`;
  return `not enough liquidity for ${shownOrder(request)}; ${advice}`;
}

/** The tokens of a way that there is, and that no route takes since they are no hops. */
async function overNoHops(
  request: SwapRequest,
  reason: NoRoute,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
): Promise<string> {
  const { hops } = setting.snapshot.graph;
  if (hops === undefined || reason.kind !== "NO_PATH") return "";
  const query = queryOf(request, setting, { without });
  const other = await setting.search.findBest({ ...query, overAnyToken: true, isAnyEnough: true });
  if (!other.found) return "";
  const ends = [request.sellToken.address, request.buyToken.address];
  const between = tokensOf(other.route).filter((token) => !hops.has(token) && !ends.includes(token));
  return `; a route over ${between.join(", ")} is not taken: only tokens that are listed, or old and deep, are hops (docs/sources.md)`;
}

/** Reports a route that the request's own limits rule out. */
async function beyondLimits(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
): Promise<string> {
  const { limits, ...unlimited } = request;
  if (limits === undefined) return "";
  const other = await setting.search.findBest({ ...queryOf(unlimited, setting, { without }), isAnyEnough: true });
  return other.found
    ? "; without the limits that the request sets on pools, tokens, hops and fills there is a route"
    : "";
}

function sideOf({ sellToken }: SwapRequest, token: Token): "sold" | "bought" {
  return token.address === sellToken.address ? "sold" : "bought";
}

/** Whether pools that serve no exact outputs lead from the one token to the other. */
async function canBeSold(request: SwapRequest, setting: SearchSetting, pools: Partial<PoolFilter>): Promise<boolean> {
  const sold = queryOf({ ...request, amount: { kind: "exactIn", sellAmount: 1n } }, setting, pools);
  const exactInTrade = await setting.search.findBest({ ...sold, isAnyEnough: true });
  return exactInTrade.found || exactInTrade.reason.kind !== "NO_PATH";
}

/** The answer to a request whose amount is too small for the route's pools. */
function tooSmall(request: SwapRequest, at: TooSmallAt | undefined, setting: SearchSetting): SwapError {
  return tooSmallBecause(request, tooSmallReason(request, at, setting));
}

/** The answer to an exact-in trade of which the integrator's fee leaves nothing. */
export function feeTakesAll(request: SwapRequest, grossBuyAmount: bigint): SwapError {
  const { buyToken } = request;
  const paid = `${shownAmount(grossBuyAmount, buyToken)} of the bought token ${nameOf(buyToken)}`;
  const why = `its route pays ${paid}, of which the integrator's fee leaves nothing`;
  return tooSmallBecause(request, `${shownOrder(request)} is too little: ${why}; send a larger sellAmount`);
}

function tooSmallBecause(request: SwapRequest, description: string): SwapError {
  const field = amountField(request);
  const reason = field === "sellAmount" ? "SELL_AMOUNT_TOO_SMALL" : "BUY_AMOUNT_TOO_SMALL";
  return refuse("INVALID_PARAMETERS", description, { violations: [{ field, reason, description }] });
}

/** Limit that an amount is too small for: a venue's minimum, or a base unit of what a pool would pay. */
function tooSmallReason(request: SwapRequest, at: TooSmallAt | undefined, { tokens }: SearchSetting): string {
  const asked = `${shownOrder(request)} is too little`;
  const advice = `send a larger ${amountField(request)}`;
  if (at === undefined) return `${asked}: no whole base unit comes out; ${advice}`;
  const { least, source, poolId } = at;
  const shown = (address: Address, amount: bigint) => {
    const token = tokenAt(request, address) ?? tokens.known(address);
    const many = token === undefined ? `${amount} base units` : shownAmount(amount, token);
    return `${many} of ${token === undefined ? address : nameOf(token)}`;
  };
  const where = `${source} (pool ${poolId})`;
  if (least === undefined) {
    return `${asked}: ${where} would not pay ${shown(at.buyToken, 1n)} for what reaches it; ${advice}`;
  }
  const verb = least.of === "sold" ? "takes" : "pays";
  const bound = shown(least.of === "sold" ? at.sellToken : at.buyToken, least.amount);
  return `${asked}: ${where} ${verb} no less than ${bound} at once; ${advice}`;
}

function tokenAt({ sellToken, buyToken }: SwapRequest, address: Address): Token | undefined {
  return [sellToken, buyToken].find((token) => token.address === address);
}

/** The answer to a request that no transaction can carry, however few pools it uses. */
export function transactionTooLarge(request: SwapRequest, mostGas: bigint): SwapError {
  const description = `${shownOrder(request)} needs more than the ${mostGas} gas that a transaction may have; send a smaller ${amountField(request)}`;
  return refuse("INSUFFICIENT_ASSET_LIQUIDITY", description, {
    violations: [{ field: amountField(request), reason: "INSUFFICIENT_ASSET_LIQUIDITY", description }],
  });
}
