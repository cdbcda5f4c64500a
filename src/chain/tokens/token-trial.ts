import { randomBytes } from "node:crypto";
import { type Address, type Hex, toAddress } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { TokenVerdict } from "../../domain/token-verdict.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import { type BlockMemory, createBlockMemory } from "../rpc/block-memory.ts";
import { balanceOf, uintOf } from "../rpc/erc20.ts";
import type { Provider, RequestOptions } from "../rpc/provider.ts";
import { createBalanceSlots, type StateOverrides } from "../simulation/balance-slot.ts";
import { createSimulateCalls, type SimulateCalls } from "../simulation/simulated-calls.ts";
import { type FoundTax, taxCallsOf, taxOfRounds } from "./tax-rounds.ts";
import { balanceIn, callsOf, type Fault, faultOf, type Round, splitRounds, stayingCalls } from "./token-rounds.ts";

/**
 * Transfers a token at a block, on the node and without sending anything. `first` are holders that have to take part if
 * they hold any. @throws what the node failed with, and RangeError when the token does not tell balances.
 */
export type TokenTrial = (
  token: Address,
  at: BlockRef,
  first: readonly Address[],
  limits?: RequestOptions,
) => Promise<TokenVerdict>;

/** Holders whose balances are looked at, and of them the ones that transfers begin from. */
const MAX_CANDIDATES = 24;
const MAX_HOLDERS = 3;
/** Parts of a holder's balance that go round: two sizes, as a rounding or a limit shows at one and not at the other. */
const PARTS = [1_009n, 99_991n] as const;
/** Parts of a holder's balance that a tax is measured of: the largest is one that a limit of trades would be below. */
const TAX_PARTS = [11n, 1_009n, 99_991n] as const;
/** Base units below which a fee is lost in roundings. */
const MIN_AMOUNT = 10_000n;
/** Base units lent to an account if no holder is known. */
const LENT = 1_000_003_000_019n;
/** Rebases by time show within a day. */
const LATER_SECONDS = 86_400n;
/** When a tax is measured once more: no whole number of hours or blocks, which a tax that goes round could be the same after. */
const TAX_LATER_SECONDS = 90_011n;

interface Holder {
  readonly address: Address;
  readonly balance: bigint;
}

interface Journey {
  readonly holder: Address;
  readonly rounds: readonly Round[];
}

/** Dependencies of trials of tokens. */
interface TokenTrialOptions {
  readonly provider: Provider;
  readonly reader: ChainReader;
  /** Absent: nothing outlives this trial's own run. */
  readonly memory?: BlockMemory;
  /** Contracts that hold a token, the likeliest first. */
  readonly holdersOf: (token: Address) => Iterable<Address>;
  readonly explainRevert: (data: Hex) => string;
}

/**
 * Sends a token from the pools that hold most of it to accounts that nobody knows, on, and back by an approval, and
 * compares the balances on both sides to the base unit; then looks at the balances a day later. A fault of exactness
 * counts wherever it is seen; a refusal only if no holder's tokens make their way, since one pool may be barred alone.
 */
