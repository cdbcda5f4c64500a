import { parseHeader } from "../../chain/rpc/codec.ts";
import { createChainReader, type NodeReader } from "../../chain/rpc/reader.ts";
import { createAccountReader } from "../../chain/simulation/accounts.ts";
import { runsCancun } from "../../chain/simulation/evm-check.ts";
import { createTradeRunner } from "../../chain/simulation/trade-runner.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { createPoolTrial, type PoolTrial } from "../../quoting/quote/pool-trial.ts";
import { settlementCode } from "../../settlement/contracts.ts";
import { createRevertReader } from "../../settlement/revert-reason.ts";
import { createSettlement } from "../../settlement/settlement.ts";
import { CODECS, createSources } from "../../venues/index.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, type Found, ok, wrong } from "./checks.ts";
import { knownPools, NO_POOLS } from "./known-pools.ts";

/** Pools of a source that have to fail; one that works is enough. */
const POOLS_TRIED = 3;

/** Dependencies of trade checks. */
interface Trading {
  readonly node: NodeConnection;
  readonly reader: NodeReader;
  readonly trialOf: (source: LiquiditySource) => PoolTrial;
}

/**
 * One check per source: trades once over it on the node, with the settlement contracts put there by state override, and compares
 * with the maths. Wrong terms in a record show here, and nowhere before.
 */
export function tradeChecks(node: NodeConnection): readonly Check[] {
  const { record } = node;
  const sources = createSources(record);
  const trading = tradingOn(node, sources);
  return sources.map((source): Check => [`trade over ${source.id}`, () => tradeOver(source, trading)]);
}

function tradingOn(node: NodeConnection, sources: readonly LiquiditySource[]): Trading {
  const { provider, record } = node;
  const { wrappedNative } = record;
  const reader = createChainReader(provider, record);
  const explainRevert = createRevertReader(sources).reason;
  const runner = createTradeRunner({ provider, accounts: createAccountReader(reader), explainRevert });
  const settlement = createSettlement({ codecs: CODECS, wrappedNative, deployed: true });
  const code = settlementCode(wrappedNative);
  return {
    ...{ node, reader },
    trialOf: (source) =>
      createPoolTrial({ settlement, runner, sources: new Map([[source.id, source]]), code: () => code }),
  };
}

async function tradeOver(source: LiquiditySource, trading: Trading): Promise<Found> {
  const { provider } = trading.node;
  if (!(await runsCancun(provider))) return { outcome: "limited", says: "not tried: see EVM" };
  const at = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  const refs = await knownPools(source, { reader: trading.reader, record: trading.node.record }, at);
  const pools = await source.sync(trading.reader, refs, at);
  if (pools.length === 0) return { outcome: "limited", says: noPoolsReason(source, refs.length) };
  const faults: string[] = [];
  for (const pool of pools) {
    const outcome = await trading.trialOf(source)(pool, at);
    if (outcome.kind === "works") return judgeFee(source, pool, trading, at);
    if (outcome.kind === "fails" && faults.push(`pool ${pool.id}: ${outcome.reason}`) === POOLS_TRIED) break;
  }
  const [fault] = faults;
  if (fault === undefined) return { outcome: "limited", says: "no trade could be run on this node" };
  return wrong(`${fault}: the record's terms or its protocol are not those of the contracts there`);
}

function noPoolsReason({ fixed }: LiquiditySource, refs: number): string {
  if (refs === 0) return `nothing to try: ${NO_POOLS}`;
  return fixed === undefined
    ? "nothing to try: no pool that the factory names could be read"
    : "none of its listed pools is what the record says: they are not quoted from";
}

/** A pool that works at a lower fee too charges less than the record says. */
async function judgeFee(source: LiquiditySource, pool: Pool, trading: Trading, at: BlockRef): Promise<Found> {
  const cheaper = source.cheaper?.();
  if (cheaper === undefined) return ok(`pool ${pool.id} pays what its maths says`);
  const ref = { id: pool.id, address: pool.id as PoolRef["address"], tokens: pool.tokens, terms: {} };
  const [same] = await cheaper.sync(trading.reader, [ref], at);
  const outcome = same && (await trading.trialOf(cheaper)(same, at));
  if (outcome?.kind !== "works") return ok(`pool ${pool.id} pays what its maths says, and no less would do`);
  return wrong(`pool ${pool.id} trades for a lower fee too: feeNum of feeDen is more than it charges`);
}
