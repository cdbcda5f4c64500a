import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Token } from "../../domain/token.ts";
import { readTokenText } from "../chains/token-text.ts";
import { blockParameter, parseBytes, quantityParameter } from "../rpc/codec.ts";
import { balanceOf, DECIMALS, NAME, SYMBOL, TOTAL_SUPPLY, uintOf } from "../rpc/erc20.ts";
import { parsedAnswer } from "../rpc/parsed-answer.ts";
import type { Provider } from "../rpc/provider.ts";
import { isAccountRefusal, isLimit, isUnknownBlock, MalformedAnswerError, RpcError } from "../rpc/provider-errors.ts";
import type { NodeReader } from "../rpc/reader.ts";

/** Name, symbol and decimals that a contract reports, and whether it works as a token. */
export interface ProbedToken {
  readonly token: Token;
  /** Whether it tells balances and a supply, as every ERC-20 has to, and decimals that amounts can be reckoned with. */
  readonly isUsable: boolean;
}

/** Reads what contracts say of themselves as tokens at a block, in the order of the addresses. @throws what the node failed with */
export type ProbeTokens = (addresses: readonly Address[], at: BlockRef) => Promise<readonly ProbedToken[]>;

/** Addresses of one request: so many answers fit into the 24,576 bytes that creation code may return (EIP-170). */
export const MAX_PROBED = 8;
/** More cannot be reckoned with. */
export const MAX_DECIMALS = 36n;
const MAX_UINT8 = 255n;
/** Gas of one call. Enough for proxies with long names; a token that burns more has no use here. */
const CALL_GAS = 200_000n;
/** Gas of one address: its calls, and 200 for each byte of their answers. */
const ADDRESS_GAS = 1_700_000n;
const BASE_GAS = 200_000n;

/** Bytes of memory where calldata is put together, then one record of answers for each address. */
const OUTPUT = 0x40;
const WORD = 32;
/** Bytes that are read of an answer: a string of 64 characters, whatever they are. Zeros stand for the rest of longer ones. */
const ANSWER = 320;
const MAX_LENGTH = 16_384n;
/** Whether it succeeded, how long its answer is, and the beginning of that. */
const CALL_RECORD = 2 * WORD + ANSWER;

const callsOf = (address: Address) => [DECIMALS, balanceOf(address), TOTAL_SUPPLY, SYMBOL, NAME];
const RECORD = 5 * CALL_RECORD;

/**
 * Probes by creation code that makes the calls of all addresses with a gas limit for each, and returns their answers: one
 * request, whatever the contracts do. A node that does not run it is asked call by call.
 */
export function createTokenProbe(
  provider: Pick<Provider, "request">,
  reader: Pick<NodeReader, "callWithin">,
): ProbeTokens {
  async function together(addresses: readonly Address[], at: BlockRef) {
    const gas = BASE_GAS + ADDRESS_GAS * BigInt(addresses.length);
    const call = { data: probeCode(addresses), gas: quantityParameter(gas) };
    return parsedAnswer(
      provider,
      "eth_call",
      [call, blockParameter(at)],
      (answer) => answersIn(parseBytes(answer, "eth_call"), addresses.length),
      { attempts: 2 },
    );
  }

  function oneByOne(addresses: readonly Address[], at: BlockRef) {
    return Promise.all(
      addresses.map((address) =>
        Promise.all(callsOf(address).map((data) => reader.callWithin({ to: address, data }, CALL_GAS, at))),
      ),
    );
  }

  return async (addresses, at) => {
    const answers = await together(addresses, at).catch((error: unknown) => {
      if (!isRefusalOfCode(error)) throw error;
      return oneByOne(addresses, at);
    });
    return addresses.map((address, index) => tokenIn(address, answers[index]!));
  };
}

/** Whether a node does not run creation code in a call; the answers of those that do are of one length. */
function isRefusalOfCode(error: unknown): boolean {
  if (error instanceof RpcError) return !isLimit(error) && !isUnknownBlock(error) && !isAccountRefusal(error);
  return error instanceof MalformedAnswerError;
}

function tokenIn(address: Address, answers: readonly (Hex | undefined)[]): ProbedToken {
  const [decimals, balance, supply, symbol, name] = answers;
  const places = uintOf(decimals);
  const isMissing = places === undefined;
  const label = (symbol === undefined ? undefined : readTokenText(symbol)) ?? "";
  const title = (name === undefined ? undefined : readTokenText(name)) ?? label;
  const told = { address, symbol: label, name: title };
  return {
    token:
      isMissing || places > MAX_UINT8
        ? { ...told, decimals: 0, wholeUnits: true }
        : { ...told, decimals: Number(places) },
    isUsable: (isMissing || places <= MAX_DECIMALS) && uintOf(balance) !== undefined && uintOf(supply) !== undefined,
  };
}

/** Creation code that returns, for each address, a record of what its calls answered. */
function probeCode(addresses: readonly Address[]): Hex {
  let at = OUTPUT;
  let code = "";
  for (const address of addresses) {
    for (const data of callsOf(address)) {
      code += callCode(address, data, at);
      at += CALL_RECORD;
    }
  }
  return `0x${code}${push(at - OUTPUT)}${push(OUTPUT)}${RETURN}`;
}

const MSTORE = "52";
const SHL = "1b";
const RETURNDATASIZE = "3d";
const STATICCALL = "fa";
const RETURN = "f3";

/** Makes one call, and writes its record to memory at `at`. */
function callCode(address: Address, data: Hex, at: number): string {
  const [selector, argument] = [data.slice(2, 10), data.slice(10)];
  const bytes = data.length / 2 - 1;
  return [
    `63${selector}${push(224)}${SHL}${push(0)}${MSTORE}`,
    argument === "" ? "" : `7f${argument}${push(4)}${MSTORE}`,
    `${push(ANSWER)}${push(at + 2 * WORD)}${push(bytes)}${push(0)}73${address.slice(2)}${push(Number(CALL_GAS))}${STATICCALL}`,
    `${push(at)}${MSTORE}${RETURNDATASIZE}${push(at + WORD)}${MSTORE}`,
  ].join("");
}

/** PUSH3: every number here fits into it. */
function push(value: number): string {
  return `62${value.toString(16).padStart(6, "0")}`;
}

/** The answers of each address; undefined where a call failed or answered nothing. @throws MalformedAnswerError */
function answersIn(answer: Hex, addresses: number): readonly (readonly (Hex | undefined)[])[] {
  const hex = answer.slice(2);
  if (hex.length !== 2 * RECORD * addresses) throw new MalformedAnswerError("eth_call: not what the probe returns");
  return Array.from({ length: addresses }, (_, index) =>
    Array.from({ length: 5 }, (_, call) => {
      const start = 2 * (index * RECORD + call * CALL_RECORD);
      const [succeeded, length] = [0, WORD].map((byte) =>
        BigInt(`0x${hex.slice(start + 2 * byte, start + 2 * (byte + WORD))}`),
      );
      if (succeeded !== 1n || length === 0n) return undefined;
      const chars = 2 * Number(length! < MAX_LENGTH ? length : MAX_LENGTH);
      const first = start + 4 * WORD;
      return `0x${hex.slice(first, first + Math.min(chars, 2 * ANSWER)).padEnd(chars, "0")}` as const;
    }),
  );
}
