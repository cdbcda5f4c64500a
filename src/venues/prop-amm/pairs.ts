import { keccak256, toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { Listing, PoolRef } from "../../market/liquidity-source.ts";
import { addressAt, uintAt } from "../reading/words.ts";

const GET_PAIRS = toFunctionSelector("getPairs()");
/** Pairs of one contract that are sampled, the first that it names: each costs so many calls with every block. */
export const MAX_PAIRS = 32;
/** A contract that names more is none of the kind. */
const MAX_NAMED = 1_000;

/** Digits of a pair's hash in its id. */
const HASH_DIGITS = 24;

/** The pool of a pair at a contract, by the contract's address and some of the pair's hash: one contract has many pairs. */
export function pairRef(venue: Address, one: Address, other: Address): PoolRef {
  const tokens = one < other ? [one, other] : [other, one];
  const hash = keccak256(`0x${[venue, ...tokens].map((each) => each.slice(2)).join("")}`);
  return { id: `${venue}${hash.slice(2, 2 + HASH_DIGITS)}`, address: venue, tokens, terms: {} };
}

/** The pairs that a contract lists, those that are not known. @throws Error where it does not list them */
export async function listedPairs(
  chain: ChainReader,
  { venue, known, at }: { readonly venue: Address; readonly known: (id: PoolId) => boolean; readonly at: BlockRef },
): Promise<Listing> {
  const [answer] = await chain.calls([{ to: venue, data: GET_PAIRS, isForeignCall: true }], at);
  const pairs = pairsIn(answer ?? "0x");
  if (pairs === undefined) throw new Error(`${venue} does not answer getPairs()`);
  const refs = new Map(
    pairs
      .filter(([one, other]) => one !== other)
      .map((pair) => [...pair])
      .map(refOf(venue)),
  );
  const [served, others] = [[...refs.values()].slice(0, MAX_PAIRS), [...refs.values()].slice(MAX_PAIRS)];
  return {
    pools: served.filter(({ id }) => !known(id)),
    unserved: new Map(others.filter(({ id }) => !known(id)).map(({ id }) => [id, "NOT_READABLE"])),
  };
}

function refOf(venue: Address): (pair: readonly Address[]) => readonly [PoolId, PoolRef] {
  return ([one, other]) => {
    const ref = pairRef(venue, one as Address, other as Address);
    return [ref.id, ref];
  };
}

/** An array of pairs of addresses; undefined where the bytes are none. */
function pairsIn(data: Hex): readonly (readonly [Address, Address])[] | undefined {
  const count = uintAt(data, 0) === 32n ? uintAt(data, 1, 32) : undefined;
  if (count === undefined || count > MAX_NAMED) return undefined;
  const pairs: (readonly [Address, Address])[] = [];
  for (let at = 0; at < Number(count); at++) {
    const [one, other] = [addressAt(data, 2 + 2 * at), addressAt(data, 3 + 2 * at)];
    if (one === undefined || other === undefined) return undefined;
    pairs.push([one, other]);
  }
  return pairs;
}
