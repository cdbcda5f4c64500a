import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { SimulationOutcome } from "../../quoting/ports.ts";
import { balanceOf, uintOf } from "../rpc/erc20.ts";
import type { StateOverrides } from "./balance-slot.ts";
import type { Funding } from "./funding.ts";
import type { SimulateCalls, SimulatedCall, SimulatedResult } from "./simulated-calls.ts";
import { codeOf, Incomplete, limitsOf, recipientOf, type SimulationRequest, senderOf } from "./simulation-request.ts";

/** One run of a transaction. */
export interface Run extends SimulatedResult {
  readonly bought: bigint;
  readonly sold: bigint;
}

/** Gas that a deeper or later run may need on top, for a first write to a storage slot for example. */
const GAS_RESERVE = 25_000n;
/**
 * Tenths of a limit that the transaction has to run with. The rest is for what other transactions change before it is mined,
 * a tick to be crossed, say: what is refunded after the fact, up to a fifth of what is needed before, is no such room.
 */
const PROVEN_TENTHS = 9n;
/** Runs that a gas limit is given to prove itself, each a quarter larger. */
const MAX_PROOFS = 5;

/** An address that nobody has, where code stands in simulations that tells the native balance of the account in its calldata. */
const TELLER = "0x7472696275746172792d62616c616e63652d3031" as Address;
/** PUSH1 0 CALLDATALOAD BALANCE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN */
const BALANCE_TELLER: StateOverrides = { [TELLER]: { code: "0x6000353160005260206000f3" } };

/** Dependencies of a simulated run. */
export interface Running {
  readonly simulateCalls: SimulateCalls;
  /** Explains revert data in words. */
  readonly explainRevert: (data: Hex) => string;
}

/**
 * Runs a funded transaction, and again until a gas limit is proven: with nine tenths of it, or with all of it where it is
 * the most that the chain allows.
 * @throws Incomplete where the sender is not funded after all, or no limit is proven
 */
export async function provenRun(
  request: SimulationRequest,
  funding: Funding,
  running: Running,
): Promise<SimulationOutcome> {
  const first = await execute(request, funding, running);
  if (!first.success) return { kind: "reverted", reason: running.explainRevert(first.data), data: first.data };
  if (first.bought < 0n) throw new Incomplete("the recipient's balance fell");
  const { mostGas } = request;
  let wanted = withRoom(first.gasUsed);
  for (let proofs = 0; proofs < MAX_PROOFS; proofs++) {
    const gasLimit = atMost(mostGas, wanted);
    const gas = gasLimit === mostGas ? gasLimit : (gasLimit * PROVEN_TENTHS) / 10n;
    const proof = await execute(request, funding, running, gas);
    if (proof.success && proof.bought === first.bought && proof.sold === first.sold) {
      const { gasUsed, bought, sold, secondsLater } = first;
      return { kind: "done", gasUsed, gasLimit, bought, sold, secondsLater };
    }
    if (gasLimit === mostGas) throw new Incomplete(`it needs more than the ${gasLimit} gas it may have`);
    wanted = (gasLimit * 5n) / 4n;
  }
  throw new Incomplete("no gas limit was found that the transaction runs with");
}

/** A first limit for what a run has used, or needs. */
export function firstLimit({ mostGas }: SimulationRequest, gas: bigint): bigint {
  return atMost(mostGas, withRoom(gas));
}

/**
 * Runs a funded transaction between two looks at the balances that it changes.
 * @throws Incomplete where the sender is not funded after all, or a token does not tell a balance
 */
export async function execute(
  request: SimulationRequest,
  { overrides, calls: preparing }: Funding,
  { simulateCalls }: Running,
  gas?: bigint,
): Promise<Run> {
  const { terms, transaction, at } = request;
  const sender = senderOf(request);
  const looks = [balanceCall(terms.sellToken, sender), balanceCall(terms.buyToken, recipientOf(request))];
  const swap = { from: sender, ...transaction, ...(gas === undefined ? {} : { gas }) };
  const calls = [...preparing, ...looks, swap, ...looks];
  const results = await simulateCalls(
    { at, calls, overrides: { ...codeOf(request), ...overrides, ...BALANCE_TELLER } },
    limitsOf(request),
  );
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

function balanceCall(token: Address, owner: Address): SimulatedCall {
  return token === NATIVE_TOKEN
    ? { from: STAND_IN, to: TELLER, data: `0x${owner.slice(2).padStart(64, "0")}` }
    : { from: STAND_IN, to: token, data: balanceOf(owner) };
}

function amountOf(result: SimulatedResult | undefined): bigint {
  const amount = result?.success ? uintOf(result.data) : undefined;
  if (amount === undefined) throw new Incomplete("a token did not tell a balance");
  return amount;
}

function withRoom(gas: bigint): bigint {
  return (gas * 5n) / 4n + GAS_RESERVE;
}

function atMost(most: bigint | undefined, gas: bigint): bigint {
  return most !== undefined && most < gas ? most : gas;
}
