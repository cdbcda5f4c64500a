import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import { ALL_ON, type SwitchedOff } from "../../domain/switches.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import type { CallContext, SwapRequest } from "../answer/types.ts";
import type { MakerDesk } from "../maker-ports.ts";
import type {
  AccountReader,
  MarketView,
  PermitReader,
  Settlement,
  Simulator,
  TokenRegistry,
  TokenVerdicts,
} from "../ports.ts";
import { afterLogs } from "../price/overrides.ts";
import { deadlinePassed } from "../search/past-deadline.ts";
import type { RouteQuery, RouteSearch, SearchLimits } from "../search/route-search.ts";
import { readOnce } from "./read-once.ts";
import type { SettleSetting } from "./settle-context.ts";
import { ALL_PLAIN } from "./tested-tokens.ts";

/** Parts that the use cases work with. */
export interface QuotingParts {
  readonly market: MarketView;
  readonly tokens: TokenRegistry;
  readonly sources: SourceCatalog;
  readonly search: RouteSearch;
  /** Told of each search of a request; absent: nobody is. */
  readonly searched?: (query: RouteQuery) => void;
  readonly settlement: Settlement;
  readonly simulator: Simulator;
  readonly accounts: AccountReader;
  /** Absent: nothing is approved by a signature. */
  readonly permits?: PermitReader;
  /** Asks contracts what they pay; absent: none is asked. */
  readonly reader?: Pick<ChainReader, "calls">;
  /** Verdicts on whether tokens move exact amounts; absent: all do. */
  readonly verdicts?: TokenVerdicts;
  /** Makers that quotes ask for firm orders; absent: none. */
  readonly makers?: MakerDesk;
  readonly config: {
    readonly wrappedNative: Address;
    /** Seconds from the quoted block's timestamp to the transaction's deadline. */
    readonly quoteTtlSeconds: number;
    /** Milliseconds between blocks; 0 where there are some only when there is something for them: now counts then. */
    readonly blockTimeMs?: number;
    readonly budget: SearchLimits;
  };
  /** Operator's switches; absent: nothing is off. */
  readonly switchedOff?: () => SwitchedOff;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** When a quote over a block begins, in Unix seconds: what it promises lasts for a while from then. */
export function beginningOf({ timestamp }: BlockRef, { config, now }: QuotingParts): bigint {
  const seconds = BigInt(Math.floor(now() / 1_000));
  return config.blockTimeMs === 0 && seconds > timestamp ? seconds : timestamp;
}

/**
 * Begins calls: each works on one snapshot from beginning to end, and in its account's turns.
 * @throws SwapError when the caller has left, nothing may be quoted now, or overrides do not fit the market
 */
export function settingOfCalls(parts: QuotingParts): (request: SwapRequest, context: CallContext) => SettleSetting {
  const { market, search, config } = parts;
  return (request, context) => {
    if (context.signal.aborted) throw deadlinePassed();
    const now = context.at === undefined ? market.current() : { snapshot: context.at };
    if ("unavailable" in now) throw refuse("UNAVAILABLE", now.unavailable);
    const { overrides } = request;
    const snapshot = overrides === undefined ? now.snapshot : afterLogs(overrides, now.snapshot, parts.sources);
    const hidden = context.at === undefined ? undefined : market.hidden?.();
    return {
      ...(hidden && { hidden }),
      search: search.begin(context),
      sources: parts.sources,
      wrappedNative: config.wrappedNative,
      settlement: parts.settlement,
      simulator: parts.simulator,
      accounts: readOnce(parts.accounts),
      ...(parts.permits && { permits: parts.permits }),
      ...(parts.reader && { reader: parts.reader }),
      snapshot,
      recheck: market.recheck,
      recordRoute: market.recordRoute,
      ...(parts.searched && { searched: parts.searched }),
      ...(parts.makers && { makers: parts.makers }),
      gasPrice: request.gasPrice ?? snapshot.gasPrice,
      off: parts.switchedOff?.() ?? ALL_ON,
      verdicts: parts.verdicts ?? ALL_PLAIN,
      tokens: parts.tokens,
      budget: config.budget,
      deadlineMs: context.deadlineMs,
      ...(context.knownGas && { knownGas: context.knownGas }),
      signal: context.signal,
      deadline: beginningOf(snapshot.block, parts) + BigInt(config.quoteTtlSeconds),
    };
  };
}
