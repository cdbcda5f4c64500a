import type { Chain } from "../../../src/chain/chain.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { sameValue } from "../../../src/chain/node/same-value.ts";
import type { Found } from "../../../src/chain/pools/found-pools.ts";
import { readPools } from "../../../src/chain/pools/read-pools.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { type Header, parseArray, parseHeader, parseLog, quantityParameter } from "../../../src/chain/rpc/codec.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { discover } from "../../../src/chain/search/discovery.ts";
import { createAccountReader } from "../../../src/chain/simulation/accounts.ts";
import { createSimulator } from "../../../src/chain/simulation/simulator.ts";
import type { Hex } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { PoolId } from "../../../src/domain/route.ts";
import type { LoggedQuote } from "../../../src/domain/terms/logged-quote.ts";
import type { Log } from "../../../src/market/chain-reader.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { stateAfter } from "../../../src/pools/followed.ts";
import { mathOf, type Pool, withState } from "../../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { replay } from "../../../src/quoting/record/replay.ts";
import { createSources } from "../../../src/venues/index.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";

/** Counts of judged quotes. */
export interface Verdict {
  /** Quotes whose transaction was run on the clean node at their block: it paid and took to the wei what was quoted. */
  executed: number;
  /** Quotes of blocks that are gone, whose fills come out the same over the pools as they were at that block. */
  reevaluated: number;
  /** Quotes that could not be judged: nothing was kept of their block. */
  unjudged: number;
  readonly wrong: string[];
}

/** Knows the truth from a clean line to the node, and holds quotes against it. */
export interface QuoteWitness {
  /** Remembers all pools at the node's newest block, `blocks` above one that is remembered; later the block may be gone. */
  remember(blocks?: number): Promise<void>;
  /** Differences between a snapshot's pools and what is remembered of its block. */
  differences(snapshot: Snapshot): readonly string[];
  /** Differences of all pools that a snapshot has, if its block is remembered. */
  untruths(snapshot: Snapshot): readonly string[];
  /** Quotes that were given out since they were last judged; those of the newest blocks have to be judged before they go. */
  judge(quotes: readonly LoggedQuote[]): Promise<void>;
  readonly verdict: Verdict;
  close(): void;
}

const BLOCKS_REMEMBERED = 400;
/** Most blocks whose logs tell what to read, beside what is remembered; beyond them everything is read. */
const MAX_BLOCKS_BACK = 200;
/** Once in so many times everything is read, whatever the logs tell. */
const READ_ALL_EVERY = 50;

/** Pools remembered of a block, and the logs since; no base if everything has to be read. */
interface Since {
  readonly base: ReadonlyMap<PoolId, Pool> | undefined;
  readonly logs: readonly Log[];
}

const NOTHING: Since = { base: undefined, logs: [] };

export async function createQuoteWitness(rpcUrl: string, record: ChainRecord, chain: Chain): Promise<QuoteWitness> {
  const logger = createLogger("silent");
  const provider = createProvider({ url: rpcUrl, timeoutMs: 30_000, logger });
  const reader = createChainReader(provider, record);
  const simulator = createSimulator({
    provider,
    accounts: createAccountReader(reader),
    logger,
    clock: systemClock,
    explainRevert: revertReason,
    holdersOf: () => [],
  });
  const found = await allPools(provider, record);
  let remembered = 0;
  const truth = new Map<Hex, ReadonlyMap<PoolId, Pool>>();
  const verdict: Verdict = { executed: 0, reevaluated: 0, unjudged: 0, wrong: [] };

  async function headerOf(block: Hex | "latest"): Promise<Header> {
    return parseHeader(await provider.request("eth_getBlockByNumber", [block, false]));
  }

  async function isCanonical({ number, hash }: BlockRef): Promise<boolean> {
    const answer = await provider.request("eth_getBlockByNumber", [quantityParameter(number), false]);
    return answer !== null && parseHeader(answer).hash === hash;
  }

  /** The nearest remembered block at least so many blocks below `head`, and all logs since. */
  async function since(head: Header, blocks: number): Promise<Since> {
    for (let back = blocks; back < MAX_BLOCKS_BACK && head.number >= BigInt(back); back++) {
      const base = truth.get((await headerOf(quantityParameter(head.number - BigInt(back)))).hash);
      if (base === undefined) continue;
      const fromBlock = quantityParameter(head.number - BigInt(back) + 1n);
      const answer = await provider.request("eth_getLogs", [{ fromBlock, toBlock: quantityParameter(head.number) }]);
      return { base, logs: parseArray(answer, "eth_getLogs").map(parseLog) };
    }
    return NOTHING;
  }

  function wrong(quote: LoggedQuote, reason: string): void {
    const text = `${quote.requestId}, ${describe(quote)}: ${reason}`;
    process.stdout.write(`wrong: ${text}\n`);
    verdict.wrong.push(text);
  }

  async function judgeOne(quote: LoggedQuote): Promise<void> {
    const { block } = quote;
    if (await isCanonical(block)) {
      const outcome = await replay(quote, simulator);
      if (outcome.kind === "holds") verdict.executed += 1;
      else if (outcome.kind === "gone") verdict.unjudged += 1;
      else wrong(quote, outcome.reason);
      return;
    }
    const pools = truth.get(block.hash);
    if (pools === undefined) verdict.unjudged += 1;
    else {
      const reason = otherAmounts(quote, pools);
      if (reason === undefined) verdict.reevaluated += 1;
      else wrong(quote, reason);
    }
  }

  return {
    async remember(blocks = 1) {
      const head = await headerOf("latest");
      if (truth.has(head.hash)) return;
      remembered += 1;
      const { base, logs } = remembered % READ_ALL_EVERY === 0 ? NOTHING : await since(head, blocks);
      const changed = new Set(logs.map(({ address }) => address));
      const pools = new Map(base);
      for (const source of new Set(found.map((entry) => entry.source))) {
        const stale = found.filter(({ ref, source: owner }) => {
          return owner === source && (base === undefined || source.refresh !== undefined || changed.has(ref.address));
        });
        const refs = stale.map(({ ref }) => ref);
        for (const [id, pool] of await readPools({ reader }, source, refs, head)) pools.set(id, pool);
      }
      truth.set(head.hash, pools);
      if (truth.size > BLOCKS_REMEMBERED) truth.delete(truth.keys().next().value!);
    },
    differences({ block, graph }) {
      const pools = truth.get(block.hash);
      if (pools === undefined) return [`nothing is remembered of block ${block.number}`];
      const quarantined = chain.status().quarantined;
      const wrong = [...pools].filter(([id, pool]) => !quarantined.has(id) && !sameValue(pool, graph.pool(id)));
      return wrong.map(([id, { source }]) => `${source} ${id} at block ${block.number}`);
    },
    untruths({ block, graph }) {
      const wrong = [...(truth.get(block.hash) ?? [])].filter(([id, pool]) => {
        const published = graph.pool(id);
        return published !== undefined && !sameValue(pool, published);
      });
      return wrong.map(([id, { source }]) => `${source} ${id} published at block ${block.number}`);
    },
    async judge(quotes) {
      for (const quote of quotes) await judgeOne(quote);
    },
    verdict,
    close: () => provider.close(),
  };
}

