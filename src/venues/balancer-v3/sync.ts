import { toFunctionSelector } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { ONE } from "../../math/fixed-point.ts";
import type { BalancerV3State } from "../../pools/balancer-v3/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressesIn, uintsIn } from "../reading/abi-arrays.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { BalancerV3Record } from "./record.ts";

type Kind = BalancerV3State["kind"];

const MIN_TRADE = toFunctionSelector("getMinimumTradeAmount()");
const IS_VAULT_PAUSED = toFunctionSelector("isVaultPaused()");
const IS_POOL_FROM_FACTORY = toFunctionSelector("isPoolFromFactory(address)");
const WEIGHTS = toFunctionSelector("getNormalizedWeights()");
const MIN_BALANCES = toFunctionSelector("getMinTokenBalances()");
const AMPLIFICATION = toFunctionSelector("getAmplificationState()");
/** Calls to the pool itself, by its kind: the other kind would refuse them, and they would be made again alone. */
const OF_POOL = { weighted: [WEIGHTS, MIN_BALANCES], stable: [AMPLIFICATION] } as const;
/** Calls to the vault for each pool, in the order in which their answers are read. */
const OF_VAULT = [
  "getPoolData(address)",
  "getPoolConfig(address)",
  "getHooksConfig(address)",
  "getPoolRoleAccounts(address)",
].map((signature) => toFunctionSelector(signature));
/** Words of PoolConfig: four flags of liquidity, three fees, the tokens' decimals, a time, and four flags. */
const CONFIG = { swapFee: 4, aggregateFee: 5, initialized: 10, paused: 11, recovering: 12 } as const;
/** The word of PoolRoleAccounts that names who may set the fee at once; nobody but governance where it is zero. */
const FEE_MANAGER = 1;
/** The word of PoolData that tells where the tokens' own terms stand. */
const TOKEN_INFOS = 2;
/** Words of one token in PoolData: kind, rate provider, whether its growth is owed a fee. */
const WORDS_PER_TOKEN = 3;
/** Words of HooksConfig that tell of hooks in a swap: dynamic fee, before, after. */
const SWAP_HOOKS = [3, 4, 5] as const;

/** Pools at `at`, those only that one of the record's factories made, and that no hook is called for in a swap. */
export async function syncPools(
  venue: BalancerV3Record,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { vault, factories } = venue;
  const calls = refs.map(({ id, terms }): readonly Call[] => {
    const kind = kindOf(terms);
    const pool = id as Address;
    const word = wordOf(BigInt(pool));
    const makers = factories.filter((each) => each.kind === kind);
    return [
      ...OF_VAULT.map((selector) => ({ to: vault, data: `${selector}${word}` as Hex })),
      ...OF_POOL[kind].map((data) => ({ to: pool, data })),
      ...makers.map(({ factory }) => ({ to: factory, data: `${IS_POOL_FROM_FACTORY}${word}` as Hex })),
    ];
  });
  const own = [
    { to: vault, data: MIN_TRADE },
    { to: vault, data: IS_VAULT_PAUSED },
  ];
  const [[least, paused] = [], ...answers] = await callGroups(chain, [own, ...calls], at);
  const minTrade = uintAt(least ?? "0x", 0, 128);
  const vaultPaused = uintAt(paused ?? "0x", 0, 1);
  if (minTrade === undefined || vaultPaused === undefined) return [];
  return refs.flatMap((ref, index): Pool[] => {
    const ofPool = answers[index] ?? [];
    const kind = kindOf(ref.terms);
    const made = ofPool.slice(OF_VAULT.length + OF_POOL[kind].length);
    if (!made.some((answer) => uintAt(answer ?? "0x", 0) === 1n)) return [];
    if (isHooked(ofPool)) {
      reportUnserved(ref.id, "UNKNOWN_HOOKS");
      return [];
    }
    const state = stateFrom(kind, ref, ofPool, minTrade, vaultPaused === 1n);
    if (state === undefined) return [];
    const controllers = controllersOf(ref, ofPool);
    const base = { id: ref.id, source: venue.source, tokens: ref.tokens };
    return [{ ...base, ...(controllers.length > 0 && { controllers }), curve: "balancer-v3", state }];
  });
}

