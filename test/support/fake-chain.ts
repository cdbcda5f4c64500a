import { encodeAbiParameters, keccak256, toEventSelector, toHex } from "viem";
import { createBlooms } from "../../src/chain/blocks/bloom.ts";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import { type Address, type Hex, toAddress } from "../../src/domain/address.ts";
import type { Log } from "../../src/market/chain-reader.ts";
import type { AnyRecord } from "../../src/venues/index.ts";
import { createFakeNode, type FakeNode } from "./fake-node.ts";
import { createRandom } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

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

/** A chain in this process, with a factory of Uniswap V2's shape, that does what a test says. Deterministic by seed. It is
 * also its own first node. */
export interface FakeChain extends FakeNode {
  readonly record: ChainRecord;
  readonly head: FakeBlock;
  /** Time that answers take; none without one. */
  readonly clock: VirtualClock | undefined;
  /** Another node of the same chain. */
  connect(options: { readonly name: string; readonly behind?: () => number }): FakeNode;
  /** Another branch that begins `depth` blocks below the head: the same chain to those who do not look closely. */
  fork(depth: number): FakeChain;
  /** Any block that ever was, canonical or not. */
  block(hash: Hex): FakeBlock | undefined;
  /** Adds a block that trades in `trades` pairs, creates `pairs` new ones, and has a stranger's logs of these topics. */
  mine(content?: { readonly trades?: number; readonly pairs?: number; readonly strangers?: readonly Hex[] }): FakeBlock;
  /** Forgets what old blocks held, as a node without an archive does: a long life needs no more memory than a short one. */
  prune(depth: number): void;
  /** Takes blocks away without a word. */
  rollback(depth: number): void;
  /** Replaces the last `depth` blocks by `length` others. */
  reorganize(depth: number, length: number): void;
  /** Takes the code away that stands at an address, and puts it back; by default all contracts have some. */
  removeCode(address: Address): void;
  restoreCode(address: Address): void;
}

const PAIR_CREATED = toEventSelector("PairCreated(address,address,address,uint256)");
const SYNC = toEventSelector("Sync(uint112,uint112)");
const NOISE = toEventSelector("Approval(address,address,uint256)");
const GENESIS_TIMESTAMP = 1_700_000_000n;
/** When the first block was mined, milliseconds since 1970. */
export const GENESIS_MS = Number(GENESIS_TIMESTAMP) * 1_000;
const BLOCK_TIME_SECONDS = 2n;

interface Origin {
  readonly seed: number;
  readonly pairs?: number;
  /** Whether about half of the pairs hold next to nothing. */
  readonly dust?: boolean;
  readonly clock?: VirtualClock;
}

