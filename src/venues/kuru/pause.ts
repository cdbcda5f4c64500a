import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Reading } from "../../market/liquidity-source.ts";
import { wordOf } from "../reading/words.ts";

/** Withdraws nothing: no token is named. */
const WITHDRAW_NOTHING = `${toFunctionSelector("batchWithdrawMaxTokens(address[])")}${wordOf(32)}${wordOf(0)}`;
const PROTOCOL_PAUSED = toFunctionSelector("ProtocolPaused()");

/**
 * Whether the margin account pays for no trade of any market at a block. It has no function that tells, and refuses a withdrawal
 * of nothing by an error of its own (MarginAccount.sol: protocolActive). False where the node runs no creation code.
 */
export async function isProtocolPaused(
  marginAccount: Address,
  { chain, at }: Pick<Reading, "chain" | "at">,
): Promise<boolean> {
  return (await chain.run?.(withdrawalCode(marginAccount), at)) === PROTOCOL_PAUSED;
}

/** Creation code that calls the margin account and returns what that answers, or reverts with. */
function withdrawalCode(marginAccount: Address): Hex {
  const [first, second, third] = WITHDRAW_NOTHING.slice(2).padEnd(192, "0").match(/.{64}/g) as string[];
  // PUSH32 PUSH1 MSTORE, three times.
  const stored = `7f${first}6000527f${second}6020527f${third}604052`;
  // No room for the answer, 68 bytes of calldata, no value, all gas: CALL POP.
  const called = `6000600060446000600073${marginAccount.slice(2)}5af150`;
  // RETURNDATACOPY, RETURN: all of the answer.
  return `0x${stored}${called}3d600060003e3d6000f3`;
}
