import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { AccountReader } from "../ports.ts";
import type { QuoteAnswer } from "./types.ts";

interface IssuesSetting {
  readonly accounts: AccountReader;
  readonly snapshot: { readonly block: BlockRef };
  readonly deadlineMs?: number | undefined;
}

/**
 * Finds what the taker of a transaction still lacks. `needed` = the most that it may take.
 * @throws SwapError UNAVAILABLE when the node does not say what the taker has.
 */
export async function findIssues(
  { accounts, snapshot, deadlineMs }: IssuesSetting,
  taker: Address | undefined,
  needed: { readonly token: Address; readonly amount: bigint },
  allowanceTarget: Address,
): Promise<Pick<QuoteAnswer["issues"], "allowance" | "balance">> {
  if (taker === undefined) return { allowance: null, balance: null };
  const has = await accounts
    .balanceAndAllowance({ token: needed.token, owner: taker, spender: allowanceTarget }, snapshot.block, deadlineMs)
    .catch((cause: unknown) => {
      const message = "The node does not answer now what the taker has. Try again.";
      throw refuse("UNAVAILABLE", message, { cause });
    });
  const approves = needed.token !== NATIVE_TOKEN && allowanceTarget !== ZERO_ADDRESS;
  return {
    allowance: approves && has.allowance < needed.amount ? { actual: has.allowance, spender: allowanceTarget } : null,
    balance: has.balance < needed.amount ? { token: needed.token, actual: has.balance, expected: needed.amount } : null,
  };
}
