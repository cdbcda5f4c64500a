import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { Listing } from "../../market/liquidity-source.ts";
import { coinsIn, type ListedPool, listingOf, type MadeOut, type NumberedLists } from "../discovery/numbered-lists.ts";
import { textAt } from "../reading/abi-arrays.ts";
import { refAt } from "../reading/address-as-id.ts";
import { uintAt, wordOf } from "../reading/words.ts";

const COINS = toFunctionSelector("coins(uint256)");
const MAX_COINS = 3;
/** Calls to the pool, in the order in which the answers are read. */
const OF_POOL = ["gamma()", "version()", "token()", "A_precise()"].map((signature) => toFunctionSelector(signature));
/** Versions of NG whose maths is known, by the number of coins: those of TwocryptoOptimized and TricryptoOptimized. */
const NG_VERSIONS: Readonly<Record<number, readonly string[]>> = { 2: ["2.0.0", "2.1.0"], 3: ["2.0.0"] };

/** Crypto pools of lists that are not `known`: they have a gamma, and say of which version they are. */
export function listedCryptoswaps(
  chain: ChainReader,
  lists: NumberedLists,
  known: (id: PoolId) => boolean,
  at: BlockRef,
): Promise<Listing> {
  return listingOf({ callsFor, madeOut }, chain, { lists, known, at });
}

function callsFor({ pool }: ListedPool): readonly Call[] {
  return [
    ...Array.from({ length: MAX_COINS }, (_, i): Call => ({ to: pool, data: `${COINS}${wordOf(i)}` })),
    ...OF_POOL.map((data) => ({ to: pool, data })),
  ];
}

function madeOut(pool: Address, answers: readonly (Hex | undefined)[]): MadeOut {
  const [gamma, version, token, precise] = answers.slice(MAX_COINS);
  if (gamma === undefined) return "another curve";
  const tokens = coinsIn(answers.slice(0, MAX_COINS));
  const name = textAt(version ?? "0x", 0)?.replace(/^v/, "");
  if (name !== undefined) {
    return NG_VERSIONS[tokens.length]?.includes(name) === true ? refAt(pool, tokens) : "UNKNOWN_VERSION";
  }
  // Before NG the share is a token of its own, and only the first generation tells parts of amplification apart.
  if (tokens.length !== MAX_COINS || token === undefined) return "UNKNOWN_VERSION";
  const isFirst = uintAt(precise ?? "0x", 0) !== undefined;
  return refAt(pool, tokens, { generation: isFirst ? "first" : "second" });
}
