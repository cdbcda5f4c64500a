import { decodeErrorResult, parseAbi, type Hex as ViemHex } from "viem";
import type { Hex } from "../domain/address.ts";
import { executorArtifact, gatewayArtifact, orderSettlementArtifact } from "./artifacts.ts";

/** Texts of V2 and V3 pools in words. */
const POOL_TEXTS: Readonly<Record<string, string>> = {
  "UniswapV2: K": "a V2 pair was paid too little (UniswapV2: K)",
  "UniswapV2: INSUFFICIENT_LIQUIDITY": "a V2 pair holds too little of the bought token",
  "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT": "a V2 pair would pay out nothing",
  "UniswapV2: INSUFFICIENT_INPUT_AMOUNT": "a V2 pair was paid nothing",
  "UniswapV2: OVERFLOW": "a V2 pair cannot hold that much",
  "UniswapV2: LOCKED": "a V2 pair was entered again while it was busy",
  "UniswapV2: TRANSFER_FAILED": "a V2 pair could not pay out: the token refused the transfer",
  "Pancake: K": "a V2 pair was paid too little (Pancake: K)",
  "Pancake: INSUFFICIENT_LIQUIDITY": "a V2 pair holds too little of the bought token",
  AS: "a V3 pool was asked to swap nothing (AS)",
  IIA: "a V3 pool was paid too little (IIA)",
  LOK: "a V3 pool is not initialized, or was entered again while it was busy (LOK)",
  SPL: "a V3 pool has no price to go to (SPL)",
  TF: "a V3 pool could not pay out: the token refused the transfer (TF)",
};

/** The panics that Solidity knows. */
const PANICS: Readonly<Record<string, string>> = {
  "1": "an assertion failed",
  "17": "an amount went out of range",
  "18": "a division by zero",
  "33": "a value outside its enumeration",
  "50": "an index out of bounds",
};

/** OpenZeppelin's ERC-20 (ERC-6093), which most newer tokens speak. */
const TOKEN_ERRORS = parseAbi([
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InvalidSender(address sender)",
  "error ERC20InvalidReceiver(address receiver)",
  "error SafeERC20FailedOperation(address token)",
]);

const KNOWN_ERRORS = [
  ...gatewayArtifact.abi.filter(({ type }) => type === "error"),
  ...executorArtifact.abi.filter(({ type }) => type === "error"),
  ...orderSettlementArtifact.abi.filter(({ type }) => type === "error"),
  ...TOKEN_ERRORS,
];

/** Longest text of a stranger's that is passed on. */
const MOST_TEXT = 200;

/**
 * What revert bytes say, as one line: our contracts' errors with their arguments, `Error(string)` and panics, what V2 and
 * V3 pools and tokens say. Never throws; unknown bytes are shown as they are.
 */
export function revertReason(data: Hex): string {
  if (data === "0x") return "reverted without a reason";
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: KNOWN_ERRORS, data: data as ViemHex });
    const values = args as readonly unknown[];
    if (errorName === "Error") return textOf(String(values[0]));
    if (errorName === "Panic") return PANICS[String(values[0])] ?? `panic ${values[0]}`;
    return `${errorName}(${values.map(String).join(", ")})`;
  } catch {
    return `unknown error ${data.length > 2 * MOST_TEXT ? `${data.slice(0, 2 * MOST_TEXT)}…` : data}`;
  }
}

/** A stranger's text in one printable line. */
function textOf(text: string): string {
  const known = Object.hasOwn(POOL_TEXTS, text) ? POOL_TEXTS[text] : undefined;
  if (known !== undefined) return known;
  const plain = text.replace(/[^\x20-\x7e]+/g, " ").trim();
  if (plain === "") return "reverted with an empty reason";
  return plain.length > MOST_TEXT ? `${plain.slice(0, MOST_TEXT)}…` : plain;
}
