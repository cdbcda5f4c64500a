import { type Address, isAddressText, toAddress } from "../../domain/address.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import { fillsOf, type PoolId } from "../../domain/route.ts";
import { nameOf } from "../../domain/token.ts";
import { isSameTax, type TokenTax } from "../../domain/token-verdict.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { taxOf, tradesTaxed } from "../../market/taxed-pools.ts";
import { tokensOf } from "../answer/route-view.ts";
import type { SwapRequest } from "../answer/types.ts";
import type { TokenVerdicts } from "../ports.ts";
import { betterOf } from "../search/known-route.ts";
import { isSoldByName } from "../search/named-amounts.ts";
import type { SearchSetting } from "../search/route-query.ts";
import { type FoundRoute, type NoneFound, searchRoute } from "../search/search.ts";
import { routeAmountsOf } from "../search/trade.ts";

const NONE: ReadonlyMap<Address, string> = new Map();
const UNTAXED: ReadonlyMap<Address, TokenTax> = new Map();

/** Takes every token for plain: for work without a node. */
export const ALL_PLAIN: TokenVerdicts = {
  keptOut: () => NONE,
  taxes: () => UNTAXED,
  isUntestable: () => false,
  test: () => undefined,
  testAgain: async () => false,
};

/** Parts by which tokens are admitted. */
interface Admission {
  readonly verdicts: TokenVerdicts;
  readonly snapshot: Pick<Snapshot, "graph">;
}

/** Routes that are dropped in one search, since a token on them was met for the first time and found at fault. */
const MAX_DROPPED = 8;

/**
 * Makes sure that a request's own tokens move exactly, or keep a constant part of each transfer that the snapshot's pools
 * reckon with. Tokens that no pool trades are not tested: no route leads over them, and anybody can name one after another.
 * @returns whether the snapshot holds what is known of their taxes; a newer one does where it does not
 * @throws SwapError naming each that does not, with what was found.
 */
export async function admitTokens(request: SwapRequest, { verdicts, snapshot }: Admission): Promise<boolean> {
  const { graph } = snapshot;
  const fields = [
    ["sellToken", request.sellToken],
    ["buyToken", request.buyToken],
  ] as const;
  const traded = fields.map(([, { address }]) => address).filter((token) => graph.poolsOf(token).length > 0);
  await verdicts.test(traded);
  const keptOut = verdicts.keptOut();
  const isOutdated = traded.some((token) => !showsTax(token, verdicts, graph));
  const violations = fields.flatMap(([field, token]): readonly Violation[] => {
    const reason = keptOut.get(token.address);
    if (reason === undefined) return [];
    if (taxOf(graph, token.address) !== undefined) return refusedWithTax(request, field);
    if (field === "sellToken" && isSoldByName(graph, token.address)) return refusedByName(request);
    // Known of, and not shown yet: a newer snapshot decides.
    if (isOutdated && verdicts.taxes().has(token.address)) return [];
    const description =
      `${field} cannot be traded here: ${nameOf(token)} ${reason}. No amount would be exact. ` +
      "Send another token, or the wrapped form of this one if there is one. It is tested again from time to time.";
    return [{ field, reason: "TOKEN_NOT_SUPPORTED", description }];
  });
  if (violations.length === 0) return !isOutdated;
  throw refuse("INVALID_PARAMETERS", "a token does not move exactly", { violations });
}

/** Makes sure of it in a snapshot that stays. @throws SwapError as above, and when a tax has changed since */
export async function admitTokensNow(request: SwapRequest, admission: Admission): Promise<void> {
  if (await admitTokens(request, admission)) return;
  const { at } = request;
  if (at !== undefined) {
    const description =
      `blockNumber ${at.block.number} is of before it was measured what sellToken or buyToken keeps of its transfers. ` +
      "Send a newer block, or leave it out to have the newest.";
    throw refuse("INVALID_PARAMETERS", "the block has no exact price of a token", {
      violations: [{ field: "blockNumber", reason: "OUT_OF_RANGE", description }],
    });
  }
  const message = "What a token keeps of its transfers was measured just now, and is another than before. Try again.";
  throw refuse("UNAVAILABLE", message);
}

