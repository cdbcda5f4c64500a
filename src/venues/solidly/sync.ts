import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { SolidlyRecord } from "./record.ts";

const GET_POOL = toFunctionSelector("getPool(address,address,bool)");
const GET_FEE = toFunctionSelector("getFee(address,bool)");
const IS_PAUSED = toFunctionSelector("isPaused()");
const LAST_OBSERVATION = toFunctionSelector("lastObservation()");
const METADATA = toFunctionSelector("metadata()");

/** More than 10 % is no fee of a pool in use: the factories in use allow 3 %. */
const MAX_FEE_BPS = 1_000n;

/** Pools at `at`, those only that the factory itself names for their tokens and kind. */
export async function syncPools(
  venue: SolidlyRecord,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = refs.map(({ address, tokens: [token0, token1], terms }): readonly Call[] => [
    {
      to: venue.factory,
      data: `${GET_POOL}${wordOf(BigInt(token0 as Address))}${wordOf(BigInt(token1 as Address))}${flag(terms.stable === "true")}`,
    },
    { to: address, data: METADATA },
    feeCall(venue, address, terms.stable === "true"),
    { to: address, data: LAST_OBSERVATION },
  ]);
  const [[paused] = [], ...answers] = await callGroups(chain, [[pauseCall(venue)], ...calls], at);
  const isPaused = paused === undefined ? undefined : uintAt(paused, 0, 1);
  if (isPaused === undefined) return [];
  return refs.flatMap((ref, index): Pool[] => {
    const [named, metadata, fee, observation] = answers[index] ?? [];
    if (named === undefined || metadata === undefined || addressAt(named, 0) !== ref.address) return [];
    const lastObservation = observation === undefined ? undefined : uintAt(observation, 0, 64);
    const feeBps = fee === undefined ? undefined : uintAt(fee, 0);
    const [unit0, unit1, reserve0, reserve1, stable] = [0, 1, 2, 3, 4].map((word) => uintAt(metadata, word, 128));
    if (feeBps === undefined || feeBps > MAX_FEE_BPS || !isUnit(unit0) || !isUnit(unit1)) return [];
    if (reserve0 === undefined || reserve1 === undefined || String(stable === 1n) !== ref.terms.stable) return [];
    if (addressAt(metadata, 5) !== ref.tokens[0] || addressAt(metadata, 6) !== ref.tokens[1]) return [];
    return [
      {
        ...{ id: ref.id, source: venue.source, tokens: ref.tokens, curve: "solidly" },
        state: {
          stable: stable === 1n,
          reserves: [reserve0, reserve1],
          units: [unit0, unit1],
          feeBps,
          paused: isPaused === 1n,
          ...(lastObservation !== undefined && { lastObservation }),
        },
      },
    ];
  });
}

/** Returns the pools with fee and pause as they are at `at`; those whose fee cannot be read are left out. */
export async function readTerms(
  venue: SolidlyRecord,
  chain: ChainReader,
  pools: readonly Pool[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = pools.map((pool) => feeCall(venue, addressOf(pool), pool.curve === "solidly" && pool.state.stable));
  const [pausedAnswer, ...fees] = await chain.calls([pauseCall(venue), ...calls], at);
  const isPaused = pausedAnswer === undefined ? undefined : uintAt(pausedAnswer, 0, 1);
  if (isPaused === undefined) return [];
  return pools.flatMap((pool, index): Pool[] => {
    const answer = fees[index];
    const feeBps = answer === undefined ? undefined : uintAt(answer, 0);
    if (pool.curve !== "solidly" || feeBps === undefined || feeBps > MAX_FEE_BPS) return [];
    const paused = isPaused === 1n;
    if (pool.state.feeBps === feeBps && pool.state.paused === paused) return [pool];
    return [{ ...pool, state: { ...pool.state, feeBps, paused } }];
  });
}

function pauseCall({ factory }: SolidlyRecord): Call {
  return { to: factory, data: IS_PAUSED };
}

function feeCall({ factory }: SolidlyRecord, pool: Address, stable: boolean): Call {
  return { to: factory, data: `${GET_FEE}${wordOf(BigInt(pool))}${flag(stable)}` };
}

function flag(value: boolean): string {
  return wordOf(value ? 1n : 0n);
}

/** A power of ten up to 10^18: the curve's arithmetic is exact for no other. */
function isUnit(value: bigint | undefined): value is bigint {
  return value !== undefined && value > 0n && 10n ** 18n % value === 0n;
}
