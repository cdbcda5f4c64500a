import { toFunctionSelector } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { Listing, PoolRef } from "../../market/liquidity-source.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

/** Contracts that list pools, and a provider that names more of them. */
export interface NumberedLists {
  readonly lists: readonly Address[];
  /** Signatures of each list's functions: how many pools it has, and which has a number from 0 up. Absent: Curve's. */
  readonly functions?: { readonly count: string; readonly pool: string };
  /** Answers `get_address(uint256)` with such a contract for each of these numbers, or with none. */
  readonly provider?: { readonly address: Address; readonly ids: readonly number[] } | undefined;
}

/** A pool and the first contract that lists it. */
export interface ListedPool {
  readonly pool: Address;
  readonly list: Address;
}

const CURVE = { count: "pool_count()", pool: "pool_list(uint256)" };
const GET_ADDRESS = toFunctionSelector("get_address(uint256)");
/** A list with more is none that is known; its first pools are taken. */
const MAX_IN_LIST = 20_000n;

/** Kind of a listed pool: one of the venue's, one that cannot be served, or one of another curve, counted elsewhere. */
export type MadeOut = PoolRef | UnservedReason | "another curve";

/** Way in which a venue recognises a listed pool. */
interface Recognition {
  /** Calls to the pool. */
  readonly callsFor: (listed: ListedPool) => readonly Call[];
  /** Kind that the answers show. */
  readonly madeOut: (pool: Address, answers: readonly (Hex | undefined)[]) => MadeOut;
}

/** A venue's pools of lists that are not `known`, and why others that look like them are not served. */
export async function listingOf(
  { callsFor, madeOut }: Recognition,
  chain: ChainReader,
  from: { readonly lists: NumberedLists; readonly known: (pool: Address) => boolean; readonly at: BlockRef },
): Promise<Listing> {
  const found = await listedPools(chain, from.lists, from.known, from.at);
  const answers = await callGroups(chain, found.map(callsFor), from.at);
  const pools: PoolRef[] = [];
  const unserved = new Map<PoolId, UnservedReason>();
  for (const [index, { pool }] of found.entries()) {
    const made = madeOut(pool, answers[index] ?? []);
    if (typeof made !== "string") pools.push(made);
    else if (made !== "another curve") unserved.set(pool, made);
  }
  return { pools, unserved };
}

/**
 * All pools that are listed at `at` and not `known`, each once. Registries take pools out and move the last one into the gap,
 * so that every number is asked for each time. @throws Error for a list that does not answer: pools may be missing
 */
async function listedPools(
  chain: ChainReader,
  from: NumberedLists,
  known: (pool: Address) => boolean,
  at: BlockRef,
): Promise<readonly ListedPool[]> {
  const lists = await listsOf(chain, from, at);
  const { count: countOf, pool: poolOf } = from.functions ?? CURVE;
  const [countSelector, poolSelector] = [toFunctionSelector(countOf), toFunctionSelector(poolOf)];
  const counts = await chain.calls(
    lists.map((to) => ({ to, data: countSelector })),
    at,
  );
  const places = lists.flatMap((list, index) => {
    const count = uintAt(counts[index] ?? "0x", 0);
    if (count === undefined) throw new Error(`${list} does not answer ${countOf}`);
    const length = Number(count < MAX_IN_LIST ? count : MAX_IN_LIST);
    return Array.from({ length }, (_, number) => ({ list, number }));
  });
  const seen = new Set<Address>([ZERO_ADDRESS]);
  return inSlices(places, async (slice) => {
    const answers = await chain.calls(
      slice.map(({ list, number }) => ({ to: list, data: `${poolSelector}${wordOf(number)}` as Hex })),
      at,
    );
    return slice.flatMap(({ list, number }, index): ListedPool[] => {
      const pool = addressAt(answers[index] ?? "0x", 0);
      if (pool === undefined) throw new Error(`${list} does not answer ${poolOf} for ${number}`);
      if (seen.has(pool)) return [];
      seen.add(pool);
      return known(pool) ? [] : [{ pool, list }];
    });
  });
}

/** The record's lists first, then those that the provider names beside them. */
async function listsOf(
  chain: ChainReader,
  { lists, provider }: NumberedLists,
  at: BlockRef,
): Promise<readonly Address[]> {
  if (provider === undefined) return lists;
  const answers = await chain.calls(
    provider.ids.map((id) => ({ to: provider.address, data: `${GET_ADDRESS}${wordOf(id)}` as Hex })),
    at,
  );
  const named = answers.map((answer) => addressAt(answer ?? "0x", 0) ?? ZERO_ADDRESS);
  return [...new Set([...lists, ...named])].filter((list) => list !== ZERO_ADDRESS);
}

/** Coins as a pool counts them, up to the first number that it has none for. */
export function coinsIn(answers: readonly (Hex | undefined)[]): readonly Address[] {
  const coins = answers.map((answer) => addressAt(answer ?? "0x", 0) ?? ZERO_ADDRESS);
  const end = coins.findIndex((coin, i) => coin === ZERO_ADDRESS || coins.indexOf(coin) < i);
  return end < 0 ? coins : coins.slice(0, end);
}
