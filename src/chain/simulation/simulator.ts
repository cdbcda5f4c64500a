import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { Logger } from "../../ops/logger.ts";
import { createSeldom } from "../../ops/seldom.ts";
import type { AccountReader, SimulationOutcome, Simulator, SwapTerms } from "../../quoting/ports.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { type BlockMemory, createBlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import { blockParameter, parseQuantity, quantityParameter } from "../rpc/codec.ts";
import { approve, balanceOf, getEthBalance, transfer, uintOf } from "../rpc/erc20.ts";
import type { Provider, RequestOptions } from "../rpc/provider.ts";
import { RpcError, reasonOf } from "../rpc/provider-errors.ts";
import { createBalanceSlots, type StateOverrides } from "./balance-slot.ts";
import { createSimulateCalls, type SimulatedCall, type SimulatedResult } from "./simulated-calls.ts";

type Request = Parameters<Simulator["simulate"]>[0];

/** One run of the transaction. */
interface Run extends SimulatedResult {
  readonly bought: bigint;
  readonly sold: bigint;
}

/** How a sender comes to what it lacks. */
interface Funding {
  readonly overrides: StateOverrides;
  readonly calls: readonly SimulatedCall[];
}

const NOTHING: Funding = { overrides: {}, calls: [] };
/** What a deeper or differently timed run may need beyond the gas seen: a storage slot that is written first, say. */
const GAS_RESERVE = 25_000n;
/**
 * Tenths of a limit that the transaction has to run with. The rest is for what other transactions change before it is mined,
 * a tick to be crossed, say: what is refunded after the fact, up to a fifth of what is needed before, is no such room.
 */
const PROVEN_TENTHS = 9n;
/** Runs that a gas limit is given to prove itself, each a quarter larger. */
const MAX_PROOFS = 5;
const MAX_HOLDERS_TRIED = 4;
/** The same reason why simulations say nothing is logged once in this time. */
const TOLD_EVERY_MS = 60_000;

/** Why a simulation cannot say anything. */
class Incomplete extends Error {
  override readonly name = "Incomplete";
}

/**
 * Simulates on the node with eth_simulateV1: what the taker lacks is arranged first (balance by a storage override that
 * `balanceOf` confirms, or from a holder outside the route; approval by a call of the taker), then the transaction runs
 * between two looks at the recipient's balance. `gasLimit` is proven by a second run with nine tenths of it, or with all of
 * it where it is the most that the chain allows. Faults of the node are "incomplete", with the limit that its own estimate
 * (eth_estimateGas) leads to where that can be had. Why one is so is logged.
 */
