import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Ratio } from "../../domain/ratio.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Assurance, SourceId, SourceKind } from "../../domain/source.ts";
import type { FeePart, SharedSurplus, SurplusShare, SwapFee } from "../../domain/terms/swap-fee.ts";
import type { TypedData } from "../../domain/terms/typed-data.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenTax } from "../../domain/token-verdict.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LeftOut } from "../../market/eligibility.ts";
import type { BlockStretch } from "../../market/past-blocks.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { KnownProof, KnownRoute } from "../../routing/router.ts";
import type { SignedBy, SwapTransaction } from "../ports.ts";
import type { GasEstimate } from "./gas.ts";
import type { RouteLimits } from "./route-limits.ts";

/** A checked request: what the API makes of the parameters. Fractions are scaled by FRACTION_ONE. */
export interface SwapRequest {
  readonly sellToken: Token;
  readonly buyToken: Token;
  readonly amount:
    | { readonly kind: "exactIn"; readonly sellAmount: bigint }
    | { readonly kind: "exactOut"; readonly buyAmount: bigint };
  readonly slippage: bigint;
  /** Whether slippage is what the route's own moves ask for; `slippage` is taken where nothing is known of them. */
  readonly slippageIsAuto?: boolean;
  readonly taker?: Address;
  readonly sources:
    | { readonly kind: "all" }
    | { readonly kind: "only"; readonly ids: readonly SourceId[] }
    | { readonly kind: "without"; readonly ids: readonly SourceId[] };
  /** Only routes without a token in between: no path has more than one pool, wrapping the native token not counted. */
  readonly isDirect?: boolean;
  /** Limits on routes, besides sources; absent: none. */
  readonly limits?: RouteLimits;
  readonly fee?: SwapFee;
  /** Recipient of a share of the proceeds beyond an exact-in trade's quoted amount; absent: all of it is the recipient's. */
  readonly surplus?: SurplusShare;
  /** Recipient of the bought token; absent: the sender of the transaction. */
  readonly recipient?: Address;
  /** Approval of the sold token; absent: by a transaction of its own. */
  readonly approvalMode?: ApprovalMode;
  /** By whose signature the sold token is drawn, which quoting finds by the mode. */
  readonly signed?: SignedBy;
  /** Whether the taker's whole balance is sold, at most the sell amount. */
  readonly sellEntireBalance?: boolean;
  /** The market of the block that it is priced at; absent: the newest. */
  readonly at?: Snapshot;
  /** Logs of transactions to come, which it is priced on top of. */
  readonly overrides?: readonly PendingLog[];
  /** Wei per gas to value network cost with. */
  readonly gasPrice?: bigint;
  readonly skipValidation: boolean;
  readonly maxPriceImpact?: bigint;
}

/** A log that a transaction will leave. */
export type PendingLog = Pick<Log, "address" | "topics" | "data">;

/** "none": whoever asks sees to it, and is told nothing. */
export type ApprovalMode = "approve" | "permit2" | "eip2612" | "none";

/** Whether a price's gas is to be found out on the node. */
export function isSimulated({ taker, skipValidation }: SwapRequest): boolean {
  return taker !== undefined || !skipValidation;
}

/** The amount that a request gives. */
export function givenAmountOf({ amount }: Pick<SwapRequest, "amount">): bigint {
  return amount.kind === "exactIn" ? amount.sellAmount : amount.buyAmount;
}

/** Scaled fraction of 1: 18 decimals. */
export const FRACTION_ONE = 10n ** 18n;

/** Gas that was proven before, for a request that is priced again at every block. */
export interface KnownGas {
  /** Gas that a simulation of a route over these pools has shown; undefined if none still counts. */
  of(pools: string): GasEstimate | undefined;
  /** Whether the node may be asked now. Where it is not, the model's gas has to do. */
  mayProve(): boolean;
  keep(pools: string, gas: GasEstimate): void;
}

/** The circumstances of one call. */
export interface CallContext {
  /** The market that it is answered from; absent: the newest. */
  readonly at?: Snapshot;
  readonly requestId: string;
  /** Account of the caller: when many requests wait, accounts take turns. */
  readonly account?: string;
  /** Aborted when the caller is gone or its deadline has passed. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, as milliseconds since the epoch: a search that runs ends in time. */
  readonly deadlineMs?: number;
  /** Waits for its turn however many wait before it: whoever calls bounds by itself how much it asks for. */
  readonly patient?: boolean;
  /** Told of the steps of each search that is made for it: evaluations of one pool. */
  readonly spent?: (steps: number) => void;
  /** Routes for other amounts that the search begins with, besides those that the market knows. Absent: none. */
  readonly known?: readonly KnownRoute[];
  /** Store of gas between prices; absent: each price to be simulated is. */
  readonly knownGas?: KnownGas;
}

