import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { type Chain, startChain } from "../../../src/chain/chain.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { createTrader, fundTrader, type Trader } from "../../../src/devnet/traffic/trader.ts";
import type { Hex } from "../../../src/domain/address.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createSources } from "../../../src/venues/index.ts";
import { type ChaosProxy, startChaosProxy } from "../../support/nodes/chaos-proxy.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { type QuoteTaker, startQuoteTaker } from "../state/quote-taker.ts";
import { createQuoteWitness, type QuoteWitness } from "../state/quote-witness.ts";
import { until } from "./following.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
/** A long run can be divided: `TRIBUTARY_PART=2/4` is the second quarter, with chances of its own. */
const [PART = 1, PARTS = 1] = (process.env.TRIBUTARY_PART ?? "1/1").split("/").map(Number);
const portion = (rounds: number) => Math.ceil(rounds / PARTS);
/** Every third cuts the sockets, every fourth mutes them. */
const REORGANIZATIONS = LONG ? portion(2_000) : 4;
const ROLLBACKS = LONG ? portion(200) : 2;
const DEEP = LONG ? portion(50) : 1;
const PLAIN_BLOCKS = LONG ? portion(200) : 10;
const MAX_DEPTH = LONG ? 64 : 24;
/** Deeper than the undo ring: 128 blocks on the devnet. */
const DEEP_DEPTH = 140;
/** Blocks of traffic between two reorganizations. */
const MAX_LIVE_BLOCKS = 3;
const MIN_QUOTES = LONG ? portion(3_000) : 20;
const MAX_MORE_BLOCKS = 500;
/** A bad line takes its time, on a busy machine above all. */
const PATIENCE_MS = 180_000;
const LONGEST_MS = LONG ? 14_400_000 : 600_000;
const TELL_EVERY = 50;
/** Every twentieth request fails, and every fiftieth list of a block's logs is empty. */
const BAD_LINE = {
  error: 0.02,
  limit: 0.005,
  refusal: 0.015,
  cut: 0.005,
  half: 0.005,
  emptyLogs: 0.02,
  staleHead: 0.02,
};

const devnet = useDevnet("settled");
const { unit: random } = createRandom(4 + PART);
let proxy: ChaosProxy;
let chain: Chain;
let trader: Trader;
let witness: QuoteWitness;
/** Log lines of an audit behind the bad connection: pools that differ, among other failures. */
const logged: string[] = [];
/** Snapshots that were published since they were last held against the truth. */
let published: Snapshot[] = [];
let taker: QuoteTaker;
/** Published facts that are wrong. */
const wrong: string[] = [];
/** Number of times that blocks were taken back. */
let takenBack = 0;

beforeAll(async () => {
  const { chain: record, rpcUrl, wsUrl, tokens } = devnet();
  const accounts = devnetAccounts();
  const layout = devnetLayout(accounts.whale);
  const rpc = createJsonRpc(rpcUrl);
  await fundTrader(rpc, layout, accounts.whale, accounts.trader);
  trader = createTrader(rpc, layout, accounts.trader);
  // Later blocks may be reorganized; the contracts, the trader's wealth and approvals may not.
  for (let block = 0; block < DEEP_DEPTH + 10; block++) await devnet().mine();
  proxy = await startChaosProxy({ rpcUrl, wsUrl, seed: PART });
  const sources = createSources(record);
  chain = await startChain({
    record,
    rpcUrls: [proxy.rpcUrl],
    wsUrls: [proxy.wsUrl],
    sources,
    tokens,
    freshness: { confirmedWithinMs: 30_000, blockAgeMs: undefined },
    logger: createLogger("error", { write: (line) => void logged.push(line) }),
    explainRevert: revertReason,
    pollIntervalMs: 20,
  });
  chain.onSnapshot((snapshot) => void published.push(snapshot));
  await chain.firstSnapshot;
  witness = await createQuoteWitness(rpcUrl, record, chain);
  taker = startQuoteTaker(chain, record, sources, LONG ? 150 : 25);
}, 120_000);
afterAll(async () => {
  await taker?.stop();
  await chain?.stop();
  await proxy?.stop();
  witness?.close();
});

/** The snapshot of the node's newest block, which has to come; it is held against what that block left. */
async function check(): Promise<readonly string[]> {
  const head = await devnet().rpc<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  let found: Snapshot | undefined;
  await until(() => {
    const current = chain.market.current();
    found = "snapshot" in current ? current.snapshot : undefined;
    return found?.block.hash === head.hash;
  }, PATIENCE_MS);
  return witness.differences(found!);
}

/** Mines a block of traffic; everybody's state after it is remembered. */
async function mine(): Promise<void> {
  await trader.trade();
  await proxy.whileStill(() => devnet().mine());
  await witness.remember();
}

/** Empty blocks take the place of the newest ones. Another miner tells those apart that were empty before. */
async function reorganize(depth: number): Promise<void> {
  const miner = `0x${Math.floor(random() * 2 ** 48)
    .toString(16)
    .padStart(40, "0")}`;
  await devnet().rpc("anvil_setCoinbase", [miner]);
  await proxy.whileStill(() => devnet().rpc("anvil_reorg", [depth, []]));
}

