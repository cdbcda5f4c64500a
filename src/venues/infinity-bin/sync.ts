import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleBins } from "../../pools/bins/impossible.ts";
import type { BinsState } from "../../pools/bins/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { binsOf } from "../liquidity-book/occupied-bins.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { DYNAMIC_FEE } from "../uniswap-v4/pool-key.ts";
import { protocolFeesIn } from "./events.ts";
import type { InfinityBinRecord } from "./record.ts";

const PAUSED = toFunctionSelector("paused()");
const SLOT0 = toFunctionSelector("getSlot0(bytes32)");
const NEXT_BIN = toFunctionSelector("getNextNonEmptyBin(bytes32,bool,uint24)");
const GET_BIN = toFunctionSelector("getBin(bytes32,uint24)");

/** A pool without its bins. */
interface Head {
  readonly ref: PoolRef;
  readonly state: Omit<BinsState, "bins">;
}

/** Fees and all bins at block `at`, of pools that are the manager's own. A pool that has no active bin yet is left out. */
export async function syncPools(
  { source, factory: manager }: InfinityBinRecord,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const heads = await readHeads(manager, chain, refs, at);
  const rows = heads.map(({ ref: { id }, state: { activeId } }) => ({
    activeId,
    nextBin: (below: boolean, bin: number) => callOf(manager, NEXT_BIN, BigInt(id), below ? 1n : 0n, BigInt(bin)),
    bin: (bin: number) => callOf(manager, GET_BIN, BigInt(id), BigInt(bin)),
  }));
  const bins = await binsOf(chain, rows, at);
  return heads.flatMap(({ ref: { id, tokens }, state }, index): Pool[] => {
    const own = bins[index];
    const whole = own && { ...state, bins: own };
    if (whole === undefined || impossibleBins(whole) !== undefined) {
      reportUnserved(id, "NOT_READABLE");
      return [];
    }
    const pool = { id, source, tokens, curve: "bins", state: whole } as const;
    // A fee in the hooks' hands may rise between a quote and its transaction.
    return [whole.key?.fee === DYNAMIC_FEE ? { ...pool, controllers: [whole.key.hooks] } : pool];
  });
}

/** Whether the manager makes no swap; so too where it does not say. */
export async function isPaused(manager: Address, chain: ChainReader, at: BlockRef): Promise<boolean> {
  const [answer = "0x"] = await chain.calls([{ to: manager, data: PAUSED }], at);
  return uintAt(answer, 0) !== 0n;
}

async function readHeads(
  manager: Address,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Head[]> {
  const answers = await chain.calls(
    refs.map(({ id }) => callOf(manager, SLOT0, BigInt(id))),
    at,
  );
  return refs.flatMap((ref, index): Head[] => {
    const answer = answers[index] ?? "0x";
    const [activeId, protocol, lpPpm] = [0, 1, 2].map((word) => uintAt(answer, word, 24));
    if (!activeId || protocol === undefined || lpPpm === undefined) return [];
    const { fee, hooks, binStep, registration } = ref.terms;
    if (Number(fee) !== DYNAMIC_FEE && BigInt(fee ?? -1) !== lpPpm) return [];
    const key = { fee: Number(fee), hooks: hooks as Address, registration: Number(registration) };
    const flat = { lpPpm: Number(lpPpm), protocolPpm: protocolFeesIn(Number(protocol)) };
    return [{ ref, state: { binStep: Number(binStep), activeId: Number(activeId), fee: flat, key } }];
  });
}

function callOf(to: Address, selector: Hex, ...words: readonly bigint[]) {
  return { to, data: `${selector}${words.map(wordOf).join("")}` as Hex };
}
