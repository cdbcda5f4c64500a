import { decodeErrorResult } from "viem";
import type { Hex } from "../domain/address.ts";

/** What a contract says with its revert data: Error(string) and Panic(uint256) in words, anything else by its selector. */
export function revertReason(data: Hex): string {
  if (data === "0x") return "reverted without a reason";
  try {
    const { errorName, args } = decodeErrorResult({ data, abi: STANDARD_ERRORS });
    return errorName === "Error" ? String(args[0]) : `panic 0x${args[0].toString(16)}`;
  } catch {
    return `reverted with ${data.slice(0, 10)}`;
  }
}

const STANDARD_ERRORS = [
  { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
] as const;
