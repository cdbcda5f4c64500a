import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { AccountReader } from "../../quoting/ports.ts";
import { allowance, balanceOf, uintOf } from "../rpc/erc20.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import type { NodeReader } from "../rpc/reader.ts";

/** Allowance where none is needed, or all is allowed. */
export const LARGEST_ALLOWANCE = (1n << 256n) - 1n;

/**
 * Reads accounts' balances and allowances. The native token needs no approval: its allowance is the largest number.
 * @throws MalformedAnswerError if a token does not answer: no number is made up for it
 */
export function createAccountReader(reader: Pick<NodeReader, "calls" | "nativeBalance">): AccountReader {
  return {
    async balanceAndAllowance({ token, owner, spender }, at, deadlineMs) {
      if (token === NATIVE_TOKEN) {
        return { balance: await reader.nativeBalance(owner, at, { deadlineMs }), allowance: LARGEST_ALLOWANCE };
      }
      const calls = [balanceOf(owner), allowance(owner, spender)].map((data) => ({ to: token, data }));
      const [balance, approved] = await reader.calls(calls, at, { deadlineMs });
      return {
        balance: required(uintOf(balance), "balanceOf"),
        allowance: required(uintOf(approved), "allowance"),
      };
    },
  };
}

function required(value: bigint | undefined, what: string): bigint {
  if (value === undefined) throw new MalformedAnswerError(`${what}: no answer`);
  return value;
}
