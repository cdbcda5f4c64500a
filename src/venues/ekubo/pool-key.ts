import { keccak256 } from "viem";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import { wordOf } from "../reading/words.ts";

/** A pool's key as Core has it: tokens in its order, the native one under the zero address. */
export interface EkuboKey {
  readonly tokens: readonly [Address, Address];
  /** Extension, fee and kind: a word of 256 bits. */
  readonly config: bigint;
}

/** The pool's id: types/poolKey.sol, toPoolId. */
export function poolIdOf({ tokens, config }: EkuboKey): Hex {
  return keccak256(`0x${[...tokens.map(BigInt), config].map(wordOf).join("")}`);
}

/** The pool of a key in a Core. */
export function refOf(core: Address, key: EkuboKey): PoolRef {
  const [token0, token1] = key.tokens;
  const tokens = key.tokens.map((token) => (token === ZERO_ADDRESS ? NATIVE_TOKEN : token));
  return { id: poolIdOf(key), address: core, tokens, terms: { token0, token1, config: String(key.config) } };
}

/** The key that a reference's terms tell of; undefined where they tell of none. */
export function keyOf({ terms }: PoolRef): EkuboKey | undefined {
  const { token0, token1, config: text } = terms;
  if (token0 === undefined || token1 === undefined || text === undefined || !/^\d{1,78}$/.test(text)) return undefined;
  const config = BigInt(text);
  return config > MAX_UINT256 ? undefined : { tokens: [token0 as Address, token1 as Address], config };
}
