import { type Abi, decodeErrorResult, parseAbi, type Hex as ViemHex } from "viem";
import type { Hex } from "../domain/address.ts";
import type { Fill } from "../domain/route.ts";
import type { ErrorsOfVenue } from "../domain/venue-errors.ts";
import { executorArtifact, gatewayArtifact, orderSettlementArtifact, partArtifacts } from "./artifacts.ts";

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

const PERMIT2_ERRORS = parseAbi([
  "error SignatureExpired(uint256 signatureDeadline)",
  "error InvalidNonce()",
  "error InvalidAmount(uint256 maxAmount)",
  "error InvalidSigner()",
  "error InvalidSignature()",
  "error InvalidSignatureLength()",
  "error InvalidContractSignature()",
]);

const KNOWN_ERRORS = [
  ...gatewayArtifact.abi.filter(({ type }) => type === "error"),
  ...executorArtifact.abi.filter(({ type }) => type === "error"),
  ...orderSettlementArtifact.abi.filter(({ type }) => type === "error"),
  ...Object.values(partArtifacts).flatMap(({ abi }) => abi.filter(({ type }) => type === "error")),
  ...TOKEN_ERRORS,
  ...PERMIT2_ERRORS,
];

/** Longest text of a foreign contract that is passed on. */
const MAX_TEXT = 200;

/** Errors inside errors that are looked into: more is somebody's game. */
const MAX_NESTED = 8;
/** Pools that are named, where it may have been any of several. */
const MAX_NAMED = 3;

/** Decoder of revert bytes. Never throws. */
export interface RevertReader {
  /**
   * As one line: our contracts' errors with their arguments, `Error(string)` and panics, what venues and tokens say, the
   * innermost one where errors are nested. Unknown bytes are shown as they are.
   */
  reason(data: Hex): string;
  /** Pools of a route that the bytes come from, as the end of a sentence; empty if unknown. */
  where(data: Hex, fills: readonly Pick<Fill, "source" | "poolId">[]): string;
}

/** A reader of reverts that knows what venues revert with. */
export function createRevertReader(venues: readonly ErrorsOfVenue[]): RevertReader {
  const abi = [...KNOWN_ERRORS, ...parsed(venues.flatMap(({ errors }) => errors?.declared ?? []))];
  const texts = new Map(venues.flatMap(({ errors }) => Object.entries(errors?.texts ?? {})));
  const wrappers = venues.flatMap(({ errors }) => errors?.wrappers ?? []);
  const wrapperAbi = wrappers.map(({ declared }) => parsed([declared]));

  /** The bytes inside, all the way down, and the contract that the innermost ones came from, where that is told. */
  function unwrapped(data: Hex): { readonly data: Hex; readonly target?: string } {
    let inside: { readonly data: Hex; readonly target?: string } = { data };
    for (let depth = 0; depth < MAX_NESTED; depth++) {
      const next = wrappedIn(inside.data);
      if (next === undefined) break;
      inside = next;
    }
    return inside;
  }

  function wrappedIn(data: Hex): { readonly data: Hex; readonly target?: string } | undefined {
    for (const [index, { reason, target }] of wrappers.entries()) {
      const args = decoded(wrapperAbi[index] as Abi, data, false)?.args;
      if (args === undefined) continue;
      return { data: args[reason] as Hex, ...(target !== undefined && { target: String(args[target]) }) };
    }
    return undefined;
  }

  function textOf(text: string): string {
    const known = texts.get(text);
    if (known !== undefined) return `${known} (${text})`;
    const plain = text.replace(/[^\x20-\x7e]+/g, " ").trim();
    if (plain === "") return "reverted with an empty reason";
    return plain.length > MAX_TEXT ? `${plain.slice(0, MAX_TEXT)}…` : plain;
  }

  function said(data: Hex): string {
    if (data === "0x") return "reverted without a reason";
    const error = decoded(abi, data);
    if (error === undefined)
      return `unknown error ${data.length > 2 * MAX_TEXT ? `${data.slice(0, 2 * MAX_TEXT)}…` : data}`;
    const { name, args } = error;
    if (name === "Error") return textOf(String(args[0]));
    if (name === "Panic") return PANICS[String(args[0])] ?? `panic ${args[0]}`;
    return `${name}(${args.map(String).join(", ")})`;
  }

  return {
    reason(data) {
      const { data: inner, target } = unwrapped(data);
      return target === undefined ? said(inner) : `${said(inner)}, in ${target.toLowerCase()}`;
    },
    where(data, fills) {
      const { data: inner } = unwrapped(data);
      const pools = new Map(fills.map((fill) => [fill.poolId, fill]));
      const by = venues.filter((venue) => isOf(venue, data, inner));
      return placeOf([...pools.values()], by, data === "0x");
    },
  };
}

/** Whether these bytes are what a venue reverts with. */
function isOf({ errors = {} }: ErrorsOfVenue, outer: Hex, inner: Hex): boolean {
  if ((errors.wrappers ?? []).some(({ declared }) => decoded(parsed([declared]), outer, false) !== undefined))
    return true;
  if (inner === "0x") return outer === "0x" && errors.silent !== undefined;
  if (decoded(parsed(errors.declared ?? []), inner, false) !== undefined) return true;
  const error = decoded([], inner);
  return error?.name === "Error" && Object.hasOwn(errors.texts ?? {}, String(error.args[0]));
}

/** Names the pools that it may have been, by the venues that revert so. `isSilent`: there were no bytes. */
function placeOf(
  pools: readonly Pick<Fill, "source" | "poolId">[],
  by: readonly ErrorsOfVenue[],
  isSilent: boolean,
): string {
  const ids = new Set(by.map(({ id }) => id));
  const theirs = pools.filter(({ source }) => ids.has(source));
  const [silent] = isSilent ? by.filter(({ id }) => theirs.some(({ source }) => source === id)) : [];
  const suspects = theirs.length > 0 ? theirs : pools.length === 1 ? pools : [];
  if (suspects.length === 0) return "";
  const named = suspects.slice(0, MAX_NAMED).map(({ source, poolId }) => `${source} (pool ${poolId})`);
  const more = suspects.length > MAX_NAMED ? ` and ${suspects.length - MAX_NAMED} more` : "";
  const why = silent?.errors?.silent === undefined ? "" : `: perhaps ${silent.errors.silent}`;
  return `, ${suspects.length === 1 ? "at" : "at one of"} ${named.join(", ")}${more}${why}`;
}

function parsed(declared: readonly string[]): Abi {
  return parseAbi([...new Set(declared)].map((each) => `error ${each}`)) as Abi;
}

/** An error of an ABI; `Error(string)` and panics too, unless they are not wanted. Undefined for any other bytes. */
function decoded(
  abi: Abi,
  data: Hex,
  standard = true,
): { readonly name: string; readonly args: readonly unknown[] } | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: data as ViemHex });
    if (!standard && (errorName === "Error" || errorName === "Panic")) return undefined;
    return { name: errorName, args: args as readonly unknown[] };
  } catch {
    return undefined;
  }
}