/** Whether a graph has pairs of a token with exactly the tax that was measured here, if any was and any pair can be. */
function showsTax(token: Address, verdicts: TokenVerdicts, graph: Snapshot["graph"]): boolean {
  const [measured, shown] = [verdicts.taxes().get(token), taxOf(graph, token)];
  if (measured === undefined) return true;
  if (shown !== undefined) return isSameTax(measured, shown);
  return !graph.poolsOf(token).some(tradesTaxed);
}

/** Options that a sold token excludes whose balances are rounded: what they move of it cannot be told to the unit. */
function refusedByName({ sellToken, fee, approvalMode }: SwapRequest): readonly Violation[] {
  const found = (field: string, description: string): Violation => ({
    field,
    reason: "TOKEN_NOT_SUPPORTED",
    description,
  });
  const rounds = `${nameOf(sellToken)} rounds what is transferred`;
  return [
    ...(fee?.fromSold === true
      ? [found("swapFeeToken", `No integrator fee can be taken of sellToken: ${rounds}. Send the address of buyToken.`)]
      : []),
    ...(approvalMode === "permit2"
      ? [found("approvalMode", `approvalMode cannot be permit2: ${rounds}, and would be sent twice. Send approve.`)]
      : []),
  ];
}

/** Options that a token with a transfer tax excludes: each would be taxed once more. */
function refusedWithTax(request: SwapRequest, field: "sellToken" | "buyToken"): readonly Violation[] {
  const { fee, approvalMode } = request;
  const found = (name: string, description: string): Violation => ({
    field: name,
    reason: "NOT_WITH_TAX",
    description,
  });
  const keeps = `${nameOf(request[field])} keeps a part of what is transferred`;
  const feeIsTaxed = fee !== undefined && (fee.fromSold === true) === (field === "sellToken");
  const other = field === "sellToken" ? "buyToken" : "sellToken";
  return [
    ...(feeIsTaxed
      ? [found("swapFeeToken", `No integrator fee can be taken of ${field}: ${keeps}. Send the address of ${other}.`)]
      : []),
    ...(field === "sellToken" && approvalMode === "permit2"
      ? [found("approvalMode", `approvalMode cannot be permit2: ${keeps}, and would be sent twice. Send approve.`)]
      : []),
  ];
}

/**
 * The best route for a request whose tokens were all tested: those that are met for the first time are tested before
 * the route is believed. There is none either when one after the other has to be dropped.
 */
export async function searchTested(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
): Promise<FoundRoute | NoneFound> {
  const { verdicts } = setting;
  for (let dropped = 0; dropped <= MAX_DROPPED; dropped++) {
    const given = setting.takeKnown?.();
    // A fee may take all that worse orders leave.
    const known = given && routeAmountsOf(request, given.found.route).buyAmount > 0n ? given : undefined;
    const searched = known?.isBest === true ? known.found : await searchRoute(request, setting, without);
    const found = known === undefined ? searched : betterOf(known, searched);
    if (!found.found) return found;
    const tokens = tokensOf(found.route);
    const testing = verdicts.test(tokens);
    if (testing === undefined) return found;
    await testing;
    const { graph } = setting.snapshot;
    const isUsable = (token: Address) =>
      !verdicts.keptOut().has(token) ||
      taxOf(graph, token) !== undefined ||
      (token === request.sellToken.address && isSoldByName(graph, token));
    if (tokens.every(isUsable)) return found;
  }
  const message = "Tokens on the best routes were met for the first time, and do not move exactly. Try again.";
  return { found: false, explain: async () => refuse("UNAVAILABLE", message) };
}

/** The contracts among a route's pools: they hold what it moves. */
export function holdersOn(route: FoundRoute["route"]): readonly Address[] {
  return fillsOf(route).flatMap(({ poolId }) => (isAddressText(poolId) ? [toAddress(poolId)] : []));
}
