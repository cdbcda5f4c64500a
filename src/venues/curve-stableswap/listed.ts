import { toFunctionSelector } from "viem";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { Listing, PoolRef } from "../../market/liquidity-source.ts";
import { coinsIn, type ListedPool, listingOf, type MadeOut, type NumberedLists } from "../discovery/numbered-lists.ts";
import { uintsIn } from "../reading/abi-arrays.ts";
import { refAt } from "../reading/address-as-id.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

const COINS = toFunctionSelector("coins(uint256)");
const MAX_COINS = 8;
/** Calls to the pool, in the order in which the answers are read. */
const OF_POOL = [
  "gamma()",
  "offpeg_fee_multiplier()",
  "stored_rates()",
  "BASE_POOL()",
  "base_pool()",
  "totalSupply()",
  "lp_token()",
  "token()",
].map((signature) => toFunctionSelector(signature));
/** Calls to the list about the pool, after these. */
const OF_LIST = ["get_pool_asset_types(address)", "get_base_pool(address)"].map((signature) =>
  toFunctionSelector(signature),
);
/** A coin whose rate some contract answers with (CurveStableSwapNG.vy, asset types). */
const ORACLE = 1n;

/**
 * Stableswap pools of lists that are not `known`. What a pool is, it says itself: of which generation, whose share is its last
 * coin, which token its own share is. A rate that another contract answers with may be anybody's, and before NG a pool with
 * rates does not tell whose: the pool counts as its own controller then.
 */
export function listedStableswaps(
  chain: ChainReader,
  lists: NumberedLists,
  known: (id: PoolId) => boolean,
  at: BlockRef,
): Promise<Listing> {
  return listingOf({ callsFor, madeOut }, chain, { lists, known, at });
}

function callsFor({ pool, list }: ListedPool): readonly Call[] {
  const word = wordOf(BigInt(pool));
  return [
    ...Array.from({ length: MAX_COINS }, (_, i): Call => ({ to: pool, data: `${COINS}${wordOf(i)}` })),
    ...OF_POOL.map((data) => ({ to: pool, data })),
    ...OF_LIST.map((selector): Call => ({ to: list, data: `${selector}${word}` })),
  ];
}

function madeOut(pool: Address, answers: readonly (Hex | undefined)[]): MadeOut {
  const [gamma, offpeg, stored, baseNg, baseOld, supply, lpToken, token, types, baseOfList] = answers.slice(MAX_COINS);
  if (gamma !== undefined) return "another curve";
  const tokens = coinsIn(answers.slice(0, MAX_COINS));
  // The first pools of all count their coins otherwise.
  if (tokens.length < 2) return "UNKNOWN_VERSION";
  const assetTypes = uintsIn(types ?? "0x", 0, 8);
  const multiplier = uintAt(offpeg ?? "0x", 0);
  const isNg = multiplier !== undefined && uintsIn(stored ?? "0x", 0) !== undefined;
  // A fee that grows off the peg, without NG's rates: lending pools of Aave's tokens, whose roundings are others.
  if (multiplier !== undefined && !isNg) return "UNKNOWN_VERSION";
  const base = [baseNg, baseOld, baseOfList].map((answer) => addressAt(answer ?? "0x", 0)).find(isSomebody);
  const shares = [...[lpToken, token].map((it) => addressAt(it ?? "0x", 0)), supply && pool];
  const share = shares.find(isSomebody);
  const generation = isNg && (multiplier > 0n || assetTypes !== undefined) ? "ng" : "old";
  const isTrusted = generation === "ng" ? assetTypes?.includes(ORACLE) === false : stored === undefined;
  return stableswapRef(pool, tokens, { generation, basePool: base, share, isControlled: !isTrusted });
}

function isSomebody(account: Address | undefined): account is Address {
  return account !== undefined && account !== ZERO_ADDRESS;
}

/** Coins that a pool can have which takes amounts as an array of fixed length, for its share to be traded. */
const MAX_IN_ARRAY = 4;

/** A pool with what it takes to read it; its own share, where that can be traded, is one token behind the coins. */
export function stableswapRef(
  pool: Address,
  coins: readonly Address[],
  terms: {
    readonly generation: "old" | "ng";
    readonly basePool?: Address | undefined;
    readonly share?: Address | undefined;
    readonly isControlled?: boolean;
  },
): PoolRef {
  const { generation, basePool, isControlled } = terms;
  const takesList = generation === "ng" && basePool === undefined;
  const share = takesList || coins.length <= MAX_IN_ARRAY ? terms.share : undefined;
  return refAt(toAddress(pool), share === undefined ? coins : [...coins, share], {
    generation,
    ...(basePool && { basePool }),
    ...(share && { share }),
    ...(isControlled && { controlled: "1" }),
  });
}
