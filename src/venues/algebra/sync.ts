import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import { type ChainAt, type Head, withTicks } from "../uniswap-v3/heads.ts";
import { withPluginFees } from "./plugin-fees.ts";
import { areAdaptive, PLUGIN, PLUGIN_FACTORY, type Plugged } from "./plugins.ts";
import type { AlgebraRecord } from "./record.ts";

const POOL_BY_PAIR = toFunctionSelector("poolByPair(address,address)");
const CUSTOM_POOL_BY_PAIR = toFunctionSelector("customPoolByPair(address,address,address)");
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

/** Whether the plugin may have a swap take another fee than the pool has stored. */
export function mayOverrideFee(pluginConfig: bigint): boolean {
  return (pluginConfig & BEFORE_SWAP) !== 0n;
}

/**
 * Price, liquidity, fee and all ticks at block `at`, of pools only that the factory itself names for their tokens, or for
 * these and a known deployer. A pool without a price, with an unknown plugin that may override the fee, or that does not
 * add up, is left out.
 */
export async function syncPools(
  venue: AlgebraRecord,
  reading: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { chain, at } = reading;
  return inSlices(refs, async (slice) => {
    const heads = await readHeads(venue, reading, slice);
    const words = await readBits(
      { chain, at },
      heads,
      heads.map(() => layerWords()),
      SECOND_LAYER,
    );
    const leaves = words.map((found) => found?.map((word) => word - WORDS_BELOW_ZERO));
    const indices = await readBits({ chain, at }, heads, leaves, TICK_TABLE);
    return withPluginFees(venue, { chain, at }, await withTicks(venue.source, { chain, at }, heads, indices));
  });
}

/** Calls for the factory's pool of two tokens, the pool's `globalState()`, and its active liquidity. */
export function headCalls(factory: Address, refs: readonly PoolRef[]): readonly (readonly Call[])[] {
  return refs.map(({ address, tokens }) => [
    { to: factory, data: `${POOL_BY_PAIR}${wordsOf(tokens)}` },
    { to: address, data: GLOBAL_STATE },
    { to: address, data: LIQUIDITY },
  ]);
}

/** Calls for the pool's plugin, and for each deployer's factory of plugins and its pool of two tokens. */
function customCalls({ factory, deployers = [] }: AlgebraRecord, { address, tokens }: PoolRef): readonly Call[] {
  if (deployers.length === 0) return [];
  const ofDeployers = deployers.flatMap((deployer): readonly Call[] => [
    { to: deployer, data: PLUGIN_FACTORY },
    { to: factory, data: `${CUSTOM_POOL_BY_PAIR}${wordsOf([deployer, ...tokens])}` },
  ]);
  return [{ to: address, data: PLUGIN }, ...ofDeployers];
}

function wordsOf(addresses: readonly Address[]): string {
  return addresses.map((each) => wordOf(BigInt(each))).join("");
}

/** Answers of one pool's head calls. */
interface Answered {
  /** Whether the factory names the pool, as the one for its tokens or as a known deployer's. */
  readonly isNamed: boolean;
  readonly global: Hex | undefined;
  readonly active: Hex | undefined;
  /** The pool's plugin, with its deployer's factory of plugins; undefined where it is no deployer's. */
  readonly plugged: Plugged | undefined;
}

function answered(
  { deployers = [] }: AlgebraRecord,
  { address }: PoolRef,
  answers: readonly (Hex | undefined)[],
): Answered {
  const [named, global, active, plugin, ...ofDeployers] = answers;
  const isThis = (answer: Hex | undefined) => answer !== undefined && addressAt(answer, 0) === address;
  const at = deployers.findIndex((_, index) => isThis(ofDeployers[2 * index + 1]));
  const [deployer, factory] = [deployers[at], ofDeployers[2 * at]];
  const isPlugged = deployer !== undefined && plugin !== undefined && factory !== undefined;
  const plugged = isPlugged ? { pool: address, deployer, plugin, factory } : undefined;
  return { isNamed: isThis(named) || at !== -1, global, active, plugged };
}

async function readHeads(
  venue: AlgebraRecord,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Head[]> {
  const own = headCalls(venue.factory, refs);
  const calls = refs.map((ref, index) => [...(own[index] ?? []), ...customCalls(venue, ref)]);
  const answers = await callGroups(chain, calls, at);
  const heads = refs.map((ref, index) => answered(venue, ref, answers[index] ?? []));
  const asked = heads.map(({ global, plugged }) => (mayOverrideFee(configIn(global) ?? 0n) ? plugged : undefined));
  const known = await areAdaptive({ chain, at }, asked);
  return refs.flatMap((ref, index): Head[] => {
    const { isNamed, global, active } = heads[index] as Answered;
    const pluginConfig = configIn(global);
    if (!isNamed || !global || !active || pluginConfig === undefined) return [];
    const sqrtPriceX96 = uintAt(global, 0, 160);
    const tick = tickAt(global, 1);
    const fee = uintAt(global, 2, 16);
    const liquidity = uintAt(active, 0, 128);
    if (!sqrtPriceX96 || tick === undefined || fee === undefined || liquidity === undefined) return [];
    // The owner may change the tick spacing while ticks stay where they are: every tick is one of a spacing of 1.
    const state = {
      sqrtPriceX96,
      tick,
      liquidity,
      feePpm: Number(fee),
      tickSpacing: 1,
      byTicks: true,
      ticks: [],
    } as const;
    if (!mayOverrideFee(pluginConfig)) return [{ ref, state }];
    const deployer = asked[index]?.deployer;
    if (known[index] && deployer !== undefined) return [{ ref, state: { ...state, deployer } }];
    reportUnserved(ref.id, "UNKNOWN_HOOKS");
    return [];
  });
}

function configIn(globalState: Hex | undefined): bigint | undefined {
  return globalState && uintAt(globalState, 3, 8);
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
