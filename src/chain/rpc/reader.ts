import { keccak256 } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { BatchedCalls } from "./batched-calls.ts";
import { type BlockMemo, type BlockMemory, createBlockMemory } from "./block-memory.ts";
import { callsCode, MAX_BYTES_BY_CODE } from "./calls-by-code.ts";
import type { Clock } from "./clock.ts";
import { blockParameter, parseBytes, parseQuantity } from "./codec.ts";
import { AGGREGATE3 } from "./multicall.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import { createRangeLogs } from "./range-logs.ts";
import { createPatientCall, type PatientCall } from "./retried-calls.ts";

/** Addresses of which it is remembered that a contract stands there. */
const MAX_CODES = 10_000;

/** Opcodes that run other code, or let other code come here: DELEGATECALL, CALLCODE, SELFDESTRUCT. */
const CHANGING: ReadonlyMap<number, string> = new Map([
  [0xf4, "DELEGATECALL"],
  [0xf2, "CALLCODE"],
  [0xff, "SELFDESTRUCT"],
]);
/** Opcodes that nothing runs on from: STOP, JUMP, RETURN, REVERT, INVALID. */
const ENDING: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe]);
const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** First byte of an account that runs the code of another one (EIP-7702). */
const DELEGATED = 0xef;

/** A reader with the one thing more that is needed for contracts that nobody vouches for. */
export interface NodeReader extends ChainReader {
  /** One call with a gas limit of its own; undefined when it reverts, runs out of gas or there is no contract. */
  callWithin(call: Call, gas: bigint, at: BlockRef): Promise<Hex | undefined>;
  /** Whether there is code at an address at a block. */
  hasCode(address: Address, at: BlockRef): Promise<boolean>;
  /** Why the code at an address is not exactly that of a hash, or may change, at a block; undefined where it is and cannot. */
  codeFault(address: Address, hash: Hex, at: BlockRef): Promise<string | undefined>;
  /** Wei that an account holds at a block. */
  nativeBalance(owner: Address, at: BlockRef, limits?: RequestOptions): Promise<bigint>;
}

/**
 * Reads of one named block, by its hash. Faults of the node are thrown (TransportError, RpcError,
 * MalformedAnswerError, BlockGoneError) and never look like an answer.
 */
export function createChainReader(
  provider: Provider,
  record: ChainRecord,
  options: {
    /** The hash that the follower holds for a height, where it has one: logs of ranges are checked against it. */
    readonly canonicalHash?: (blockNumber: bigint) => Hex | undefined;
    readonly memory?: BlockMemory;
    readonly clock?: Clock;
  } = {},
): NodeReader {
  const { multicall3 } = record;
  const memory = options.memory ?? createBlockMemory();
  /** Whether there is code at an address. */
  const codes = memory.memo<Address, boolean>({ most: MAX_CODES, lasts: (stands) => stands });
  /** Faults of code by address and hash; no text where there is none. */
  const faults = memory.memo<string, string>({ most: MAX_CODES, lasts: (fault) => fault === "" });
  const patiently = createPatientCall(provider, multicall3);
  const batched = new BatchedCalls(patiently, multicall3, memory);

  const ways = waysTogether(provider, { multicall3, memory, patiently });

  async function hasCode(address: Address, at: BlockRef): Promise<boolean> {
    return remembered(codes, address, at, async () => (await codeAt(provider, address, at)).length > 2);
  }

  return {
    async calls(calls, at, limits) {
      if (calls.length === 0) return [];
      // A call alone may find others to go with, unless somebody's deadline is on it.
      if (calls.length === 1 && limits !== undefined) return batched.singly(calls, at, limits);
      if (await ways.hasMulticall(at)) return batched.together(calls, { at, hasMulticall: true, limits });
      const isSmall = calls.every(({ data }) => data.length / 2 <= MAX_BYTES_BY_CODE);
      if (isSmall && (await ways.runsCode(at))) return batched.together(calls, { at, hasMulticall: false, limits });
      return batched.singly(calls, at, limits);
    },
    run: async (data, at) =>
      (await ways.runsCode(at)) ? patiently({ call: { data }, at, decode: (answer) => answer }) : undefined,
    logs: createRangeLogs(provider, { canonicalHash: options.canonicalHash, clock: options.clock }),
    callWithin: (call, gas, at) => batched.one(call, at, {}, gas),
    hasCode,
    async codeFault(address, hash, at) {
      const look = async () => codeFault(await codeAt(provider, address, at), hash) ?? "";
      return (await remembered(faults, `${address} ${hash}`, at, look)) || undefined;
    },
    nativeBalance: (owner, at, limits) =>
      parsedAnswer(
        provider,
        "eth_getBalance",
        [owner, blockParameter(at)],
        (answer) => parseQuantity(answer, "eth_getBalance"),
        limits,
      ),
  };
}

