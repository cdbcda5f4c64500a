import { encodeAbiParameters, toFunctionSelector, toHex } from "viem";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import type { Provider, RequestOptions } from "../../src/chain/rpc/provider.ts";
import { RpcError, TransportError } from "../../src/chain/rpc/provider-errors.ts";
import type { Address, Hex } from "../../src/domain/address.ts";
import type { Log } from "../../src/market/chain-reader.ts";
import type { FakeBlock } from "./fake-chain.ts";
import { createRandom } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What is wrong with one answer. */
export type Fault =
  /** The node answers with an error. */
  | "error"
  /** The node does not answer. */
  | "silence"
  /** The node has had too many requests, and says when it wants the next. */
  | "limit"
  /** `eth_getLogs` answers none, or leaves the last out. */
  | "emptyLogs"
  | "cutLogs"
  /** The newest block is one of the last few, or of long ago. */
  | "staleHead"
  | "oldHead"
  /** A block, state or log answer is not what was asked for. */
  | "otherBlock"
  /** A pair's state is not what it is. */
  | "wrongState"
  /** The reserves that logs tell of are not what they were; their bloom is, for it does not cover them. */
  | "wrongLogs"
  /** Half of an answer. */
  | "garbage";

/** Decides for each request what goes wrong with it. */
export type FaultPlan = (method: string, params: readonly unknown[]) => Fault | undefined;

/** A node of a fake chain. */
export interface FakeNode {
  readonly provider: Provider;
  /** Announces heads to whoever listens, `times` times. */
  announce(times?: number): void;
  setFaults(plan: FaultPlan | undefined): void;
  /** Faults that met a request so far. */
  readonly faultsSeen: ReadonlyMap<Fault, number>;
  /** Requests so far. */
  requests(): number;
  /** Requests on their way whose answers will be wrong, or never come. */
  faultsOnTheWay(): number;
}

const GET_PAIR = toFunctionSelector("getPair(address,address)");
const GET_RESERVES = toFunctionSelector("getReserves()");
const TIMEOUT_MS = 10_000;
const MAX_LATENCY_MS = 60;
const RETRY_AFTER_MS = 1_000;
/** Blocks that a node is behind which answers with an old head. */
const OLD = 150;

