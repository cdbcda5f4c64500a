import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleBins } from "../../pools/bins/impossible.ts";
import type { Bin, BinsState } from "../../pools/bins/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { isHooked, termsIn } from "./events.ts";
import { binsOf } from "./occupied-bins.ts";

const HEAD = ["getFactory()", "getActiveId()", "getStaticFeeParameters()", "getVariableFeeParameters()"].map(
  (signature) => toFunctionSelector(signature),
);
/** Version 2.1 has none. */
const HOOKS = toFunctionSelector("getLBHooksParameters()");
const NEXT_BIN = toFunctionSelector("getNextNonEmptyBin(bool,uint24)");
const GET_BIN = toFunctionSelector("getBin(uint24)");

/** A pair without its bins. */
interface Head {
  readonly ref: PoolRef;
  readonly state: Omit<BinsState, "bins">;
}

/** Fees and all bins at block `at`, of pairs that say that the factory has made them. */
export async function syncPairs(
  venue: { readonly source: SourceId; readonly factory: string },
  refs: readonly PoolRef[],
  { chain, at, reportUnserved }: Reading,
): Promise<readonly Pool[]> {
  const heads = await readHeads(venue.factory, chain, refs, at);
  const readable = new Set(heads.map(({ ref }) => ref.id));
  for (const { id } of refs) if (!readable.has(id)) reportUnserved(id, "NOT_READABLE");
  const bins = await readBins(chain, heads, at);
  return heads.flatMap(({ ref, state }, index): Pool[] => {
    const own = bins[index];
    const whole = own && { ...state, bins: own };
    if (whole === undefined || impossibleBins(whole) !== undefined) {
      reportUnserved(ref.id, "NOT_READABLE");
      return [];
    }
    return [{ id: ref.id, source: venue.source, tokens: ref.tokens, curve: "bins", state: whole }];
  });
}

async function readHeads(
  factory: string,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Head[]> {
  const calls = refs.map(({ address: to }) => [...HEAD, HOOKS].map((data) => ({ to, data })));
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Head[] => {
    const [maker, active, terms, moves, hooks] = answers[index] ?? [];
    if (maker === undefined || active === undefined || terms === undefined || moves === undefined) return [];
    const activeId = uintAt(active, 0, 24);
    const fixed = termsIn(terms);
    const moved = movesIn(moves);
    if (addressAt(maker, 0) !== factory || activeId === undefined || !fixed || !moved) return [];
    const state = { binStep: Number(ref.terms.binStep), activeId: Number(activeId), fee: { ...fixed, ...moved } };
    const isCalled = hooks !== undefined && isHooked(uintAt(hooks, 0) ?? 0n);
    return [{ ref, state: isCalled ? { ...state, hooked: true } : state }];
  });
}

/** Parses the answer of getVariableFeeParameters. */
function movesIn(data: Hex) {
  const [accumulator, reference, id] = [0, 1, 2].map((word) => uintAt(data, word, 24));
  const timeOfLastUpdate = uintAt(data, 3, 40);
  if (accumulator === undefined || reference === undefined || id === undefined) return undefined;
  if (timeOfLastUpdate === undefined) return undefined;
  return {
    volatilityAccumulator: Number(accumulator),
    volatilityReference: Number(reference),
    idReference: Number(id),
    timeOfLastUpdate,
  };
}

/** The bins of each pair by ascending id; undefined where they cannot be read whole. */
async function readBins(
  chain: ChainReader,
  heads: readonly Head[],
  at: BlockRef,
): Promise<readonly (readonly Bin[] | undefined)[]> {
  const rows = heads.map(({ ref: { address: to }, state: { activeId } }) => ({
    activeId,
    nextBin: (below: boolean, id: number) =>
      ({ to, data: `${NEXT_BIN}${wordOf(below ? 1 : 0)}${wordOf(id)}` }) as const,
    bin: (id: number) => ({ to, data: `${GET_BIN}${wordOf(id)}` }) as const,
  }));
  return binsOf(chain, rows, at);
}