async function allPools(provider: Provider, record: ChainRecord): Promise<readonly Found[]> {
  const headerAt = async (block: Hex | "latest") =>
    parseHeader(await provider.request("eth_getBlockByNumber", [block, false]));
  return discover({
    reader: createChainReader(provider, record),
    sources: createSources(record),
    record,
    to: await headerAt("latest"),
    clock: systemClock,
    headerOf: (number) => headerAt(quantityParameter(number)),
  });
}

/**
 * Fills of a quote that its pools do not make; undefined if they make all. All fills are exact inputs, or all are exact
 * outputs: equal amounts may leave a pool in another state. A pool that is used several times has to make its fills in
 * some order, and so have a metapool and the base pool that it asks for the price of a share: the transaction decides
 * the order.
 */
function otherAmounts({ route, block }: LoggedQuote, truth: ReadonlyMap<PoolId, Pool>): string | undefined {
  const missing = route.find(({ pool }) => !truth.has(pool));
  if (missing !== undefined) return `there was no pool ${missing.pool}`;
  const groups = Map.groupBy(route, ({ pool }) => basePoolOf(truth.get(pool) as Pool) ?? pool);
  const reasons = [afterExactIn, afterExactOut].map((after) => {
    for (const [id, fills] of groups) {
      if (makes(truth, new Map(), fills, block.timestamp, after)) continue;
      const amounts = fills.map(({ sellAmount, buyAmount }) => `${buyAmount} for ${sellAmount}`);
      return `pool ${id} does not pay ${amounts.join(" and ")}`;
    }
    return undefined;
  });
  return reasons.every((reason) => reason !== undefined) ? reasons.join("; nor as exact-out: ") : undefined;
}

type LoggedFill = LoggedQuote["route"][number];

function basePoolOf({ curve, state }: Pool): PoolId | undefined {
  return curve === "stableswap" ? state.basePool : undefined;
}

/** Whether pools, as they were and as `traded` leaves them, make these fills in some order. */
function makes(
  truth: ReadonlyMap<PoolId, Pool>,
  traded: ReadonlyMap<PoolId, Pool>,
  fills: readonly LoggedFill[],
  time: bigint,
  after: (pool: Pool, fill: LoggedFill, time: bigint) => Pool | undefined,
): boolean {
  if (fills.length === 0) return true;
  return fills.some((fill) => {
    const pool = truth.get(fill.pool) as Pool;
    const state = stateAfter(pool, traded, time);
    const next = isRejection(state) ? undefined : after(withState(pool, state), fill, time);
    const rest = fills.filter((other) => other !== fill);
    return next !== undefined && makes(truth, new Map(traded).set(fill.pool, next), rest, time, after);
  });
}

/** The pool as a fill leaves it; undefined when it would not make that fill. */
function afterExactIn(pool: Pool, fill: LoggedFill, time: bigint): Pool | undefined {
  const made = mathOf(pool).quoteExactIn(pool.state, directionOf(pool, fill), fill.sellAmount, time);
  return isRejection(made) || made.amount !== fill.buyAmount ? undefined : withState(pool, made.next);
}

function afterExactOut(pool: Pool, fill: LoggedFill, time: bigint): Pool | undefined {
  const made = mathOf(pool).quoteExactOut(pool.state, directionOf(pool, fill), fill.buyAmount, time);
  return isRejection(made) || made.amount !== fill.sellAmount ? undefined : withState(pool, made.next);
}

function directionOf({ tokens }: Pool, { from, to }: LoggedFill): Direction {
  return { sell: tokens.indexOf(from), buy: tokens.indexOf(to) };
}

function describe({ block, terms, sellAmount, buyAmount, route }: LoggedQuote): string {
  const way = route.map(({ source, pool }) => `${source} ${pool}`).join(", ");
  return `block ${block.number} ${block.hash}: ${sellAmount} ${terms.sellToken} for ${buyAmount} ${terms.buyToken} by ${way}`;
}
