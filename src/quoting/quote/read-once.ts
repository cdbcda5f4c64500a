import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { AccountNotes, AccountReader, Holding } from "../ports.ts";

/** Reads accounts for one call: what the node has told of a holding at a block is not asked for again. */
export function readOnce(accounts: AccountReader): AccountNotes {
  const known = new Map<string, Awaited<ReturnType<AccountReader["balanceAndAllowance"]>>>();
  return {
    async balanceAndAllowance(holding, at, deadlineMs) {
      const answer = known.get(keyOf(holding, at)) ?? (await accounts.balanceAndAllowance(holding, at, deadlineMs));
      known.set(keyOf(holding, at), answer);
      return answer;
    },
    note: (holding, at, has) => void known.set(keyOf(holding, at), has),
  };
}

/** Reads accounts for all calls: what the node has told of a holding at a block is kept until another block is asked for. */
export function readOncePerBlock(accounts: AccountReader): AccountReader {
  let hash: BlockRef["hash"] | undefined;
  let notes = readOnce(accounts);
  return {
    balanceAndAllowance(holding, at, deadlineMs) {
      if (at.hash !== hash) notes = readOnce(accounts);
      hash = at.hash;
      return notes.balanceAndAllowance(holding, at, deadlineMs);
    },
  };
}

function keyOf({ token, owner, spender }: Holding, at: BlockRef): string {
  return [at.hash, token, owner, ...(token === NATIVE_TOKEN ? [] : [spender])].join();
}
