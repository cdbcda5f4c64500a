import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Fill, PoolId, Route } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { SharedSurplus, SwapFee } from "../domain/terms/swap-fee.ts";
import type { PermitDomain, TypedData } from "../domain/terms/typed-data.ts";
import type { Token } from "../domain/token.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { Snapshot, SourceState } from "../market/snapshot.ts";
import type { TokenTaxes } from "../market/taxed-pools.ts";
import type { Pool } from "../pools/pool.ts";

/** The market as quoting sees it. */
export interface MarketView {
  /** The newest snapshot, or why there is none that may be quoted from. */
  current(): { readonly snapshot: Snapshot } | { readonly unavailable: string };
  /** State of each source now, also while nothing may be quoted. */
  sources(): ReadonlyMap<SourceId, SourceState>;
  /** A route over these pools failed, whoever sends it: they are read and tried again, and put right or aside. */
  recheck(pools: readonly PoolId[]): void;
  /** Pools that were found at fault, which snapshots from before may show. Absent: none. */
  hidden?(): ReadonlyMap<PoolId, string>;
  /** Searches of the blocks to come may begin with this route, which was found at a block; `isDeep`: by a deep search. */
  recordRoute(route: Route, blockNumber: bigint, isDeep?: boolean): void;
}

/** The market with its news. */
export interface MarketFeed extends MarketView {
  /** Calls `listener` with each new snapshot; returns what ends that. */
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
}

/** Registry of tokens. Reads the chain for tokens seen for the first time. */
export interface TokenRegistry {
  /**
   * The token, or undefined when the address is no usable ERC-20 on this chain. `account` is who asks for it.
   * @throws SwapError when it cannot be looked up now, or the account has too many addresses looked up at a time
   */
  find(address: Address, account?: string): Promise<Token | undefined>;
  /**
   * Reads a contract's own description as a token, also if requests may not name it: routes lead over others.
   * @throws SwapError when it cannot be looked up now
   */
  describe(address: Address): Promise<Token>;
  /** The token if it is known already, without asking the node. */
  known(address: Address): Token | undefined;
  /** Listed tokens with that symbol, letter case ignored: for hints only. */
  bySymbol(symbol: string): readonly Token[];
}

/** Verdicts on tokens' transfers, found by simulating transfers on the node. */
export interface TokenVerdicts {
  /** Tokens that no route may use, with the reason: a sentence's rest after the token. The same map until that changes. */
  keptOut(): ReadonlyMap<Address, string>;
  /** Constant transfer taxes of tokens among them, which some pools compute with: the same map until they change. */
  taxes(): TokenTaxes;
  /** Whether a token's transfers could not be simulated: nothing but a run of the transaction vouches for its routes. */
  isUntestable(token: Address): boolean;
  /** Tests tokens that were never tested. Undefined when all were. Never throws; what cannot be tested is untestable. */
  test(tokens: readonly Address[]): Promise<void> | undefined;
  /** Tests tokens again since a route over `holders` failed for everybody; whether one is kept out now. Never throws. */
  testAgain(tokens: readonly Address[], holders: readonly Address[]): Promise<boolean>;
}

/** Terms of the taker: the limits that the transaction enforces. */
export interface SwapTerms {
  readonly sellToken: Address;
  readonly buyToken: Address;
  /** Exact-in: sellAmount. Exact-out: maxSellAmount. A fee on the sold token is a part of it. */
  readonly maxSellAmount: bigint;
  /** Least that reaches the recipient after the fee. */
  readonly minBuyAmount: bigint;
  /** Gets what is bought; what is left over goes back to the sender. ZERO_ADDRESS: whoever sends the transaction. */
  readonly recipient: Address;
  /** Unix seconds. */
  readonly deadline: bigint;
  readonly fee?: SwapFee;
  /** Recipient of a share of what comes beyond the quoted amount; absent: all of it is the recipient's. */
  readonly surplus?: SharedSurplus;
  /** Whether the seller's whole balance is sold where that is less than `maxSellAmount`, for as much less. */
  readonly wholeBalance?: boolean;
  /** By whose signature the sold token is drawn; absent: by an allowance that stands. */
  readonly signed?: SignedBy;
}