export function createTokenTrial(options: TokenTrialOptions): TokenTrial {
  const { provider, reader, explainRevert } = options;
  const simulateCalls = createSimulateCalls(provider);
  const slots = createBalanceSlots(provider, options.memory ?? createBlockMemory());

  /** Those of `first`, then those that hold most. */
  async function richest(token: Address, at: BlockRef, first: readonly Address[], limits?: RequestOptions) {
    const owners = candidates(token, first, options.holdersOf(token));
    const calls = owners.map((owner) => ({ to: token, data: balanceOf(owner) }));
    const answers = await reader.calls(calls, at, limits);
    const holders = owners.map((address, index) => ({ address, balance: uintOf(answers[index]) ?? 0n }));
    const wanted = (address: Address) => Number(first.includes(address));
    return holders
      .filter(({ balance }) => balance > 0n)
      .sort((a, b) => wanted(b.address) - wanted(a.address) || (b.balance > a.balance ? 1 : -1))
      .slice(0, MAX_HOLDERS);
  }

  /** A holder made by a storage override, where no contract is known to hold any. */
  async function lend(token: Address, at: BlockRef, limits?: RequestOptions) {
    const address = nobody();
    const overrides = await slots.fund({ token, owner: address }, LENT, at, limits);
    return overrides && { holder: { address, balance: LENT }, overrides };
  }

  async function travel(
    journeys: readonly Journey[],
    overrides: StateOverrides,
    at: BlockRef,
    limits?: RequestOptions,
  ): Promise<TokenVerdict> {
    const rounds = journeys.flatMap((journey) => journey.rounds);
    const last = stayingCalls(roundFrom(rounds[0]!));
    const calls = [...rounds.flatMap(callsOf), last.move, ...last.looks];
    const later = { seconds: LATER_SECONDS, calls: last.looks };
    const results = await simulateCalls({ at, calls, overrides, later }, limits);
    const found = splitRounds(results, rounds).map((part, index) => faultOf(rounds[index]!, part, explainRevert));
    const faults = new Map(rounds.map((round, index) => [round, found[index]]));
    const verdict = verdictOf(journeys, faults);
    if (verdict.kind !== "plain") return verdict;
    const [holder, first, holderLater, firstLater] = results.slice(-4).map(balanceIn);
    return holder === holderLater && first === firstLater ? verdict : { kind: "rebasing" };
  }

  return async (token, at, first, limits) => {
    const holders = await richest(token, at, first, limits);
    const lent = holders.length === 0 ? await lend(token, at, limits) : undefined;
    if (lent !== undefined) holders.push(lent.holder);
    if (holders.length === 0) return { kind: "untestable", reason: "nobody is known to hold any" };
    const journeys = holders.map(({ address: holder, balance }) => {
      const amounts = new Set(PARTS.map((part) => portion(balance, part)));
      return { holder, rounds: [...amounts].map((amount) => roundFrom({ token, holder, amount })) };
    });
    const overrides = lent?.overrides ?? {};
    const verdict = await travel(journeys, overrides, at, limits);
    if (verdict.kind !== "fee") return verdict;
    const simulate: SimulateCalls = (simulation) => simulateCalls(simulation, limits);
    return { ...verdict, tax: await measureTax({ token, at, overrides }, holders, simulate, explainRevert) };
  };
}

/** Measures a token's transfer tax over several amounts and holders, now and a day later. */
async function measureTax(
  { token, at, overrides }: { readonly token: Address; readonly at: BlockRef; readonly overrides: StateOverrides },
  holders: readonly Holder[],
  simulate: SimulateCalls,
  explainRevert: (data: Hex) => string,
): Promise<FoundTax> {
  const rounds = holders
    .flatMap(({ address: holder, balance }) =>
      TAX_PARTS.map((part) => roundFrom({ token, holder, amount: balance / part })),
    )
    .filter((round) => taxCallsOf(round) !== undefined);
  if (rounds.length === 0) return { unknown: "there is too little of it in pools to measure that" };
  const calls = rounds.flatMap((round) => taxCallsOf(round) ?? []);
  // Once more in a later block, from accounts that have had their turn.
  const results = await simulate({ at, calls, overrides, later: { seconds: TAX_LATER_SECONDS, calls } });
  return taxOfRounds([...rounds, ...rounds], results, explainRevert);
}

/** Accounts whose balances are looked at. */
function candidates(token: Address, first: readonly Address[], holders: Iterable<Address>): readonly Address[] {
  const found = new Set(first);
  for (const holder of holders) {
    if (found.size >= MAX_CANDIDATES) break;
    found.add(holder);
  }
  found.delete(token);
  return [...found];
}

/** Inexact anywhere is inexact; refusing is who refuses every holder. */
function verdictOf(journeys: readonly Journey[], faults: ReadonlyMap<Round, Fault>): TokenVerdict {
  let refusal: Fault;
  let arrived = false;
  for (const { rounds } of journeys) {
    const found = rounds.map((round) => faults.get(round));
    const inexact = found.find((fault) => fault !== undefined && fault.kind !== "refusing");
    if (inexact !== undefined) return inexact;
    refusal ??= found.find((fault) => fault !== undefined);
    arrived ||= found.some((fault) => fault === undefined);
  }
  return arrived || refusal === undefined ? { kind: "plain" } : refusal;
}

/** A part of a balance, but not so little that a fee would be lost in it. */
function portion(balance: bigint, part: bigint): bigint {
  const share = balance / part;
  if (share >= MIN_AMOUNT) return share;
  return balance < MIN_AMOUNT ? balance : MIN_AMOUNT;
}

/** A round between accounts that were never used, so that no token can know them. */
function roundFrom({ token, holder, amount }: Pick<Round, "token" | "holder" | "amount">): Round {
  return { token, holder, amount, first: nobody(), second: nobody(), spender: nobody() };
}

function nobody(): Address {
  return toAddress(`0x${randomBytes(20).toString("hex")}`);
}
