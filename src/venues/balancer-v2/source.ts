import { toEventSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressesIn, arrayAt } from "../reading/abi-arrays.ts";
import { keepUnchanged } from "../reading/keep-unchanged.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, intAt, uintAt } from "../reading/words.ts";
import type { BalancerV2Action } from "./action.ts";
import { balancerV2Errors } from "./errors.ts";
import type { BalancerV2Record } from "./record.ts";
import { refreshPools, syncPools } from "./sync.ts";

const TOKENS_REGISTERED = toEventSelector("TokensRegistered(bytes32,address[],address[])");
const SWAP = toEventSelector("Swap(bytes32,address,address,uint256,uint256)");
const POOL_BALANCE_CHANGED = toEventSelector("PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])");

/**
 * Balancer V2: weighted, composable stable and Gyroscope's pools of one vault, those of the record's factories that nobody may
 * take tokens out of on the side (asset managers). The vault's logs tell balances; fees, pauses, amplification, rates, and what
 * stable pools remember of their last join move without a log of the vault: they are read again for every block.
 */
export function balancerV2(venue: BalancerV2Record): LiquiditySource {
  const { vault } = venue;
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    isModelled: ({ curve }) => curve === "gyro",
    errors: balancerV2Errors,
    callsForeignContracts: true,
    creation: { addresses: [vault], topics: [TOKENS_REGISTERED] },
    created: (log) => registeredPool(vault, log),
    refused: (log) => (isManaged(vault, log) ? "UNKNOWN_VERSION" : undefined),
    stateTopics: [SWAP, POOL_BALANCE_CHANGED],
    poolOf: (log) => log.topics[1],
    sync: (chain, refs, at, reportUnserved = () => {}) =>
      inSlices(refs, (slice) => syncPools(venue, { chain, at, reportUnserved }, slice)),
    refresh: async (chain, pools, at) =>
      keepUnchanged(pools, await inSlices(pools, (slice) => refreshPools(venue, chain, slice, at))),
    apply: (pool, log) => (log.address === vault && log.topics[1] === pool.id ? moved(pool, log) : "resync"),
    action: ({ id }): BalancerV2Action => ({ action: "balancer-v2-pool", vault, poolId: id as `0x${string}` }),
    fillData: ({ id }) => ({ vault, poolId: id }),
  };
}

/** A pool of which the vault keeps the tokens, if no token has a manager. Its id begins with its address. */
function registeredPool(vault: Address, log: Log): PoolRef | undefined {
  const [topic, poolId] = log.topics;
  if (log.address !== vault || topic !== TOKENS_REGISTERED || poolId === undefined) return undefined;
  const tokens = addressesIn(log.data, 0);
  const managers = addressesIn(log.data, 1);
  if (tokens === undefined || tokens.length < 2 || managers === undefined || managers.length !== tokens.length)
    return undefined;
  if (managers.some(isSomebody)) return undefined;
  return { id: poolId, address: vault, tokens, terms: {} };
}

/** Whether somebody may take a pool's tokens out of the vault on the side. */
function isManaged(vault: Address, log: Log): boolean {
  if (log.address !== vault || log.topics[0] !== TOKENS_REGISTERED) return false;
  return addressesIn(log.data, 1)?.some(isSomebody) === true;
}

function isSomebody(account: Address): boolean {
  return account !== ZERO_ADDRESS;
}

/** The pool after a swap, or after a join or exit. */
function moved(pool: Pool, log: Log): Pool | "resync" {
  if (log.topics[0] === SWAP) {
    const [tokenIn, tokenOut] = [log.topics[2], log.topics[3]].map((topic) => addressAt(topic ?? "0x", 0));
    const [amountIn, amountOut] = [uintAt(log.data, 0, 112), uintAt(log.data, 1, 112)];
    if (!tokenIn || !tokenOut || amountIn === undefined || amountOut === undefined) return "resync";
    return withChanges(pool, [tokenIn, tokenOut], [amountIn, -amountOut]);
  }
  if (log.topics[0] !== POOL_BALANCE_CHANGED) return pool;
  const tokens = addressesIn(log.data, 0);
  const deltas = arrayAt(log.data, 1, (word) => intAt(log.data, word, 128));
  const fees = arrayAt(log.data, 2, (word) => uintAt(log.data, word, 112));
  if (tokens === undefined || deltas?.length !== tokens.length || fees?.length !== tokens.length) return "resync";
  return withChanges(
    pool,
    tokens,
    deltas.map((delta, i) => delta - (fees[i] as bigint)),
  );
}

function withChanges(pool: Pool, tokens: readonly Address[], changes: readonly bigint[]): Pool | "resync" {
  if (pool.curve !== "weighted" && pool.curve !== "composable-stable" && pool.curve !== "gyro") return "resync";
  const balances = [...pool.state.balances];
  for (const [i, token] of tokens.entries()) {
    const index = pool.tokens.indexOf(token);
    const balance = (balances[index] ?? -1n) + (changes[i] as bigint);
    if (index < 0 || balance < 0n) return "resync";
    balances[index] = balance;
  }
  return { ...pool, state: { ...pool.state, balances } } as Pool;
}