export function createFakeChain(options: Origin, trunk?: readonly FakeBlock[]): FakeChain {
  const branch = trunk === undefined ? "" : ` branch ${trunk.length}`;
  const random = createRandom(options.seed + branch.length).unit;
  const blooms = createBlooms();
  const named = (name: string) => toAddress(`0x${keccak256(toHex(name)).slice(26)}`);
  const factory = named("factory");
  const wrappedNative = named("wrapped native");
  const fee = { feeNum: 3n, feeDen: 1_000n };
  const venue: AnyRecord = { protocol: "uniswap-v2", source: "Fake_V2", factory, ...fee, fromBlock: 0n };
  const record: ChainRecord = {
    chainId: 99,
    name: "fake",
    native: { symbol: "ETH", name: "Ether" },
    wrappedNative,
    multicall3: named("multicall3"),
    blockTimeMs: 2_000,
    finalityDepth: 8,
    venues: [venue],
  };
  const codeless = new Set<Address>([record.multicall3]);
  const chain: FakeBlock[] = [...(trunk ?? [])];
  const blocks = new Map<Hex, FakeBlock>(chain.map((block) => [block.hash, block]));
  /** Blocks that were taken back. */
  const orphans: FakeBlock[] = [];
  let born = 0;
  let made = 0;
  let time = chain.at(-1)?.timestamp ?? GENESIS_TIMESTAMP - BLOCK_TIME_SECONDS;

  const below = (limit: number) => Math.floor(random() * limit);
  const isDust = (pair: Address) => options.dust === true && Number.parseInt(pair.slice(-1), 16) < 8;
  const reserveOf = (pair: Address) => (10n ** 18n + BigInt(below(2 ** 40))) / (isDust(pair) ? 1_000n : 1n);
  const topicOf = (address: Address): Hex => `0x${address.slice(2).padStart(64, "0")}`;

  function mine({ trades = 3, pairs: created = 0, strangers = [] }: Parameters<FakeChain["mine"]>[0] = {}): FakeBlock {
    const parent = chain.at(-1);
    const number = parent === undefined ? 0n : parent.number + 1n;
    const hash = keccak256(toHex(`block ${options.seed}${branch} ${made++}`));
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
      const name = `${born++}${branch}`;
      const [a, b] = [wrappedNative, named(`token ${name}`)].sort() as [Address, Address];
      const pair = named(`pair ${name}`);
      const data = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [pair, BigInt(born)]);
      log(factory, [PAIR_CREATED, topicOf(a), topicOf(b)], data);
      sync(pair, [a, b], [reserveOf(pair), reserveOf(pair)]);
    }
    const all = [...pairs.keys()];
    for (let index = 0; index < trades && all.length > 0; index++) {
      const pair = all[below(all.length)]!;
      sync(pair, pairs.get(pair)!.tokens, [reserveOf(pair), reserveOf(pair)]);
      if (below(2) === 0) log(named("stranger"), [NOISE], "0x");
    }
    for (const topic of strangers) log(named("stranger"), [topic], "0x");
    time += BLOCK_TIME_SECONDS;
    const block: FakeBlock = {
      number,
      hash,
      parentHash: parent?.hash ?? `0x${"0".repeat(64)}`,
      timestamp: time,
      logs,
      logsBloom: blooms.of(logs),
      pairs,
    };
    blocks.set(hash, block);
    chain.push(block);
    return block;
  }

  const node = connect({ name: "main" });

  function connect({ name, behind }: { readonly name: string; readonly behind?: () => number }): FakeNode {
    return createFakeNode({
      record,
      seed: options.seed * 1_000 + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0),
      clock: options.clock,
      view: () => (behind === undefined ? chain : chain.slice(0, Math.max(1, chain.length - behind()))),
      block: (hash) => blocks.get(hash),
      codeless,
    });
  }

  if (trunk === undefined) mine({ trades: 0, pairs: options.pairs ?? 8 });
  return {
    ...node,
    clock: options.clock,
    record,
    get head() {
      return chain.at(-1)!;
    },
    block: (hash) => blocks.get(hash),
    connect,
    fork: (depth) => createFakeChain(options, chain.slice(0, Math.max(1, chain.length - depth))),
    mine,
    prune(depth) {
      while (orphans[0] !== undefined && orphans[0].number < chain.length - depth) blocks.delete(orphans.shift()!.hash);
      for (let number = chain.length - 1 - depth; number >= 0 && chain[number]!.pairs.size > 0; number--) {
        const block = chain[number]!;
        blocks.delete(block.hash);
        chain[number] = { ...block, pairs: new Map(), logs: [], logsBloom: "0x" };
      }
    },
    rollback(depth) {
      orphans.push(...chain.splice(Math.max(1, chain.length - depth)));
    },
    reorganize(depth, length) {
      orphans.push(...chain.splice(Math.max(1, chain.length - depth)));
      for (let index = 0; index < length; index++) mine({ pairs: below(4) === 0 ? 1 : 0 });
    },
    removeCode(address) {
      codeless.add(address);
    },
    restoreCode(address) {
      codeless.delete(address);
    },
  };
}
