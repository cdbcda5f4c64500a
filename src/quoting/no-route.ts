import type { SourceId } from "../domain/source.ts";
import { SwapError, type Violation } from "../domain/swap-error.ts";
import type { Pool } from "../pools/pool.ts";
import { largestFillable } from "../routing/largest-fillable.ts";
import type { NoRoute } from "../routing/router.ts";
import type { SwapRequest } from "./answers.ts";
import { amountField, askingFor } from "./deal.ts";
import { tokenOff } from "./is-off.ts";
import { isWanted, queryOf, type SearchSetting } from "./route-query.ts";
import { tokensOf } from "./route-view.ts";
import { tooLate } from "./too-late.ts";

/**
 * The answer to a request that has no route: the amount and, source by source, why not. Each source takes a search of its
 * own, and between them others have their turn.
 * @throws SwapError DEADLINE_EXCEEDED when nobody waits for it any more
 */
export async function noRoute(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  reason: NoRoute,
): Promise<SwapError> {
  if (reason.kind === "TOO_SMALL") return tooSmall(request);
  const field = amountField(request);
  const switchedOff = tokenOff(request, setting.off);
  const query = queryOf(request, setting, wants);
  /** Awaited between two searches. @throws SwapError when nobody waits for the answer any more */
  const turn = async () => {
    await setting.myTurn();
    if (setting.budget.expired()) throw tooLate();
  };
  const most = switchedOff === undefined ? await largestFillable(setting.router, query, reason, turn) : undefined;
  await turn();
  const whole: Violation = {
    field,
    code: 1004,
    reason: "INSUFFICIENT_ASSET_LIQUIDITY",
    description:
      switchedOff === undefined
        ? describe(request, reason, setting, wants, most) + whatIsKeptOut(request, setting)
        : `the operator has switched off ${switchedOff.symbol} (${switchedOff.address}); send another token`,
  };
  const violations = [whole];
  for (const { id, wrapsNative } of setting.sources.values()) {
    if (wrapsNative === true) continue;
    await turn();
    const description = `${id}: ${whyNot(request, setting, id, reason)}`;
    violations.push({ field, code: 1004, reason: "SOURCE_CANNOT_SERVE", description });
  }
  return new SwapError("INSUFFICIENT_ASSET_LIQUIDITY", whole.description, { violations });
}

/** Why one source alone, with the wrappers, cannot serve a request. `reason`: why all of them cannot. */
function whyNot(request: SwapRequest, setting: SearchSetting, id: SourceId, reason: NoRoute): string {
  if (!isWanted(request, id, setting.sources)) return "left out by the request";
  if (setting.off.source.has(id)) return "switched off by the operator";
  const kind = setting.sources.get(id)?.kind;
  if ((kind === "maker" || kind === "rfq") && request.taker === undefined) {
    return "shows no levels for this; its firm orders are for quotes that name a takerAddress";
  }
  const state = setting.snapshot.sources.get(id);
  if (state !== undefined && state.status !== "live") return `not in use now, it is ${state.status}`;
  const wrapper = (pool: Pool) => setting.sources.get(pool.source)?.wrapsNative === true;
  const wants = (pool: Pool) => pool.source === id || wrapper(pool);
  const alone = setting.router.findBest({
    ...queryOf(request, setting, wants),
    isAnyEnough: true,
    // What is too much for all sources is too much for one: whether it has a path at all is a matter of few steps.
    ...(reason.kind === "NOT_ENOUGH_LIQUIDITY" && { budget: { ...setting.budget, maxSteps: 0 } }),
  });
  if (alone.found) return "its pools failed when the transaction was simulated";
  return describe(request, alone.reason, setting, wants);
}

/** What stands in the way of a route that there would be over tokens that do not move exactly. */
function whatIsKeptOut(request: SwapRequest, setting: SearchSetting): string {
  const keptOut = setting.verdicts.keptOut();
  if (keptOut.size === 0) return "";
  const wants = ({ source }: Pool) => isWanted(request, source, setting.sources);
  const other = setting.router.findBest({ ...queryOf(request, setting, wants, new Map()), isAnyEnough: true });
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
function describe(
  request: SwapRequest,
  reason: NoRoute,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  most?: bigint,
): string {
  const { sellToken, buyToken, amount } = request;
  const pair = `${sellToken.symbol} (${sellToken.address}) to ${buyToken.symbol} (${buyToken.address})`;
  if (reason.kind === "NO_PATH") {
    return amount.kind === "exactOut" && canBeSold(request, setting, wants)
      ? `the pools that lead from ${pair} cannot be asked for an exact buyAmount; send a sellAmount`
      : `no pools lead from ${pair}`;
  }
  if (reason.kind === "TOO_SMALL") return `the amount is too small to pay anything out, from ${pair}`;
  const asked = amount.kind === "exactIn" ? `sell ${amount.sellAmount}` : `buy ${amount.buyAmount}`;
  const advice = most === undefined ? "send a smaller amount" : `send at most ${askingFor(request, most)}`;
  return `not enough liquidity from ${pair} to ${asked} base units; ${advice}`;
}

/** Whether pools that serve no exact outputs lead from the one token to the other. */
function canBeSold(request: SwapRequest, setting: SearchSetting, wants: (pool: Pool) => boolean): boolean {
  const sold = queryOf({ ...request, amount: { kind: "exactIn", sellAmount: 1n } }, setting, wants);
  const sale = setting.router.findBest({ ...sold, isAnyEnough: true });
  return sale.found || sale.reason.kind !== "NO_PATH";
}

/** The answer to a request whose amount buys nothing. */
export function tooSmall(request: SwapRequest): SwapError {
  const field = amountField(request);
  const given = request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount;
  const reason = "SELL_AMOUNT_TOO_SMALL";
  const description = `${given} base units of ${request.sellToken.symbol} buy nothing after fees; send a larger ${field}`;
  return new SwapError("INVALID_PARAMETERS", description, {
    violations: [{ field, code: 1004, reason, description }],
  });
}

/** The answer to a request that no transaction can carry, however few pools it touches. */
export function tooHeavy(request: SwapRequest, mostGas: bigint): SwapError {
  const description = `this amount takes more than the ${mostGas} gas that a transaction may have; send a smaller amount`;
  return new SwapError("INSUFFICIENT_ASSET_LIQUIDITY", description, {
    violations: [{ field: amountField(request), code: 1004, reason: "INSUFFICIENT_ASSET_LIQUIDITY", description }],
  });
}
