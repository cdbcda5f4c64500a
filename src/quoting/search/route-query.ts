import type { SourceId } from "../../domain/source.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { SwapRequest } from "../answer/answers.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import { gasPriceWithData } from "../cost/data-fee.ts";
import type { MarketView, Settlement, TokenRegistry, TokenVerdicts } from "../ports.ts";
import type { PoolFilter, RequestSearch, RouteQuery, SearchLimits } from "./route-search.ts";
import { orderOf } from "./trade.ts";

/** What a search works with, apart from the request. */
export interface SearchSetting {
  readonly search: RequestSearch;
  readonly sources: SourceCatalog;
  readonly snapshot: Snapshot;
  readonly gasPrice: bigint;
  readonly budget: SearchLimits;
  /** What the operator has switched off. */
  readonly off: SwitchedOff;
  readonly verdicts: TokenVerdicts;
  /** Whose transactions routes become. */
  readonly settlement: Pick<Settlement, "usualTouch">;
  /** Lets searches of later blocks begin with a route. */
  readonly recordRoute: MarketView["recordRoute"];
  /** Told of what was searched for a request that leaves it to the service which pools it goes over. */
  readonly searched?: (query: RouteQuery) => void;
  /** Names and decimals of tokens on the way. */
  readonly tokens: Pick<TokenRegistry, "known">;
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

/** These sources, and the wrappers of the native token. */
export function onlyThese(ids: readonly SourceId[], sources: SourceCatalog): PoolFilter["sources"] {
  const wrappers = [...sources.values()].flatMap(({ id, wrapsNative }) => (wrapsNative === true ? [id] : []));
  return { kind: "only", ids: [...ids, ...wrappers] };
}

/** What is searched for a request: over the pools that it wants, but for those that `pools` leaves out. */
export function queryOf(request: SwapRequest, setting: SearchSetting, pools: Partial<PoolFilter> = {}): RouteQuery {
  const { snapshot, gasPrice, budget, off, sources, verdicts, settlement } = setting;
  const wanted = request.sources.kind === "only" ? onlyThese(request.sources.ids, sources) : request.sources;
  return {
    order: orderOf(request),
    snapshot,
    pools: { sources: wanted, without: new Set(), off, keptOut: verdicts.keptOut(), ...pools },
    gasPrice: gasPriceWithData(gasPrice, snapshot.dataFee, settlement.usualTouch),
    budget: request.isDirect === true ? { ...budget, maxHops: 1 } : budget,
  };
}