function codeAt(provider: Provider, address: Address, at: BlockRef): Promise<Hex> {
  const params = [address, blockParameter(at)];
  return parsedAnswer(provider, "eth_getCode", params, (code) => parseBytes(code, "eth_getCode"));
}

/** Remembered value at a block, or a new lookup whose result is remembered. */
async function remembered<Key, Value>(
  memo: BlockMemo<Key, Value>,
  key: Key,
  at: BlockRef,
  look: () => Promise<Value>,
): Promise<Value> {
  const known = memo.get(key, at);
  if (known !== undefined) return known;
  const found = await look();
  memo.set(key, found, at);
  return found;
}

/** Available ways to make many calls in one request. */
function waysTogether(
  provider: Provider,
  {
    multicall3,
    memory,
    patiently,
  }: { readonly multicall3: Address; readonly memory: BlockMemory; readonly patiently: PatientCall },
) {
  const known = memory.memo<"multicall" | "code", boolean>({ most: 2, lasts: (is) => is });

  return {
    /** Whether what stands at its address is Multicall3: other code does not know its method. */
    hasMulticall: (at: BlockRef) =>
      remembered(known, "multicall", at, async () => (await codeAt(provider, multicall3, at)).includes(AGGREGATE3)),
    /** Whether the node runs creation code in a call, as all do that are known. */
    runsCode: (at: BlockRef) =>
      remembered(known, "code", at, async () => {
        const call = { data: callsCode([{ to: STAND_IN, data: "0x" }]) };
        return (await patiently({ call, at, decode: (answer) => answer })) === "0x0100000000";
      }),
  };
}

/**
 * Reason for which runtime code is not the code of this hash, or may do something else tomorrow, as a few words; undefined for code
 * that is and stays as it is named. A proxy has the hash of a proxy, whatever it stands for: it is never trusted.
 */
export function codeFault(code: Hex, hash: Hex): string | undefined {
  if (code === "0x") return "there is no contract";
  const found = keccak256(code);
  if (found !== hash) return `its code hash is ${found}, not ${hash}`;
  const opcode = changingOpcode(code);
  return opcode && `its code may run other code (${opcode}): a proxy is not trusted by its hash`;
}

/**
 * First opcode that makes code depend on other code, of those that the EVM can come to; undefined where there is none. Code runs from
 * its start and from each JUMPDEST, which no data of a PUSH holds, to the next opcode that ends it. Bytes behind the code, as
 * metadata, count as well: a jump may lead there, and no scan can tell that none does.
 */
function changingOpcode(code: Hex): string | undefined {
  const bytes = Buffer.from(code.slice(2), "hex");
  if (bytes[0] === DELEGATED) return "a delegation";
  let runs = true;
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at] as number;
    if (opcode === JUMPDEST) runs = true;
    const name = runs ? CHANGING.get(opcode) : undefined;
    if (name !== undefined) return name;
    if (ENDING.has(opcode)) runs = false;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return undefined;
}
