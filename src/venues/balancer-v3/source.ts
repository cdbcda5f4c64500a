import { toEventSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { readWhole } from "../reading/read-whole.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import type { BalancerV3Action } from "./action.ts";
import { balancerV3Errors } from "./errors.ts";
import type { BalancerV3Record } from "./record.ts";
import { syncPools } from "./sync.ts";

const POOL_REGISTERED = toEventSelector(
  "PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))",
);
/** A pool has no balances before it; its pool is its first topic. */
const POOL_INITIALIZED = toEventSelector("PoolInitialized(address)");
/** Words of one token in the log: token, kind, rate provider, whether its growth is owed a fee. */
const WORDS_PER_TOKEN = 4;
const MAX_TOKENS = 8n;

/**
 * Balancer V3: weighted and stable pools of one vault, those of the record's factories, without hooks that are called in
 * a swap. Rates and the fees on their growth, fees and pauses move without a log, so that whole pools are read again for
 * every block. One is mostly registered some time before it is initialized: it cannot be read until then.
 */
export function balancerV3(venue: BalancerV3Record): LiquiditySource {
  const { vault } = venue;
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    errors: balancerV3Errors,
    callsForeignContracts: true,
    creation: { addresses: [vault], topics: [POOL_REGISTERED] },
    created: (log) => registeredPool(venue, log),
    refused: (log) => (isOfAnotherFactory(venue, log) ? "UNKNOWN_VERSION" : undefined),
    ...readWhole(
      (chain, refs, at, reportUnserved = () => {}) => syncPools(venue, { chain, at, reportUnserved }, refs),
      (pool) => refOf(vault, addressOf(pool), pool.tokens, pool.curve === "balancer-v3" ? pool.state.kind : "stable"),
    ),
    stateTopics: [POOL_INITIALIZED],
    poolOf: (log) => addressAt(log.topics[1] ?? "0x", 0),
    apply: () => "resync",
    action: (pool): BalancerV3Action => ({ action: "balancer-v3-pool", vault, pool: addressOf(pool) }),
    fillData: (pool) => ({ vault, poolAddress: addressOf(pool) }),
  };
}

/** A pool of one of the record's factories, with its tokens in the vault's order. */
function registeredPool({ vault, factories }: BalancerV3Record, log: Log): PoolRef | undefined {
  if (log.address !== vault || log.topics[0] !== POOL_REGISTERED) return undefined;
  const [pool, factory] = [log.topics[1], log.topics[2]].map((topic) => addressAt(topic ?? "0x", 0));
  const maker = factories.find((each) => each.factory === factory);
  if (pool === undefined || maker === undefined) return undefined;
  const offset = uintAt(log.data, 0, 32);
  const first = offset === undefined ? undefined : Number(offset / 32n);
  const count = first === undefined ? undefined : uintAt(log.data, first);
  if (first === undefined || count === undefined || count < 2n || count > MAX_TOKENS) return undefined;
  const tokens = Array.from({ length: Number(count) }, (_, i) => addressAt(log.data, first + 1 + WORDS_PER_TOKEN * i));
  if (tokens.some((token) => token === undefined)) return undefined;
  return refOf(vault, pool, tokens as readonly Address[], maker.kind);
}

function isOfAnotherFactory({ vault, factories }: BalancerV3Record, log: Log): boolean {
  if (log.address !== vault || log.topics[0] !== POOL_REGISTERED) return false;
  const maker = addressAt(log.topics[2] ?? "0x", 0);
  return maker !== undefined && !factories.some(({ factory }) => factory === maker);
}

/** The vault holds the tokens and writes the logs. */
function refOf(
  vault: Address,
  pool: Address,
  tokens: readonly Address[],
  kind: BalancerV3Record["factories"][number]["kind"],
): PoolRef {
  return { id: pool, address: vault, tokens, terms: { kind } };
}