/** A price with its route. Amounts are base units; prices and rates are exact, in whole tokens. */
export interface PriceAnswer {
  readonly chainId: number;
  readonly block: BlockRef;
  readonly sellToken: Token;
  readonly buyToken: Token;
  /** Transfer taxes of the tokens, included in all amounts; null if their transfers could not be simulated. */
  readonly taxes: { readonly sellToken: TokenTax | null; readonly buyToken: TokenTax | null };
  /** Whole sold tokens per whole bought token. */
  readonly price: Ratio;
  /** A fraction; null where a pool on the route has no spot rate. */
  readonly estimatedPriceImpact: Ratio | null;
  /** The mean loss until the transaction is mined, a fraction scaled by FRACTION_ONE; null where nothing is known of it. */
  readonly expectedSlippage: bigint | null;
  /** The slippage that minimum and maximum are reckoned with, scaled by FRACTION_ONE. */
  readonly slippage: bigint;
  readonly value: bigint;
  readonly gasPrice: bigint;
  readonly gas: bigint;
  readonly estimatedGas: bigint;
  readonly buyAmount: bigint;
  readonly sellAmount: bigint;
  readonly grossBuyAmount: bigint;
  readonly grossSellAmount: bigint;
  readonly minBuyAmount: bigint;
  readonly maxSellAmount: bigint;
  readonly totalNetworkFee: bigint;
  readonly sources: readonly AnswerSource[];
  readonly orders: readonly AnswerOrder[];
  readonly allowanceTarget: Address;
  /** Whole tokens per whole native token; null when unknown. */
  readonly sellTokenToEthRate: Ratio | null;
  readonly buyTokenToEthRate: Ratio | null;
  /** Empty where there is no fee. */
  readonly fees: readonly (FeePart & { readonly amount: bigint; readonly token: Address })[];
  /** Null where nobody has a share of it. */
  readonly surplus: (SharedSurplus & { readonly token: Address }) | null;
  readonly route: { readonly tokens: readonly Token[]; readonly fills: readonly AnswerFill[] };
  /** `gap` is a fraction of what was achieved. */
  readonly optimality: { readonly bound: bigint; readonly achieved: bigint; readonly gap: Ratio | null } | null;
  /** Changes by overrides: nothing can be executed at this price before they have happened. Absent: none. */
  readonly overrides?: Snapshot["overrides"];
  /** Proof that searches for other amounts can begin with, if the call gave `known` and there is one. */
  readonly proof?: KnownProof;
}

/** A price with the transaction that does exactly that. */
export interface QuoteAnswer extends PriceAnswer {
  /** The price at the worst outcome that the transaction accepts. */
  readonly guaranteedPrice: Ratio;
  readonly to: Address;
  readonly data: Hex;
  /** Unix seconds. */
  readonly expiry: bigint;
  readonly issues: {
    readonly allowance: { readonly actual: bigint; readonly spender: Address } | null;
    readonly balance: { readonly token: Address; readonly actual: bigint; readonly expected: bigint } | null;
    readonly simulationIncomplete: boolean;
  };
  /** Message to sign before the transaction can be sent; null if there is none. */
  readonly permit: { readonly type: "Permit2" | "EIP2612"; readonly eip712: TypedData } | null;
  /** The calls to send, in order: approvals that are lacking, and the swap unless it waits for a signature. */
  readonly calls: readonly SwapTransaction[];
}

/** One source's share of the trade, or one path's over several pools (`hops` set, name "MultiHop"). */
export interface AnswerSource {
  readonly name: string;
  /** Scaled by FRACTION_ONE. */
  readonly proportion: bigint;
  readonly multiHop?: { readonly intermediateTokens: readonly Address[]; readonly hops: readonly SourceId[] };
}

/** One pool, maker or wrapper used. */
export interface AnswerOrder {
  /** 0 pool, 1 maker's book, 2 RFQ, 3 wrapper. */
  readonly type: 0 | 1 | 2 | 3;
  readonly source: SourceId;
  readonly makerToken: Address;
  readonly takerToken: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly fillData: Readonly<Record<string, string>>;
  readonly fill: {
    readonly input: bigint;
    readonly output: bigint;
    readonly adjustedOutput: bigint;
    readonly gas: bigint;
  };
}

/** One edge of the route as a graph. */
export interface AnswerFill {
  readonly from: Address;
  readonly to: Address;
  readonly source: SourceId;
  readonly pool: PoolId;
  /** Scaled by FRACTION_ONE. */
  readonly proportion: bigint;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** One source as `GET /swap/v1/sources` shows it. */
export interface SourceRecord {
  readonly name: SourceId;
  readonly kind: SourceKind;
  readonly pools: number;
  /** Further pools, known and not followed until somebody asks for one of their tokens. */
  readonly sleepingPools: number;
  /** Pools that take no part in routes, or not in all, with the reason. */
  readonly leftOut: readonly LeftOut[];
  readonly status: "live" | "syncing" | "stale" | "off";
  readonly blockNumber: bigint;
  readonly exactOut: boolean;
  readonly assurance: Assurance;
}

/** Blocks that may be priced at besides the newest. */
export interface PastMarket {
  /** The market at a block; undefined for one that is not held. */
  at(blockNumber: bigint): Snapshot | undefined;
  /** The blocks that are held, in stretches without a gap, the oldest first. */
  held(): readonly BlockStretch[];
}

/** The use cases. They throw SwapError for what the caller is to be told. */
export interface Quoting {
  price(request: SwapRequest, context: CallContext): Promise<PriceAnswer>;
  quote(request: SwapRequest, context: CallContext): Promise<QuoteAnswer>;
  /** By name. */
  listSources(): readonly SourceRecord[];
}
