import { encodeAbiParameters, keccak256, toEventSelector, toFunctionSelector, toHex } from "viem";
import { createBlooms } from "../../src/chain/bloom.ts";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import type { Provider } from "../../src/chain/provider.ts";
import { RpcError, TransportError } from "../../src/chain/provider-errors.ts";
import { type Address, type Hex, toAddress } from "../../src/domain/address.ts";
import type { Log } from "../../src/market/chain-reader.ts";

/** What is wrong with one answer. */
export type Fault =
  /** The node answers with an error. */
  | "error"
  /** The node does not answer. */
  | "silence"
  /** `eth_getLogs` answers none, or leaves the last out. */
  | "emptyLogs"
  | "cutLogs"
  /** The newest block is one of the last few. */
  | "staleHead"
  /** A block, state or log answer is not what was asked for. */
  | "otherBlock"
  /** Half of an answer. */
  | "garbage";

/** Decides for each request what goes wrong with it. */
export type FaultPlan = (method: string, params: readonly unknown[]) => Fault | undefined;

type Reserves = readonly [bigint, bigint];

export interface FakeBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: bigint;
  readonly logs: readonly Log[];
  readonly logsBloom: Hex;
  /** Reserves of every pair that exists, after this block. */
  readonly pairs: ReadonlyMap<Address, { readonly tokens: readonly [Address, Address]; readonly reserves: Reserves }>;
}

/** A chain in this process, with a factory of Uniswap V2's shape, that does what a test says. Deterministic by seed. */
export interface FakeChain {
  readonly provider: Provider;
  readonly record: ChainRecord;
  readonly head: FakeBlock;
  /** Any block that ever was, canonical or not. */
  block(hash: Hex): FakeBlock | undefined;
  /** Adds a block that trades in `trades` pairs and creates `pairs` new ones. */
  mine(content?: { readonly trades?: number; readonly pairs?: number }): FakeBlock;
  /** Takes blocks away without a word. */
  rollback(depth: number): void;
  /** Replaces the last `depth` blocks by `length` others. */
  reorganize(depth: number, length: number): void;
  /** Announces heads to whoever listens, `times` times. */
  announce(times?: number): void;
  setFaults(plan: FaultPlan | undefined): void;
  /** Code that stands at an address; by default all contracts have some. */
  removeCode(address: Address): void;
  /** Faults that met a request so far. */
  readonly faultsSeen: ReadonlyMap<Fault, number>;
}

const PAIR_CREATED = toEventSelector("PairCreated(address,address,address,uint256)");
const SYNC = toEventSelector("Sync(uint112,uint112)");
const GET_PAIR = toFunctionSelector("getPair(address,address)");
const GET_RESERVES = toFunctionSelector("getReserves()");
const NOISE = toEventSelector("Approval(address,address,uint256)");
const GENESIS_TIMESTAMP = 1_700_000_000n;
const BLOCK_TIME_SECONDS = 2n;