/** A signature that a transaction waits for: it is put behind the calldata. */
export type SignedBy =
  /** An approval of the gateway by EIP-2612. */
  | { readonly kind: "eip2612"; readonly owner: Address }
  /** A transfer of Permit2's, once. */
  | { readonly kind: "permit2"; readonly owner: Address; readonly nonce: bigint };

export interface SwapTransaction {
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
}

/** Size and gas of a use of a pool: a fill, and a token now and then. */
export interface UsualUse {
  readonly bytes: number;
  readonly gas: bigint;
}

/** Turns routes into transactions of one kind of settlement contract. */
export interface Settlement {
  /** The one contract that takers approve. */
  readonly allowanceTarget: Address;
  /** Contract to approve instead if a transfer of Permit2's is signed. */
  readonly permit2: Address;
  /** Contracts of ours, which are no valid fee recipients. */
  readonly contracts: readonly Address[];
  /** Whether the contracts stand on this chain with the code we know; undefined where nobody has looked yet. */
  readonly deployed: boolean | undefined;
  /** The transaction of a route; with `signed` it lacks that signature, which `withSignature` of the client puts behind it. */
  encode(route: Route, terms: SwapTerms, action: (fill: Fill) => VenueAction): SwapTransaction;
  /**
   * Decodes a transaction by other means than `encode` and compares it with what was promised; with `action` also each
   * fill's venue and its fee.
   * @throws Error naming the first difference.
   */
  verify(transaction: SwapTransaction, route: Route, terms: SwapTerms, action?: (fill: Fill) => VenueAction): void;
  /** Message to sign for a transaction whose terms wait for a signature. `domain`: for a permit, of the sold token. */
  messageToSign(
    transaction: SwapTransaction,
    terms: SwapTerms,
    chainId: number,
    domain: PermitDomain | undefined,
  ): TypedData;
  /** Pool of a route that its transaction's revert bytes come from, as the end of a sentence; empty if unknown. */
  revertLocation(data: Hex, route: Route): string;
  /** Gas that a route's transaction is expected to use by the measured model, everything included. */
  gas(route: Route, terms: SwapTerms): bigint;
  /** Gas that it suffices with by the same model, whatever was never written or used before. */
  gasLimit(route: Route, terms: SwapTerms, poolOf: (id: PoolId) => Pool | undefined): bigint;
  /** Gas that no run at the quote's block shows: the awaited signature, and the payment of a share of surplus. */
  unseenGas(terms: SwapTerms): { readonly expected: bigint; readonly limit: bigint };
  /** Usual size of one more pool on a route in its transaction. */
  readonly usualUse: UsualUse;
  /** Bytes of an unsigned transaction with this calldata. */
  transactionBytes(data: Hex): number;
  /** Bytes that a transaction over these fills has as a rule: a price has none that could be measured. */
  usualTransactionBytes(
    route: Pick<Route, "kind" | "sellToken" | "buyToken">,
    fills: readonly Pick<Fill, "poolId" | "sellToken" | "buyToken">[],
    poolOf: (id: PoolId) => Pool | undefined,
  ): number;
}

/** Outcome of a simulated transaction. */
export type SimulationOutcome =
  | {
      readonly kind: "done";
      readonly gasUsed: bigint;
      /** Proven: the transaction was run with this limit. */
      readonly gasLimit: bigint;
      /** Increase of the recipient's balance of the bought token. */
      readonly bought: bigint;
      /** Decrease of the sender's balance of the sold token, gas apart. */
      readonly sold: bigint;
      /** Seconds from the block's own timestamp to the one that it ran at: some nodes insist on a later one. */
      readonly secondsLater: bigint;
    }
  /** The transaction reverted for a reason of its own. */
  | { readonly kind: "reverted"; readonly reason: string; readonly data: Hex }
  /** The taker lacks what it takes and no stand-in could be arranged, or the node cannot simulate. */
  | {
      readonly kind: "incomplete";
      readonly reason: string;
      /** Gas limit at which the node's estimate of the transaction succeeds, if it gave one. */
      readonly gasLimit?: bigint;
      /** It was run, and with the most gas that it may have does not do what it does with more. */
      readonly needsMoreGas?: true;
    };