export function createSimulator(options: {
  readonly provider: Provider;
  readonly accounts: AccountReader;
  readonly record: ChainRecord;
  /** Absent: nothing outlives this simulator's own run. */
  readonly memory?: BlockMemory;
  readonly logger: Logger;
  readonly clock: Clock;
  /** What revert bytes say, in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Contracts that hold a token, for lending it. */
  readonly holdersOf?: (token: Address) => Iterable<Address>;
  /** Simulations at a time; more wait their turn. */
  readonly maxInFlight?: number;
}): Simulator {
  const { provider, accounts, record, logger } = options;
  const simulateCalls = createSimulateCalls(provider);
  const slots = createBalanceSlots(provider, options.memory ?? createBlockMemory());
  const turns = createTurns(options.maxInFlight ?? 16);
  const isNews = createSeldom(TOLD_EVERY_MS, options.clock.elapsed);

  function balanceCall(token: Address, owner: Address): SimulatedCall {
    return token === NATIVE_TOKEN
      ? { from: STAND_IN, to: record.multicall3, data: getEthBalance(owner) }
      : { from: STAND_IN, to: token, data: balanceOf(owner) };
  }

  /** A holder outside the route sends what is missing. */
  async function borrow(request: Request, sender: Address, amount: bigint): Promise<Funding | undefined> {
    const { sellToken } = request.terms;
    const avoided = new Set<Address>([...request.avoidHolders, sender, request.terms.recipient, sellToken]);
    let tried = 0;
    for (const holder of options.holdersOf?.(sellToken) ?? []) {
      if (avoided.has(holder)) continue;
      if (tried++ === MAX_HOLDERS_TRIED) break;
      const loan = { from: holder, to: sellToken, data: transfer(sender, amount) };
      const [sent] = await simulateCalls([loan], {}, request.at, limitsOf(request));
      if (sent?.success) return { overrides: {}, calls: [loan] };
    }
    return undefined;
  }

  async function fundToken(request: Request, sender: Address, has: bigint): Promise<Funding> {
    const { sellToken, maxSellAmount } = request.terms;
    if (has >= maxSellAmount) return NOTHING;
    const overrides = await slots.fund(sellToken, sender, maxSellAmount, request.at, limitsOf(request));
    if (overrides !== undefined) return { overrides, calls: [] };
    const loan = await borrow(request, sender, maxSellAmount - has);
    if (loan === undefined) throw new Incomplete("the sold token could not be lent to the sender");
    return loan;
  }

  /** Balance and approval for the sender, as far as they are missing. */
  async function prepare(request: Request, sender: Address): Promise<Funding> {
    const { terms, transaction, allowanceTarget, at } = request;
    const { balance, allowance } =
      request.taker === undefined
        ? { balance: 0n, allowance: 0n }
        : await accounts.balanceAndAllowance(
            terms.sellToken,
            sender,
            allowanceTarget,
            at,
            limitsOf(request).deadlineMs,
          );
    if (terms.sellToken === NATIVE_TOKEN) {
      if (balance >= transaction.value) return NOTHING;
      return { overrides: { [sender]: { balance: `0x${transaction.value.toString(16)}` } }, calls: [] };
    }
    const { overrides, calls } = await fundToken(request, sender, balance);
    if (allowanceTarget === ZERO_ADDRESS || allowance >= terms.maxSellAmount) return { overrides, calls };
    const approvals = allowance === 0n ? [terms.maxSellAmount] : [0n, terms.maxSellAmount];
    const approving = approvals.map((amount) => {
      return { from: sender, to: terms.sellToken, data: approve(allowanceTarget, amount) };
    });
    return { overrides, calls: [...calls, ...approving] };
  }

  /** A limit by the node's own estimate; undefined where the sender needs calls of its own before, or it has none. */
  async function estimate(request: Request, sender: Address, funding: Funding): Promise<bigint | undefined> {
    if (funding.calls.length > 0) return undefined;
    const { to, data, value } = request.transaction;
    const call = { from: sender, to, data, value: quantityParameter(value) };
    const overriding = Object.keys(funding.overrides).length > 0 ? [funding.overrides] : [];
    try {
      const asked = [call, blockParameter(request.at), ...overriding];
      const least = parseQuantity(
        await provider.request("eth_estimateGas", asked, limitsOf(request)),
        "eth_estimateGas",
      );
      const { mostGas } = request;
      return mostGas !== undefined && mostGas < withRoom(least) ? mostGas : withRoom(least);
    } catch {
      return undefined;
    }
  }

  async function run(request: Request, sender: Address, funding: Funding): Promise<SimulationOutcome> {
    const { terms, transaction, at } = request;
    const { overrides, calls: preparing } = funding;
    const looks = [balanceCall(terms.sellToken, sender), balanceCall(terms.buyToken, recipientOf(terms, sender))];

    async function execute(gas: bigint | undefined): Promise<Run> {
      const swap = { from: sender, ...transaction, ...(gas === undefined ? {} : { gas }) };
      const calls = [...preparing, ...looks, swap, ...looks];
      const results = await simulateCalls(calls, overrides, at, limitsOf(request));
      const [has, before, swapped, left, after] = results.slice(preparing.length);
      if (!results.slice(0, preparing.length).every(({ success }) => success)) {
        throw new Incomplete("the sender could not be given balance and approval");
      }
      if (amountOf(has) < (terms.sellToken === NATIVE_TOKEN ? transaction.value : terms.maxSellAmount)) {
        throw new Incomplete("the sender did not come to the amount that is sold");
      }
      return {
        ...swapped!,
        sold: amountOf(has) - amountOf(left),
        bought: amountOf(after) - amountOf(before),
      };
    }

    const first = await execute(undefined);
    if (!first.success) return { kind: "reverted", reason: options.explainRevert(first.data), data: first.data };
    if (first.bought < 0n) throw new Incomplete("the recipient's balance fell");
    const { mostGas } = request;
    let wanted = withRoom(first.gasUsed);
    for (let proofs = 0; proofs < MAX_PROOFS; proofs++) {
      const gasLimit = mostGas !== undefined && mostGas < wanted ? mostGas : wanted;
      const proof = await execute(gasLimit === mostGas ? gasLimit : (gasLimit * PROVEN_TENTHS) / 10n);
      if (proof.success && proof.bought === first.bought && proof.sold === first.sold) {
        const { gasUsed, bought, sold, secondsLater } = first;
        return { kind: "done", gasUsed, gasLimit, bought, sold, secondsLater };
      }
      if (gasLimit === mostGas) throw new Incomplete(`it needs more than the ${gasLimit} gas it may have`);
      wanted = (gasLimit * 5n) / 4n;
    }
    throw new Incomplete("no gas limit was found that the transaction runs with");
  }

  return {
    async simulate(request) {
      const done = await turns();
      const sender = request.taker ?? STAND_IN;
      let funding: Funding | undefined;
      try {
        funding = await prepare(request, sender);
        return await run(request, sender, funding);
      } catch (error) {
        const reason = reasonOf(error);
        const { sellToken, buyToken } = request.terms;
        if (request.signal?.aborted !== true && isNews(reason))
          logger.warn({ reason, sellToken, buyToken }, "a simulation could not be run");
        const cannot = error instanceof RpcError && funding !== undefined;
        const gasLimit = cannot ? await estimate(request, sender, funding!) : undefined;
        return { kind: "incomplete", reason: messageOf(error), ...(gasLimit !== undefined && { gasLimit }) };
      } finally {
        done();
      }
    },
  };
}

/** How long the node may take. @throws Incomplete when nobody waits for the outcome any more: it is asked nothing further then */
function limitsOf({ deadlineMs, signal }: Request): RequestOptions {
  if (signal?.aborted === true) throw new Incomplete("nobody waits for the outcome any more");
  return { deadlineMs };
}

/** A first limit for what a run has used, or needs. */
function withRoom(gas: bigint): bigint {
  return (gas * 5n) / 4n + GAS_RESERVE;
}

function recipientOf({ recipient }: SwapTerms, sender: Address): Address {
  return recipient === ZERO_ADDRESS ? sender : recipient;
}

function amountOf(result: SimulatedResult | undefined): bigint {
  const amount = result?.success ? uintOf(result.data) : undefined;
  if (amount === undefined) throw new Incomplete("a token did not tell a balance");
  return amount;
}

/** Lets `most` run at a time; the answer of a turn ends it. */
function createTurns(most: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const done = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async () => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return done;
  };
}
