import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { AccountReader } from "../ports.ts";

/** Reads accounts for one call: what the node has told of a holding at a block is not asked for again. */
export function readOnce(accounts: AccountReader): AccountReader {
  const known = new Map<string, Awaited<ReturnType<AccountReader["balanceAndAllowance"]>>>();
  return {
    async balanceAndAllowance(holding, at, deadlineMs) {
      const { token, owner, spender } = holding;
      const key = [at.hash, token, owner, ...(token === NATIVE_TOKEN ? [] : [spender])].join();
      const answer = known.get(key) ?? (await accounts.balanceAndAllowance(holding, at, deadlineMs));
      known.set(key, answer);
      return answer;
    },
  };
}