/** Amounts that a simulated transaction has moved, and when. */
export type SimulatedAmounts = Pick<Extract<SimulationOutcome, { kind: "done" }>, "bought" | "sold" | "secondsLater">;

/**
 * Runs transactions at a block without sending them. Never rejects: what cannot be run, where nobody waits any more or there
 * is no node, say, is incomplete.
 */
export interface Simulator {
  simulate(request: {
    readonly transaction: SwapTransaction;
    /** Sender: the taker, or a stand-in when none is named. `bought` is measured at the terms' recipient. */
    readonly taker: Address | undefined;
    readonly terms: SwapTerms;
    readonly allowanceTarget: Address;
    /** Addresses whose balances must not be borrowed for the simulation: the route's pools. */
    readonly avoidHolders: readonly Address[];
    readonly at: BlockRef;
    /** Most gas that it may be sent with, where that matters. */
    readonly mostGas?: bigint;
    /** When nobody waits for the outcome any more, milliseconds since 1970. */
    readonly deadlineMs?: number | undefined;
    /** Aborted when nobody does already. */
    readonly signal?: AbortSignal;
    /** Contracts that the run finds at these addresses, whatever stands there. */
    readonly code?: readonly ContractCode[];
    /** Whether a run moves what it should; absent: whatever it moves. One that does not is made with all the gas there is. */
    readonly isExpected?: (moved: SimulatedAmounts) => boolean;
    /** Tells what the taker has, and is told what a run has shown of it; absent: the simulator asks the node. */
    readonly accounts?: AccountNotes;
  }): Promise<SimulationOutcome>;
}

/** A contract's runtime code, and where it stands. */
export interface ContractCode {
  readonly address: Address;
  readonly runtimeCode: Hex;
}

/** Outcome of one run of a transaction: a simulation's, without a gas limit, and without gas if the node tells none. */
export type TradeRun =
  | (SimulatedAmounts & { readonly kind: "done"; readonly gasUsed?: bigint })
  | Extract<SimulationOutcome, { kind: "reverted" }>
  | Pick<Extract<SimulationOutcome, { kind: "incomplete" }>, "kind" | "reason">;

/**
 * Runs transactions of a stand-in once, by whatever means the node has, and proves no gas limit. Never rejects: what cannot be
 * run is incomplete.
 */
export interface TradeRunner {
  run(request: Omit<Parameters<Simulator["simulate"]>[0], "taker" | "mostGas">): Promise<TradeRun>;
}

/** A token of an owner's, which a spender may be allowed to take. */
export interface Holding {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

/** Reader of accounts' balances and approvals at a block. */
export interface AccountReader {
  /**
   * Reads the owner's balance of the token, and the spender's allowance of it; for the native token any.
   * @throws Error when that cannot be told, or not by the deadline: no number is made up
   */
  balanceAndAllowance(
    holding: Holding,
    at: BlockRef,
    /** When nobody waits for the answer any more, milliseconds since 1970. */
    deadlineMs?: number,
  ): Promise<{ readonly balance: bigint; readonly allowance: bigint }>;
}

/** Accounts as read for one call: what is known already is not asked for. */
export interface AccountNotes extends AccountReader {
  /** Tells what is known of a holding at a block. */
  note(holding: Holding, at: BlockRef, has: { readonly balance: bigint; readonly allowance: bigint }): void;
}

/** Chain reads that approvals by signature need. */
export interface PermitReader {
  /**
   * The domain of a token's permits with the owner's next nonce; undefined where it has none, or signs for another domain.
   * @throws Error when that cannot be told, or not by the deadline
   */
  domainOf(token: Address, owner: Address, at: BlockRef, deadlineMs?: number): Promise<PermitDomain | undefined>;
  /** Whether Permit2 stands on the chain. @throws Error as above */
  hasPermit2(at: BlockRef, deadlineMs?: number): Promise<boolean>;
}
