import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import { allowance, balanceOf, uintOf } from "../rpc/erc20.ts";
import type { StateOverrides } from "./balance-slot.ts";
import type { Funding } from "./funding.ts";
import type { SimulateCalls, SimulatedCall, SimulatedResult } from "./simulated-calls.ts";
import { codeOf, Incomplete, limitsOf, recipientOf, type SimulationRequest, senderOf } from "./simulation-request.ts";

/** One run of a transaction. */
export interface Run extends SimulatedResult {
  readonly bought: bigint;
  readonly sold: bigint;
  /** The sender's balance of the sold token before it. */
  readonly had: bigint;
  /** The sender's approval before it; undefined where nobody looked, or none is needed. */
  readonly approved: bigint | undefined;
}

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

/** Settings of one run. */
interface RunOptions {
  /** Gas limit; absent: as much as the node gives. */
  readonly gas?: bigint | undefined;
  /** Whether it also tells what the sender has approved. */
  readonly looksAtApproval?: boolean;
}

/**
 * Runs a funded transaction between two looks at the balances that it changes.
 * @throws Incomplete where the sender is not funded after all, or a token does not tell a balance
 */
export async function execute(
  request: SimulationRequest,
  funding: Funding,
  running: Running,
  gas?: bigint,
): Promise<Run> {
  const run = await runTransaction(request, funding, running, { gas });
  if (run.had < neededBy(request)) throw new Incomplete("the sender did not come to the amount that is sold");
  return run;
}

/** As `execute`, also with a sender that lacks something: the transaction fails then. @throws Incomplete as above */
export async function runTransaction(
  request: SimulationRequest,
  { overrides, calls: preparing }: Funding,
  { simulateCalls }: Running,
  { gas, looksAtApproval = false }: RunOptions,
): Promise<Run> {
  const { terms, transaction, at } = request;
  const sender = senderOf(request);
  const first = [...preparing, ...(looksAtApproval ? approvalCall(request) : [])];
  const looks = [balanceCall(terms.sellToken, sender), balanceCall(terms.buyToken, recipientOf(request))];
  const swap = { from: sender, ...transaction, ...(gas === undefined ? {} : { gas }) };
  const results = await simulateCalls(
    {
      at,
      calls: [...first, ...looks, swap, ...looks],
      overrides: { ...codeOf(request), ...overrides, ...BALANCE_TELLER },
    },
    limitsOf(request),
  );
  const [has, before, swapped, left, after] = results.slice(first.length);
  if (!results.slice(0, preparing.length).every(({ success }) => success)) {
    throw new Incomplete("the sender could not be given balance and approval");
  }
  const had = amountOf(has);
  return {
    ...swapped!,
    had,
    approved: first.length > preparing.length ? amountOf(results[preparing.length]) : undefined,
    sold: had - amountOf(left),
    bought: amountOf(after) - amountOf(before),
  };
}

/** Least that the sender has to have. */
export function neededBy({ terms, transaction }: SimulationRequest): bigint {
  return terms.sellToken === NATIVE_TOKEN ? transaction.value : terms.maxSellAmount;
}

function approvalCall(request: SimulationRequest): readonly SimulatedCall[] {
  const { terms, allowanceTarget: spender } = request;
  if (terms.sellToken === NATIVE_TOKEN || spender === ZERO_ADDRESS) return [];
  return [{ from: STAND_IN, to: terms.sellToken, data: allowance(senderOf(request), spender) }];
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
