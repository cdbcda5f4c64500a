import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleMaverick } from "../../pools/maverick/impossible.ts";
import { MAX_POWER } from "../../pools/maverick/price.ts";
import type { MaverickState, MaverickTick } from "../../pools/maverick/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inGroups } from "../reading/slices.ts";
import { addressAt, intAt, uintAt, wordOf } from "../reading/words.ts";

const selector = (signature: string) => toFunctionSelector(signature);
const IS_FACTORY_POOL = selector("isFactoryPool(address)");
const GET_TICK = selector("getTick(int32)");
const FEE = selector("fee(bool)");
/** Questions to a pool about what it is, in the order of `headFrom`. */
const HEAD: readonly Hex[] = [
  ...["getState()", "tickSpacing()", "kinds()", "accessor()", "tokenA()", "tokenB()"].map(selector),
  ...["tokenAScale()", "tokenBScale()"].map(selector),
  ...[1, 0].map((tokenAIn): Hex => `${FEE}${wordOf(tokenAIn)}`),
];
/** Words of getState's answer. */
const [ACTIVE_TICK, IS_LOCKED, PROTOCOL_PART] = [5, 6, 8] as const;
/** The kinds of a pool whose bins all stay where they are. */
const STATIC_KIND = 1n;

/** Ticks on either side of the price that are read: a swap over more takes more gas than anybody gives it. */
const REACH = 64;
/** Ticks that are read together, so that no step keeps the thread busy for long. */
const TICKS_TOGETHER = 32_000;

type Head = Omit<MaverickState, "ticks">;

interface Found {
  readonly ref: PoolRef;
  readonly head: Head;
}

/** Terms and ticks around the price at a block, of pools that the factory says are its own. */
export async function syncPools(
  venue: { readonly source: SourceId; readonly factory: Address },
  refs: readonly PoolRef[],
  reading: Reading,
): Promise<readonly Pool[]> {
  const found = await readHeads(venue.factory, refs, reading);
  const pools: Pool[] = [];
  for (const group of inGroups(found, () => 2 * REACH + 1, TICKS_TOGETHER)) {
    const indices = group.map(({ head }) => indicesAround(head));
    const calls = group.map(({ ref }, at) => (indices[at] as readonly number[]).map((index) => tickCall(ref, index)));
    const answers = await callGroups(reading.chain, calls, reading.at);
    for (const [at, { ref, head }] of group.entries()) {
      const ticks = ticksFrom(indices[at] as readonly number[], answers[at] ?? []);
      const state = ticks && { ...head, ticks };
      if (state === undefined || impossibleMaverick(state) !== undefined)
        reading.reportUnserved(ref.id, "NOT_READABLE");
      else pools.push({ id: ref.id, source: venue.source, tokens: ref.tokens, curve: "maverick", state });
    }
  }
  return pools;
}

async function readHeads(
  factory: Address,
  refs: readonly PoolRef[],
  { chain, at, reportUnserved }: Reading,
): Promise<readonly Found[]> {
  const calls = refs.map(({ address: to }) => [
    { to: factory, data: `${IS_FACTORY_POOL}${wordOf(BigInt(to))}` } as const,
    ...HEAD.map((data) => ({ to, data })),
  ]);
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Found[] => {
    const head = headFrom(ref, answers[index] ?? []);
    if (head === undefined) reportUnserved(ref.id, "NOT_READABLE");
    return head === undefined ? [] : [{ ref, head }];
  });
}

/** A pool without its ticks; undefined where it is none of the factory's, is in a call, or says what no pool can. */
function headFrom({ tokens, terms }: PoolRef, answers: readonly (Hex | undefined)[]): Head | undefined {
  const [isOwn, state, spacing, kinds, accessor, tokenA, tokenB, ...amounts] = answers.map((answer) => answer ?? "0x");
  const [scaleA, scaleB, feeA, feeB] = amounts.map((answer) => uintAt(answer, 0));
  const [tickSpacing, kindsOfBins] = [uintAt(spacing ?? "0x", 0, 32), uintAt(kinds ?? "0x", 0)];
  const activeTick = intAt(state ?? "0x", ACTIVE_TICK, 32);
  const protocolPart = uintAt(state ?? "0x", PROTOCOL_PART, 8);
  const isAsAnnounced =
    [tokenA, tokenB].every((answer, index) => addressAt(answer ?? "0x", 0) === tokens[index]) &&
    addressAt(accessor ?? "0x", 0) === terms.accessor;
  if (uintAt(isOwn ?? "0x", 0) !== 1n || !isAsAnnounced || uintAt(state ?? "0x", IS_LOCKED) !== 0n) return undefined;
  if (scaleA === undefined || scaleB === undefined || feeA === undefined || feeB === undefined) return undefined;
  if (tickSpacing === undefined || kindsOfBins === undefined || activeTick === undefined) return undefined;
  if (protocolPart === undefined) return undefined;
  const head: Head = {
    ...{ tickSpacing: Number(tickSpacing), activeTick: Number(activeTick), protocolPart: Number(protocolPart) },
    ...{ fees: [feeA, feeB], scales: [scaleA, scaleB] },
    ...(kindsOfBins !== STATIC_KIND && { movable: true as const }),
  };
  return impossibleMaverick({ ...head, ticks: [] }) === undefined ? head : undefined;
}

/** The ticks around the price that have a price at both ends. */
function indicesAround({ activeTick, tickSpacing }: Head): readonly number[] {
  const most = Math.floor(MAX_POWER / tickSpacing);
  const indices = Array.from({ length: 2 * REACH + 1 }, (_, place) => activeTick - REACH + place);
  return indices.filter((index) => index >= -most && index < most);
}

function tickCall({ address: to }: PoolRef, index: number): Call {
  return { to, data: `${GET_TICK}${wordOf(index)}` };
}

/** Those of the ticks that hold anything; undefined where one is not told. */
function ticksFrom(
  indices: readonly number[],
  answers: readonly (Hex | undefined)[],
): readonly MaverickTick[] | undefined {
  const ticks: MaverickTick[] = [];
  for (const [place, index] of indices.entries()) {
    const [reserveA, reserveB] = [0, 1].map((word) => uintAt(answers[place] ?? "0x", word, 128));
    if (reserveA === undefined || reserveB === undefined) return undefined;
    if (reserveA > 0n || reserveB > 0n) ticks.push({ index, reserveA, reserveB });
  }
  return ticks;
}
