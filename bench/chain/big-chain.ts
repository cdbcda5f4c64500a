import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { AnyRecord } from "../../src/venues/index.ts";
import { poolIdOf, type V4Key } from "../../src/venues/uniswap-v4/pool-key.ts";

/** Pools of a synthetic chain, by kind. */
export interface Sizes {
  readonly v2: number;
  readonly v3: number;
  readonly v4: number;
  readonly curve: number;
  readonly balancer: number;
  readonly blockMs: number;
  /** Pairs that each block trades in. */
  readonly changed: number;
}

/** Numbers of pools that the issue asks for, scaled. */
export function sizesOf(scale: number): Readonly<Record<Kind, number>> {
  const part = (whole: number) => Math.round(whole * scale);
  return { v2: part(450_000), v3: part(60_000), v4: part(250_000), curve: part(5_000), balancer: part(20_000) };
}

export type Kind = "v2" | "v3" | "v4" | "curve" | "balancer";
type Tokens = readonly [Address, Address];

/** Tokens of the list; their pairs are the first of a factory's, and the deepest. */
const LISTED = 40;
/** Every so many of the other pools is deep: on mainnet most hold next to nothing. */
const DEEP_EVERY: Readonly<Record<Kind, number>> = { v2: 25, v3: 10, v4: 100, curve: 10, balancer: 20 };
const START = 1_000_000;
const YEARS = 5;
const YEAR_MS = 31_536_000_000;
/** Blocks of five years at 12 s: faster chains are searched over as many here. */
const SPAN = Math.round((YEARS * YEAR_MS) / 12_000);
export const HEAD = START + SPAN;
export const V4_KEY = { fee: 3_000, tickSpacing: 60, hooks: ZERO_ADDRESS } as const;

/** Addresses are spread as hashes are, and tell their kind and index. */
function addressAt(kind: string, index: number): Address {
  const spread = ((index * 2_654_435_761 + 97) % 2 ** 32).toString(16).padStart(8, "0");
  return toAddress(`0x${spread}${kind}${index.toString(16).padStart(30, "0")}`);
}

const indexOf = (address: string) => Number.parseInt(address.slice(12), 16);
const kindOf = (address: string) => address.slice(10, 12);
const sorted = (a: Address, b: Address): Tokens => (a < b ? [a, b] : [b, a]);

export const CONTRACTS = {
  v2: addressAt("f2", 1),
  v3: addressAt("f3", 1),
  v4: addressAt("f4", 1),
  /** Curve's list of pools. */
  curve: addressAt("f5", 1),
  /** Balancer's vault. */
  balancer: addressAt("f6", 1),
  weightedFactory: addressAt("f7", 1),
  multicall3: addressAt("fc", 1),
  wrappedNative: addressAt("ee", 0),
} as const;
const listed = Array.from({ length: LISTED }, (_, index) => addressAt("ee", index));
const KIND_BYTE: Readonly<Record<Kind, string>> = { v2: "02", v3: "03", v4: "04", curve: "05", balancer: "06" };

/** A chain of any number of pools, made of their indices: nothing of it is held. */
export class BigChain {
  readonly sizes: Sizes;
  readonly record: ChainRecord;
  readonly tokens = listed;

  constructor(sizes: Sizes) {
    this.sizes = sizes;
    const fromBlock = BigInt(START);
    const venues: readonly AnyRecord[] = [
      { protocol: "uniswap-v2", source: "Big_V2", factory: CONTRACTS.v2, feeNum: 3n, feeDen: 1_000n, fromBlock },
      { protocol: "uniswap-v3", source: "Big_V3", factory: CONTRACTS.v3, fromBlock },
      { protocol: "uniswap-v4", source: "Big_V4", factory: CONTRACTS.v4, fromBlock },
      { protocol: "curve-stableswap", source: "Big_Curve", pools: [], lists: [CONTRACTS.curve], fromBlock },
      {
        ...{ protocol: "balancer-v2", source: "Big_Balancer", vault: CONTRACTS.balancer, fromBlock },
        factories: [{ factory: CONTRACTS.weightedFactory, kind: "weighted" }],
      },
    ];
    this.record = {
      ...{ chainId: 31_338, name: "big", native: { symbol: "ETH", name: "Ether" }, venues },
      ...{ wrappedNative: CONTRACTS.wrappedNative, multicall3: CONTRACTS.multicall3 },
      ...{
        blockTimeMs: sizes.blockMs,
        finalityDepth: 64,
        logsBloom: "unreliable",
        referenceTokens: listed.slice(0, 4),
      },
    };
  }