/** A node that knows the blocks of `view`. With a clock its answers take a time, which the seed decides. */
export function createFakeNode(options: {
  readonly record: ChainRecord;
  readonly seed: number;
  readonly clock: VirtualClock | undefined;
  /** The canonical blocks by number, as this node has them. */
  readonly view: () => readonly FakeBlock[];
  readonly block: (hash: Hex) => FakeBlock | undefined;
  readonly codeless: ReadonlySet<Address>;
}): FakeNode {
  const { record, clock, view } = options;
  const { unit } = createRandom(options.seed);
  const listeners = new Set<() => void>();
  const faultsSeen = new Map<Fault, number>();
  let plan: FaultPlan | undefined;
  let requests = 0;
  let onTheWay = 0;

  /** Only canonical blocks are known, as with anvil. */
  function canonical(hash: unknown): FakeBlock | undefined {
    const block = options.block(hash as Hex);
    return block !== undefined && view()[Number(block.number)] === block ? block : undefined;
  }

  function required(hash: unknown): FakeBlock {
    const block = canonical(hash);
    if (block === undefined) throw new RpcError(-32001, "unknown block");
    return block;
  }

  function call(to: Address, data: Hex, block: FakeBlock, fault: Fault | undefined): Hex {
    const [venue] = record.venues;
    if (venue !== undefined && "factory" in venue && to === venue.factory && data.startsWith(GET_PAIR)) {
      const tokens = [data.slice(34, 74), data.slice(98, 138)].map((text) => `0x${text}`).join();
      const found = [...block.pairs].find(([, pair]) => pair.tokens.join() === tokens);
      return encodeAbiParameters([{ type: "address" }], [found?.[0] ?? `0x${"0".repeat(40)}`]);
    }
    const pair = block.pairs.get(to);
    if (pair === undefined || !data.startsWith(GET_RESERVES)) return "0x";
    const words = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }] as const;
    const [first, second] = pair.reserves;
    return encodeAbiParameters(words, [fault === "wrongState" ? first + 1n : first, second, 0n]);
  }

  function logsOf(filter: Record<string, unknown>): readonly Log[] {
    if (filter.blockHash !== undefined) return required(filter.blockHash).logs;
    const addresses = filter.address as readonly Address[];
    const [topics] = filter.topics as readonly (readonly Hex[])[];
    return view()
      .filter(({ number }) => number >= BigInt(filter.fromBlock as Hex) && number <= BigInt(filter.toBlock as Hex))
      .flatMap(({ logs }) => logs)
      .filter(({ address, topics: [topic] }) => addresses.includes(address) && topics!.includes(topic!));
  }

  function answer(method: string, params: readonly unknown[], fault: Fault | undefined): unknown {
    const [first, second] = params;
    const blocks = view();
    switch (method) {
      case "eth_chainId":
        return toHex(record.chainId);
      case "eth_gasPrice":
        return "0x3b9aca00";
      case "eth_getBlockByNumber": {
        const back = fault === "oldHead" ? OLD : fault === "staleHead" ? 1 + Math.floor(unit() * 6) : 0;
        const block = first === "latest" ? blocks.at(-1 - Math.min(back, blocks.length - 1)) : blocks[Number(first)];
        return wireBlock(block);
      }
      case "eth_getBlockByHash":
        return wireBlock(fault === "otherBlock" ? blocks[0] : canonical(first));
      case "eth_getLogs": {
        const logs = logsOf(first as Record<string, unknown>);
        if (fault === "emptyLogs") return [];
        if (fault === "wrongLogs") return logs.map(falsified).map(wireLog);
        if (fault === "cutLogs") return logs.slice(0, -1).map(wireLog);
        return (fault === "otherBlock" ? (blocks[1] ?? blocks[0]!).logs : logs).map(wireLog);
      }
      case "eth_getCode":
        return options.codeless.has(first as Address) ? "0x" : "0x60";
      case "eth_call": {
        const { to, data } = first as { to: Address; data: Hex };
        return call(to, data, required((second as { blockHash: Hex }).blockHash), fault);
      }
      default:
        throw new RpcError(-32601, `${method}: no such method`);
    }
  }

  async function takeTime(fault: Fault | undefined, { timeoutMs = TIMEOUT_MS }: RequestOptions): Promise<void> {
    if (clock === undefined) return;
    const ms = fault === "silence" ? timeoutMs : 1 + Math.floor(unit() * MAX_LATENCY_MS);
    await new Promise<void>((resolve) => clock.after(ms, resolve));
  }

  return {
    provider: {
      async request(method, params, limits = {}) {
        requests += 1;
        const fault = plan?.(method, params);
        if (fault !== undefined) faultsSeen.set(fault, (faultsSeen.get(fault) ?? 0) + 1);
        if (fault !== undefined) onTheWay += 1;
        await takeTime(fault, limits);
        if (fault !== undefined) onTheWay -= 1;
        if (fault === "error") throw new RpcError(-32000, "an error");
        if (fault === "silence") throw new TransportError("no answer in time", { timedOut: true });
        if (fault === "limit") throw new TransportError("HTTP 429", { limited: true, retryAfterMs: RETRY_AFTER_MS });
        const honest = answer(method, params, fault);
        return fault === "garbage" ? "0x0g" : structuredClone(honest);
      },
      onHeadHint(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close() {},
    },
    announce(times = 1) {
      for (let time = 0; time < times; time++) for (const listener of listeners) listener();
    },
    setFaults(next) {
      plan = next;
    },
    faultsSeen,
    requests: () => requests,
    faultsOnTheWay: () => onTheWay,
  };
}

function wireBlock(block: FakeBlock | undefined): unknown {
  if (block === undefined) return null;
  const { number, hash, parentHash, timestamp, logsBloom } = block;
  return {
    number: toHex(number),
    hash,
    parentHash,
    timestamp: toHex(timestamp),
    logsBloom,
    baseFeePerGas: "0x7",
    gasLimit: "0x1c9c380",
  };
}

/** The same log with another last digit in its first word. */
function falsified(log: Log): Log {
  const digit = Number.parseInt(log.data.slice(65, 66), 16);
  if (Number.isNaN(digit)) return log;
  return { ...log, data: `${log.data.slice(0, 65)}${((digit + 1) % 16).toString(16)}${log.data.slice(66)}` as Hex };
}

function wireLog({ logIndex, blockNumber, ...log }: Log): unknown {
  return { ...log, blockNumber: toHex(blockNumber), logIndex: toHex(logIndex), removed: false };
}
