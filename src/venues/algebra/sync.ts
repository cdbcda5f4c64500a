import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import { type ChainAt, type Head, withTicks } from "../uniswap-v3/heads.ts";

const POOL_BY_PAIR = toFunctionSelector("poolByPair(address,address)");
export const GLOBAL_STATE = toFunctionSelector("globalState()");
const LIQUIDITY = toFunctionSelector("liquidity()");
const SECOND_LAYER = toFunctionSelector("tickTreeSecondLayer(int16)");
const TICK_TABLE = toFunctionSelector("tickTable(int16)");

/** Bits of the plugin's configuration (Plugins.sol): it is called before a swap and may answer with a fee. */
const BEFORE_SWAP = 1n;
/** Words of the table of ticks begin at this number below zero (TickTree.sol); the layer above has a bit for each. */
const WORDS_BELOW_ZERO = 3466;
const WORD = 256;
const SECOND_LAYER_WORDS = Math.ceil((2 * WORDS_BELOW_ZERO) / WORD);

/** Whether the plugin may have a swap take another fee than the pool's own. */
export function mayOverrideFee(pluginConfig: bigint): boolean {
  return (pluginConfig & BEFORE_SWAP) !== 0n;
}

/**
 * Price, liquidity, fee and all ticks at block `at`, of pools only that the factory itself names for their tokens. A pool
 * without a price, with a plugin that may override the fee, or that does not add up, is left out.
 */
export async function syncPools(
  venue: { readonly source: SourceId; readonly factory: Address },
  reading: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { chain, at } = reading;
  return inSlices(refs, async (slice) => {
    const heads = await readHeads(venue.factory, reading, slice);
    const words = await readBits(
      { chain, at },
      heads,
      heads.map(() => layerWords()),
      SECOND_LAYER,
    );
    const leaves = words.map((found) => found?.map((word) => word - WORDS_BELOW_ZERO));
    const indices = await readBits({ chain, at }, heads, leaves, TICK_TABLE);
    return withTicks(venue.source, { chain, at }, heads, indices);
  });
}

/** Calls for the factory's pool of two tokens, the pool's `globalState()`, and its active liquidity. */
export function headCalls(factory: Address, refs: readonly PoolRef[]): readonly (readonly Call[])[] {
  return refs.map(({ address, tokens }) => [
    { to: factory, data: `${POOL_BY_PAIR}${tokens.map((token) => wordOf(BigInt(token))).join("")}` },
    { to: address, data: GLOBAL_STATE },
    { to: address, data: LIQUIDITY },
  ]);
}

async function readHeads(
  factory: Address,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Head[]> {
  const answers = await callGroups(chain, headCalls(factory, refs), at);
  return refs.flatMap((ref, index): Head[] => {
    const [named, global, active] = answers[index] ?? [];
    if (!named || !global || !active || addressAt(named, 0) !== ref.address) return [];
    const sqrtPriceX96 = uintAt(global, 0, 160);
    const tick = tickAt(global, 1);
    const fee = uintAt(global, 2, 16);
    const pluginConfig = uintAt(global, 3, 8);
    const liquidity = uintAt(active, 0, 128);
    if (!sqrtPriceX96 || tick === undefined || fee === undefined || liquidity === undefined) return [];
    if (pluginConfig === undefined) return [];
    if (mayOverrideFee(pluginConfig)) {
      reportUnserved(ref.id, "UNKNOWN_HOOKS");
      return [];
    }
    // The owner may change the tick spacing while ticks stay where they are: every tick is one of a spacing of 1.
    const terms = { feePpm: Number(fee), tickSpacing: 1, byTicks: true } as const;
    return [{ ref, state: { sqrtPriceX96, tick, liquidity, ...terms, ticks: [] } }];
  });
}

function layerWords(): readonly number[] {
  return Array.from({ length: SECOND_LAYER_WORDS }, (_, word) => word);
}

/** The numbers of the bits that are set in words of each pool; undefined where a word could not be read. */
async function readBits(
  { chain, at }: ChainAt,
  heads: readonly Head[],
  words: readonly (readonly number[] | undefined)[],
  selector: Hex,
): Promise<readonly (readonly number[] | undefined)[]> {
  const calls = heads.map(({ ref }, index) =>
    (words[index] ?? []).map((word): Call => ({ to: ref.address, data: `${selector}${wordOf(word)}` })),
  );
  const answers = await callGroups(chain, calls, at);
  return heads.map((_, index) => {
    const found = words[index]?.map((word, i) => {
      const answer = answers[index]?.[i];
      const bits = answer === undefined ? undefined : uintAt(answer, 0);
      return bits === undefined ? undefined : setBits(bits).map((bit) => word * WORD + bit);
    });
    return found?.includes(undefined) ? undefined : found?.flatMap((bits) => bits ?? []);
  });
}

function setBits(word: bigint): readonly number[] {
  const bits: number[] = [];
  for (let bit = 0; word > 0n; bit++, word >>= 1n) if (word & 1n) bits.push(bit);
  return bits;
}
