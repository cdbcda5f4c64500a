import { type Address, isAddressText, toAddress } from "../../domain/address.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import { fillsOf, type PoolId } from "../../domain/route.ts";
import { nameOf } from "../../domain/token.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { SwapRequest } from "../answer/answers.ts";
import { tokensOf } from "../answer/route-view.ts";
import type { TokenVerdicts } from "../ports.ts";
import type { SearchSetting } from "../search/route-query.ts";
import { type FoundRoute, type NoneFound, searchRoute } from "../search/search.ts";

const NONE: ReadonlyMap<Address, string> = new Map();

/** Takes every token for plain: for work without a node. */
export const ALL_PLAIN: TokenVerdicts = {
  keptOut: () => NONE,
  isUntestable: () => false,
  test: () => undefined,
  testAgain: async () => false,
};

/** What tokens are admitted by. */
interface Admission {
  readonly verdicts: TokenVerdicts;
  readonly snapshot: Pick<Snapshot, "graph">;
}

/** Routes that are dropped in one search, since a token on them was met for the first time and found at fault. */
const MOST_DROPPED = 8;

/**
 * Makes sure that a request's own tokens move exactly. Those that no pool trades are not tested: no route leads over them,
 * and anybody can name one after another.
 * @throws SwapError naming each that does not, with what was found.
 */
export async function admitTokens(
  { sellToken, buyToken }: SwapRequest,
  { verdicts, snapshot }: Admission,
): Promise<void> {
  const traded = [sellToken, buyToken].filter(({ address }) => snapshot.graph.poolsOf(address).length > 0);
  await verdicts.test(traded.map(({ address }) => address));
  const keptOut = verdicts.keptOut();
  const fields = [
    ["sellToken", sellToken],
    ["buyToken", buyToken],
  ] as const;
  const violations = fields.flatMap(([field, token]): readonly Violation[] => {
    const reason = keptOut.get(token.address);
    if (reason === undefined) return [];
    const description =
      `${field} cannot be traded here: ${nameOf(token)} ${reason}. No amount would be exact. ` +
      "Send another token, or the wrapped form of this one if there is one. It is tested again from time to time.";
    return [{ field, reason: "TOKEN_NOT_SUPPORTED", description }];
  });
  if (violations.length === 0) return;
  throw refuse("INVALID_PARAMETERS", "a token does not move exactly", { violations });
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
  for (let dropped = 0; dropped <= MOST_DROPPED; dropped++) {
    const found = await searchRoute(request, setting, without);
    if (!found.found) return found;
    const tokens = tokensOf(found.route);
    const testing = verdicts.test(tokens);
    if (testing === undefined) return found;
    await testing;
    if (tokens.every((token) => !verdicts.keptOut().has(token))) return found;
  }
  const message = "Tokens on the best routes were met for the first time, and do not move exactly. Try again.";
  return { found: false, explain: async () => refuse("UNAVAILABLE", message) };
}

/** The contracts among a route's pools: they hold what it moves. */
export function holdersOn(route: FoundRoute["route"]): readonly Address[] {
  return fillsOf(route).flatMap(({ poolId }) => (isAddressText(poolId) ? [toAddress(poolId)] : []));
}
