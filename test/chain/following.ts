import { type Chain, startChain } from "../../src/chain/chain.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createSources } from "../../src/sources/index.ts";
import type { FakeChain } from "../support/fake-chain.ts";

/** A chain followed on a fake node, with what it published and where that was not the truth. */
export interface Following {
  readonly chain: Chain;
  readonly published: readonly Snapshot[];
  /** Differences between a snapshot, when it was published, and the block that it names. */
  readonly wrong: readonly string[];
  /** Settles once the newest snapshot is the fake chain's head. */
  caughtUp(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** Follows a fake chain as fast as it goes; every snapshot is compared with the truth as it is published. */
export async function follow(
  fake: FakeChain,
  options: { readonly now?: () => number; readonly auditedPerBlock?: number; readonly blockAgeMs?: number } = {},
): Promise<Following> {
  const chain = await startChain({
    record: fake.record,
    rpcUrl: "",
    provider: fake.provider,
    sources: createSources(fake.record),
    tokens: [],
    freshness: { confirmedWithinMs: 10_000, blockAgeMs: options.blockAgeMs },
    logger: createLogger("silent"),
    explainRevert: (data) => data,
    pollIntervalMs: 1,
    auditedPerBlock: options.auditedPerBlock ?? 2,
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const published: Snapshot[] = [];
  const wrong: string[] = [];
  chain.onSnapshot((snapshot) => {
    published.push(snapshot);
    wrong.push(...differences(snapshot, fake));
  });
  return {
    chain,
    published,
    wrong,
    caughtUp: () => until(() => chain.status().head?.hash === fake.head.hash && isServed(chain)),
  };
}

/** Settles once `holds`; it is a failure of the test when that does not come about. */
export async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > giveUpAt) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export function isServed(chain: Chain): boolean {
  return "snapshot" in chain.market.current();
}

/** What of a snapshot's pairs is not as its block left them. */
function differences(snapshot: Snapshot, fake: FakeChain): readonly string[] {
  const truth = fake.block(snapshot.block.hash);
  if (truth === undefined) return [`no block ${snapshot.block.hash}`];
  const wrong: string[] = [];
  for (const [id, { tokens, reserves }] of truth.pairs) {
    const pool = snapshot.graph.pool(id);
    if (pool?.curve !== "constant-product") wrong.push(`${truth.number}: no pair ${id}`);
    else if (pool.state.reserves.join() !== reserves.join()) wrong.push(`${truth.number}: ${id} has other reserves`);
    for (const token of tokens) {
      if (!snapshot.graph.poolsOf(token).some((held) => held.id === id)) wrong.push(`${token} does not lead to ${id}`);
    }
  }
  const pairs = snapshot.sources.get("Fake_V2")?.pools;
  if (pairs !== truth.pairs.size) wrong.push(`${truth.number}: ${pairs} pairs instead of ${truth.pairs.size}`);
  return wrong;
}