function reportUnserved(done: string): void {
  const seconds = Math.round(performance.now() / 1_000);
  const { wrong: wrongQuotes, ...judgements } = witness.verdict;
  const figures = { ...judgements, wrongQuotes: wrongQuotes.length, wrongPools: wrong.length, ...taker.counts() };
  process.stdout.write(`${done} at ${seconds} s: ${JSON.stringify(figures)}\n`);
}

/** Everything that was published since the last time against the truth, and what is published of the newest block. */
async function compare(): Promise<void> {
  wrong.push(...(await check()));
  wrong.push(...published.flatMap((snapshot) => witness.untruths(snapshot)));
  published = [];
}

async function live(count: number): Promise<void> {
  for (let block = 0; block < count; block++) await mine();
}

/** The quotes since the last time, while the node still has their blocks; those that are given out meanwhile, later. */
async function judge(): Promise<void> {
  await witness.judge(taker.taken());
}

/**
 * Takes blocks back when all quotes of them have been judged, but for the one that is under way: it may be of a block that
 * nobody remembered.
 */
async function takeBack(work: () => Promise<unknown>): Promise<void> {
  takenBack += 1;
  await taker.whileNoneBegins(async () => {
    await judge();
    await work();
  });
}

/** Kinds of mischief that have not happened yet. */
function unmet(): readonly string[] {
  return Object.keys(BAD_LINE).filter((mischief) => !proxy.seen.get(mischief as keyof typeof BAD_LINE));
}

describe("behind a bad line, whatever the chain does, no snapshot and no quote is wrong", () => {
  beforeAll(async () => {
    proxy.setShares(BAD_LINE);
    await live(1);
    await compare();
  }, PATIENCE_MS);
  afterEach(async () => {
    await judge();
    reportUnserved("in all");
    expect(wrong).toEqual([]);
    expect(witness.verdict.wrong).toEqual([]);
    expect(witness.verdict.unjudged).toBeLessThanOrEqual(takenBack);
    expect(taker.counts().defects).toEqual([]);
    expect(logged.filter((line) => line.includes("differs from the chain"))).toEqual([]);
  });

  it("sockets that are cut or mute", { timeout: LONGEST_MS }, async () => {
    for (let block = 1; block <= PLAIN_BLOCKS; block++) {
      await live(1);
      if (block % 10 === 0) await compare();
      if (block % 7 === 0) proxy.cutSockets();
      proxy.muteSockets(block % 5 === 0);
      if (block % 20 === 0) await judge();
      if (block % (10 * TELL_EVERY) === 0) reportUnserved(`${block} blocks`);
    }
    await compare();
  });

  it("reorganizations", { timeout: LONGEST_MS }, async () => {
    for (let round = 1; round <= REORGANIZATIONS; round++) {
      const depth = 1 + Math.floor(random() * MAX_DEPTH);
      await takeBack(() => reorganize(depth));
      await witness.remember(depth);
      await live(1 + Math.floor(random() * MAX_LIVE_BLOCKS));
      if (round % 3 === 0) proxy.cutSockets();
      proxy.muteSockets(round % 4 === 0);
      await compare();
      if (round % TELL_EVERY === 0) reportUnserved(`${round} reorganizations`);
    }
  });

  it("blocks that are gone without a word", { timeout: LONGEST_MS }, async () => {
    for (let round = 1; round <= ROLLBACKS; round++) {
      await live(5);
      const depth = 1 + Math.floor(random() * 4);
      await takeBack(() => proxy.whileStill(() => devnet().rpc("anvil_rollback", [depth])));
      await witness.remember();
      await compare();
      if (round % TELL_EVERY === 0) reportUnserved(`${round} rollbacks`);
    }
  });

  it("reorganizations deeper than the undo ring", { timeout: LONGEST_MS }, async () => {
    const before = chain.status().resyncs;
    for (let round = 1; round <= DEEP; round++) {
      for (let block = 0; block < DEEP_DEPTH + 9; block++) await proxy.whileStill(() => devnet().mine());
      await witness.remember(DEEP_DEPTH + 9);
      await live(1);
      await compare();
      await takeBack(() => reorganize(DEEP_DEPTH));
      await witness.remember(DEEP_DEPTH);
      await compare();
      reportUnserved(`${round} reorganizations deeper than the ring`);
    }
    expect(chain.status().resyncs - before).toBeGreaterThanOrEqual(DEEP);
  });

  // The number of requests depends on the machine: the run goes on until the rarest mischief has happened too.
  it("every kind of mischief happened, and quotes were given out meanwhile", { timeout: LONGEST_MS }, async () => {
    for (let block = 0; block < MAX_MORE_BLOCKS && (unmet().length > 0 || judged() < MIN_QUOTES); block++) {
      await live(1);
      await compare();
      await judge();
    }
    process.stdout.write(`mischief: ${JSON.stringify(Object.fromEntries(proxy.seen))}\n`);
    expect(unmet()).toEqual([]);
    expect(judged()).toBeGreaterThanOrEqual(MIN_QUOTES);
  });
});

function judged(): number {
  return witness.verdict.executed + witness.verdict.reevaluated;
}