/** A sequence of numbers from 0 to 1 that is the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createFakeChain(options: { readonly seed: number; readonly pairs?: number }): FakeChain {
  const random = createRandom(options.seed);
  const blooms = createBlooms();
  const named = (name: string) => toAddress(`0x${keccak256(toHex(name)).slice(26)}`);
  const factory = named("factory");
  const wrappedNative = named("wrapped native");
  const record: ChainRecord = {
    chainId: 99,
    name: "fake",
    native: { symbol: "ETH", name: "Ether" },
    wrappedNative,
    multicall3: named("multicall3"),
    blockTimeMs: 2_000,
    finalityDepth: 8,
    venues: [{ protocol: "uniswap-v2", source: "Fake_V2", factory, feeNum: 3n, feeDen: 1_000n, fromBlock: 0n }],
  };
  const codeless = new Set<Address>([record.multicall3]);
  const blocks = new Map<Hex, FakeBlock>();
  const chain: FakeBlock[] = [];
  const listeners = new Set<() => void>();
  const faultsSeen = new Map<Fault, number>();
  let plan: FaultPlan | undefined;
  let born = 0;
  let made = 0;

  const below = (limit: number) => Math.floor(random() * limit);
  const reserve = () => 10n ** 18n + BigInt(below(2 ** 40));
  const topicOf = (address: Address): Hex => `0x${address.slice(2).padStart(64, "0")}`;

  function mine({ trades = 3, pairs: created = 0 } = {}): FakeBlock {
    const parent = chain.at(-1);
    const number = parent === undefined ? 0n : parent.number + 1n;
    const hash = keccak256(toHex(`block ${options.seed} ${made++}`));
    const pairs = new Map(parent?.pairs);
    const logs: Log[] = [];
    const log = (address: Address, topics: readonly Hex[], data: Hex) => {
      logs.push({ address, topics, data, blockHash: hash, blockNumber: number, logIndex: logs.length });
    };
    const sync = (pair: Address, tokens: readonly [Address, Address], reserves: Reserves) => {
      pairs.set(pair, { tokens, reserves });
      log(pair, [SYNC], encodeAbiParameters([{ type: "uint112" }, { type: "uint112" }], reserves));
    };
    for (let index = 0; index < created; index++) {
      const name = born++;
      const [a, b] = [wrappedNative, named(`token ${name}`)].sort() as [Address, Address];
      const pair = named(`pair ${name}`);
      const data = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [pair, BigInt(name)]);
      log(factory, [PAIR_CREATED, topicOf(a), topicOf(b)], data);
      sync(pair, [a, b], [reserve(), reserve()]);
    }
    const all = [...pairs.keys()];
    for (let index = 0; index < trades && all.length > 0; index++) {
      const pair = all[below(all.length)]!;
      sync(pair, pairs.get(pair)!.tokens, [reserve(), reserve()]);
      if (below(2) === 0) log(named("stranger"), [NOISE], "0x");
    }
    const block: FakeBlock = {
      number,
      hash,
      parentHash: parent?.hash ?? `0x${"0".repeat(64)}`,
      timestamp: GENESIS_TIMESTAMP + number * BLOCK_TIME_SECONDS,
      logs,
      logsBloom: blooms.of(logs),
      pairs,
    };
    blocks.set(hash, block);
    chain.push(block);
    return block;
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

  function wireLog({ logIndex, blockNumber, ...log }: Log): unknown {
    return { ...log, blockNumber: toHex(blockNumber), logIndex: toHex(logIndex), removed: false };
  }

  /** Only canonical blocks are known, as with anvil. */
  function canonical(hash: unknown): FakeBlock | undefined {
    const block = blocks.get(hash as Hex);
    return block !== undefined && chain[Number(block.number)] === block ? block : undefined;
  }

  function required(hash: unknown): FakeBlock {
    const block = canonical(hash);
    if (block === undefined) throw new RpcError(-32001, "unknown block");
    return block;
  }

  function call(to: Address, data: Hex, block: FakeBlock): Hex {
    if (to === factory && data.startsWith(GET_PAIR)) {
      const tokens = [data.slice(34, 74), data.slice(98, 138)].map((text) => `0x${text}`).join();
      const found = [...block.pairs].find(([, pair]) => pair.tokens.join() === tokens);
      return encodeAbiParameters([{ type: "address" }], [found?.[0] ?? `0x${"0".repeat(40)}`]);
    }
    const pair = block.pairs.get(to);
    if (pair === undefined || !data.startsWith(GET_RESERVES)) return "0x";
    const words = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }] as const;
    return encodeAbiParameters(words, [...pair.reserves, 0n]);
  }

  function logsOf(filter: Record<string, unknown>): readonly Log[] {
    if (filter.blockHash !== undefined) return required(filter.blockHash).logs;
    const addresses = filter.address as readonly Address[];
    const [topics] = filter.topics as readonly (readonly Hex[])[];
    return chain
      .filter(({ number }) => number >= BigInt(filter.fromBlock as Hex) && number <= BigInt(filter.toBlock as Hex))
      .flatMap(({ logs }) => logs)
      .filter(({ address, topics: [topic] }) => addresses.includes(address) && topics!.includes(topic!));
  }

  function answer(method: string, params: readonly unknown[], fault: Fault | undefined): unknown {
    const [first, second] = params;
    switch (method) {
      case "eth_chainId":
        return toHex(record.chainId);
      case "eth_gasPrice":
        return "0x3b9aca00";
      case "eth_getBlockByNumber": {
        const back = fault === "staleHead" ? 1 + below(6) : 0;
        const block = first === "latest" ? chain.at(-1 - Math.min(back, chain.length - 1)) : chain[Number(first)];
        return wireBlock(block);
      }
      case "eth_getBlockByHash":
        return wireBlock(fault === "otherBlock" ? chain[0] : canonical(first));
      case "eth_getLogs": {
        const logs = logsOf(first as Record<string, unknown>);
        if (fault === "emptyLogs") return [];
        return (
          fault === "cutLogs" ? logs.slice(0, -1) : fault === "otherBlock" ? (chain[1] ?? chain[0]!).logs : logs
        ).map(wireLog);
      }
      case "eth_getCode":
        return codeless.has(first as Address) ? "0x" : "0x60";
      case "eth_call": {
        const { to, data } = first as { to: Address; data: Hex };
        return call(to, data, required((second as { blockHash: Hex }).blockHash));
      }
      default:
        throw new RpcError(-32601, `${method}: no such method`);
    }
  }

  const provider: Provider = {
    async request(method, params) {
      const fault = plan?.(method, params);
      if (fault !== undefined) faultsSeen.set(fault, (faultsSeen.get(fault) ?? 0) + 1);
      await new Promise(setImmediate);
      if (fault === "error") throw new RpcError(-32000, "an error");
      if (fault === "silence") throw new TransportError("no answer in time");
      const honest = answer(method, params, fault);
      return fault === "garbage" ? "0x0g" : structuredClone(honest);
    },
    onHeadHint(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {},
  };

  mine({ trades: 0, pairs: options.pairs ?? 8 });
  return {
    provider,
    record,
    get head() {
      return chain.at(-1)!;
    },
    block: (hash) => blocks.get(hash),
    mine,
    rollback(depth) {
      chain.splice(Math.max(1, chain.length - depth));
    },
    reorganize(depth, length) {
      chain.splice(Math.max(1, chain.length - depth));
      for (let index = 0; index < length; index++) mine({ pairs: below(4) === 0 ? 1 : 0 });
    },
    announce(times = 1) {
      for (let time = 0; time < times; time++) for (const listener of listeners) listener();
    },
    setFaults(next) {
      plan = next;
    },
    removeCode(address) {
      codeless.add(address);
    },
    faultsSeen,
  };
}
