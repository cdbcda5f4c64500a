import type { SourceId } from "../../domain/source.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { type Pool, servesExactOut } from "../../pools/pool.ts";
import type { RouteRequest, RouteResult, Router, SearchBudget } from "../../routing/router.ts";
import type { SwapRequest } from "../answer/answers.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import { gasPriceWithData } from "../cost/data-fee.ts";
import type { TokenRegistry, TokenVerdicts } from "../ports.ts";
import { holdsKeptOut, isPoolOff } from "./is-off.ts";
import { orderOf } from "./trade.ts";

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
  /** Names and decimals of tokens on the way. */
  readonly tokens: Pick<TokenRegistry, "known">;
  /** Awaited before each search. */
  readonly myTurn: () => Promise<void>;
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

/** The best route over the wanted pools, but for those that are off or hold a token of `keptOut`. */
export function findBest(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  keptOut = setting.verdicts.keptOut(),
): RouteResult {
  return setting.router.findBest(queryOf(request, setting, wants, keptOut));
}

/** What the router is asked for that. */
export function queryOf(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  keptOut = setting.verdicts.keptOut(),
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
    budget: request.isDirect === true ? { ...budget, maxHops: 1 } : budget,
  };
}