  /** The pools of a kind that a range of blocks announces, first and end. */
  announced(kind: Kind, from: number, to: number): readonly [number, number] {
    const before = (block: number) =>
      Math.min(Math.max(Math.ceil(((block - START) * this.sizes[kind]) / SPAN), 0), this.sizes[kind]);
    return [before(from), before(to + 1)];
  }

  blockOf(kind: Kind, index: number): number {
    return START + Math.floor((index * SPAN) / this.sizes[kind]);
  }

  poolAddress(kind: Kind, index: number): Address {
    return addressAt(KIND_BYTE[kind], index);
  }

  indexOf(kind: Kind, address: string): number | undefined {
    return kindOf(address) === KIND_BYTE[kind] && indexOf(address) < this.sizes[kind] ? indexOf(address) : undefined;
  }

  tokensOf(kind: Kind, index: number): Tokens {
    const ofListed = listedPair(index);
    if (ofListed !== undefined) return ofListed;
    return sorted(CONTRACTS.wrappedNative, addressAt(KIND_BYTE[kind].replace("0", "a"), index));
  }

  /** The pool of two tokens; undefined where a factory has none. */
  between(kind: Kind, a: string, b: string): number | undefined {
    if (kindOf(a) === "ee" && kindOf(b) === "ee") {
      const index = indexOfListed(indexOf(a), indexOf(b));
      return index < this.sizes[kind] ? index : undefined;
    }
    const other = kindOf(a) === "ee" ? b : a;
    const index = indexOf(other);
    return kindOf(other) === KIND_BYTE[kind].replace("0", "a") && index < this.sizes[kind] ? index : undefined;
  }

  isDeep(kind: Kind, index: number): boolean {
    return listedPair(index) !== undefined || index % DEEP_EVERY[kind] === 0;
  }

  keyOf(index: number): V4Key {
    return { currencies: this.tokensOf("v4", index), ...V4_KEY };
  }

  idOf(index: number): Hex {
    return poolIdOf(this.keyOf(index)) as Hex;
  }

  balancerId(index: number): Hex {
    return `0x${this.poolAddress("balancer", index).slice(2)}0002${index.toString(16).padStart(20, "0")}`;
  }

  /** Whether an address is that of a token. */
  isToken(address: string): boolean {
    return kindOf(address) === "ee" || kindOf(address).startsWith("a");
  }

  /** Pairs that a block trades in. */
  changedIn(block: number): readonly number[] {
    const cycle = this.#cycle;
    const pairs: number[] = [];
    for (let place = block % cycle; place < this.#deepPairs; place += cycle) pairs.push(this.#deepPair(place));
    return pairs;
  }

  reservesAt(index: number, block: number): readonly [bigint, bigint] {
    const deep = this.isDeep("v2", index);
    const base = deep ? 10n ** 21n : 10n ** 13n;
    if (!deep || block <= HEAD) return [base, base];
    const place = this.#placeOf(index);
    const last = block - ((((block - place) % this.#cycle) + this.#cycle) % this.#cycle);
    return last <= HEAD ? [base, base] : [base + BigInt(last), base];
  }

  get #deepPairs(): number {
    const { v2 } = this.sizes;
    return v2 <= LISTED_PAIRS
      ? v2
      : LISTED_PAIRS + Math.floor((v2 - 1) / DEEP_EVERY.v2) - Math.floor((LISTED_PAIRS - 1) / DEEP_EVERY.v2);
  }

  get #cycle(): number {
    return Math.max(Math.floor(this.#deepPairs / this.sizes.changed), 1);
  }

  #deepPair(place: number): number {
    if (place < LISTED_PAIRS) return place;
    return (place - LISTED_PAIRS + Math.ceil(LISTED_PAIRS / DEEP_EVERY.v2)) * DEEP_EVERY.v2;
  }

  #placeOf(index: number): number {
    return index < LISTED_PAIRS
      ? index
      : index / DEEP_EVERY.v2 - Math.ceil(LISTED_PAIRS / DEEP_EVERY.v2) + LISTED_PAIRS;
  }
}

const LISTED_PAIRS = (LISTED * (LISTED - 1)) / 2;

function listedPair(index: number): Tokens | undefined {
  if (index >= LISTED_PAIRS) return undefined;
  let larger = Math.floor((1 + Math.sqrt(1 + 8 * index)) / 2);
  while ((larger * (larger - 1)) / 2 > index) larger -= 1;
  return sorted(listed[larger]!, listed[index - (larger * (larger - 1)) / 2]!);
}

function indexOfListed(a: number, b: number): number {
  const [smaller, larger] = a < b ? [a, b] : [b, a];
  return (larger * (larger - 1)) / 2 + smaller;
}