/** Whether hooks are called in a swap. */
function isHooked([, , hooks]: readonly (Hex | undefined)[]): boolean {
  return hooks === undefined || SWAP_HOOKS.some((word) => uintAt(hooks, word) !== 0n);
}

/** The fee's manager and the rate providers; a pool that does not say who they are counts as its own controller. */
function controllersOf({ id, tokens }: PoolRef, [data, , , roles]: readonly (Hex | undefined)[]): readonly Address[] {
  const pool = id as Address;
  const struct: Hex = `0x${(data ?? "0x").slice(2 + 64)}`;
  const infos = uintAt(struct, TOKEN_INFOS, 32);
  const first = infos === undefined ? Number.NaN : Number(infos / 32n) + 1;
  const providers = tokens.map((_, i) => addressAt(struct, first + WORDS_PER_TOKEN * i + 1) ?? pool);
  const all = new Set([addressAt(roles ?? "0x", FEE_MANAGER) ?? pool, ...providers]);
  return [...all].filter((account) => account !== ZERO_ADDRESS);
}

function kindOf({ kind }: PoolRef["terms"]): Kind {
  return kind === "weighted" ? "weighted" : "stable";
}

function stateFrom(
  kind: Kind,
  { tokens }: PoolRef,
  [data, config, , , first, second]: readonly (Hex | undefined)[],
  minTrade: bigint,
  vaultPaused: boolean,
): BalancerV3State | undefined {
  if (data === undefined || config === undefined) return undefined;
  // The struct stands behind its offset: its arrays' places count from there.
  const struct: Hex = `0x${data.slice(2 + 64)}`;
  const held = addressesIn(struct, 1);
  const [balances, rates, scales] = [uintsIn(struct, 3, 128), uintsIn(struct, 5, 128), uintsIn(struct, 6, 64)];
  if (held?.join() !== tokens.join() || balances?.length !== tokens.length) return undefined;
  if (rates?.length !== tokens.length || scales?.length !== tokens.length) return undefined;
  if (rates.some((rate) => rate === 0n) || scales.some((scale) => scale === 0n)) return undefined;
  const [swapFee, aggregateFee] = [uintAt(config, CONFIG.swapFee), uintAt(config, CONFIG.aggregateFee)];
  const flags = [CONFIG.initialized, CONFIG.paused, CONFIG.recovering].map((word) => uintAt(config, word, 1));
  const [initialized, poolPaused, recovering] = flags;
  if (swapFee === undefined || swapFee >= ONE || aggregateFee === undefined || aggregateFee > ONE) return undefined;
  if (initialized !== 1n || poolPaused === undefined || recovering === undefined) return undefined;
  const none = tokens.map(() => 0n);
  const base = {
    ...{ kind, balances, rates, scales, swapFee, minTrade, weights: none, minBalances: none },
    aggregateFee: recovering === 1n ? 0n : aggregateFee,
    ...{ initialA: 0n, futureA: 0n, initialATime: 0n, futureATime: 0n, paused: vaultPaused || poolPaused === 1n },
  };
  if (kind === "weighted") {
    // Pools of the first version, as of December 2024, have no such function and no least balances.
    const [parts, least] = [uintsIn(first ?? "0x", 0, 64), second === undefined ? none : uintsIn(second, 0, 128)];
    if (parts?.length !== tokens.length || least?.length !== tokens.length) return undefined;
    if (parts.some((part) => part === 0n)) return undefined;
    return { ...base, weights: parts, minBalances: least, ...(second === undefined && { firstVersion: true }) };
  }
  const [initialA, futureA, since, until] = [0, 1, 2, 3].map((word) => uintAt(first ?? "0x", word, 64));
  if (initialA === undefined || futureA === undefined || since === undefined || until === undefined) return undefined;
  return { ...base, initialA, futureA, initialATime: since, futureATime: until };
}
