import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import type { AccountReader } from "../../quoting/ports.ts";
import { approve, balanceOf, transfer, uintOf } from "../rpc/erc20.ts";
import type { BalanceSlots, StateOverrides } from "./balance-slot.ts";
import type { SimulateCalls, SimulatedCall, SimulatedResult } from "./simulated-calls.ts";
import { Incomplete, limitsOf, type SimulationRequest, senderOf } from "./simulation-request.ts";

/** Overrides and calls that give a sender its missing balance and approval. */
export interface Funding {
  readonly overrides: StateOverrides;
  readonly calls: readonly SimulatedCall[];
}

/** Nothing: the sender has and has approved what it needs. */
export const UNAIDED: Funding = { overrides: {}, calls: [] };
const MAX_HOLDERS_TRIED = 4;

/** Dependencies of funding. */
interface FundingOptions {
  readonly accounts: AccountReader;
  readonly simulateCalls: SimulateCalls;
  readonly slots: BalanceSlots;
  /** Contracts that hold a token, for lending it. */
  readonly holdersOf?: ((token: Address) => Iterable<Address>) | undefined;
}

/**
 * Finds how senders come to the balance and the approval that a transaction needs, as far as they are missing: a balance by
 * a storage override that `balanceOf` confirms, or from a holder outside the route; an approval by a call of the sender.
 * @throws Incomplete where the sold token cannot be lent
 */
export function createFunding(options: FundingOptions): (request: SimulationRequest) => Promise<Funding> {
  const { accounts, simulateCalls, slots, holdersOf } = options;

  /** A holder outside the route sends what is missing. */
  async function borrow(request: SimulationRequest, amount: bigint): Promise<Funding | undefined> {
    const sender = senderOf(request);
    const { sellToken } = request.terms;
    const avoided = new Set<Address>([...request.avoidHolders, sender, request.terms.recipient, sellToken]);
    let tried = 0;
    for (const holder of holdersOf?.(sellToken) ?? []) {
      if (avoided.has(holder)) continue;
      if (tried++ === MAX_HOLDERS_TRIED) break;
      const loan = { from: holder, to: sellToken, data: transfer(sender, amount) };
      if (
        await arrivesWhole(loan, sender, amount, (calls) => simulateCalls({ at: request.at, calls }, limitsOf(request)))
      )
        return { overrides: {}, calls: [loan] };
    }
    return undefined;
  }

  async function fundToken(request: SimulationRequest, has: bigint): Promise<Funding> {
    const { sellToken, maxSellAmount } = request.terms;
    if (has >= maxSellAmount) return UNAIDED;
    const overrides = await slots.fund(
      { token: sellToken, owner: senderOf(request) },
      maxSellAmount,
      request.at,
      limitsOf(request),
    );
    if (overrides !== undefined) return { overrides, calls: [] };
    const loan = await borrow(request, maxSellAmount - has);
    if (loan === undefined) throw new Incomplete("the sold token could not be lent to the sender");
    return loan;
  }

  function has(request: SimulationRequest): ReturnType<AccountReader["balanceAndAllowance"]> {
    const { taker, terms, allowanceTarget, at, accounts: known = accounts } = request;
    if (taker === undefined) return Promise.resolve({ balance: 0n, allowance: 0n });
    const holding = { token: terms.sellToken, owner: taker, spender: allowanceTarget };
    return known.balanceAndAllowance(holding, at, limitsOf(request).deadlineMs);
  }

  return async (request) => {
    const { terms, transaction, allowanceTarget } = request;
    const sender = senderOf(request);
    const { balance, allowance } = await has(request);
    if (terms.sellToken === NATIVE_TOKEN) {
      if (balance >= transaction.value) return UNAIDED;
      return { overrides: { [sender]: { balance: `0x${transaction.value.toString(16)}` } }, calls: [] };
    }
    const funded = await fundToken(request, balance);
    if (allowanceTarget === ZERO_ADDRESS || allowance >= terms.maxSellAmount) return funded;
    const approvals = allowance === 0n ? [terms.maxSellAmount] : [0n, terms.maxSellAmount];
    const approving = approvals.map((amount) => {
      return { from: sender, to: terms.sellToken, data: approve(allowanceTarget, amount) };
    });
    return { ...funded, calls: [...funded.calls, ...approving] };
  };
}

/** Whether a loan arrives whole: a token may keep a part of it. */
async function arrivesWhole(
  loan: SimulatedCall,
  sender: Address,
  amount: bigint,
  simulate: (calls: readonly SimulatedCall[]) => Promise<readonly SimulatedResult[]>,
): Promise<boolean> {
  const look = { from: sender, to: loan.to, data: balanceOf(sender) };
  const [before, sent, after] = await simulate([look, loan, look]);
  return sent?.success === true && (uintOf(after?.data) ?? 0n) - (uintOf(before?.data) ?? 0n) === amount;
}
