import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "../../../fixtures/random.ts";
import type { Chain } from "../../../src/chain/chain.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { createEngine } from "../../../src/compose/engine.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { LoggedQuote } from "../../../src/domain/terms/logged-quote.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { logQuotes } from "../../../src/quoting/record/record-quotes.ts";
import { DEVNET_TOKENS, randomRequest } from "../../promise/random/random-request.ts";
import { testAccount } from "../../support/worlds/swap-world.ts";

/** Asks for quotes all the time, as callers of the service do, and keeps what it gets. */
export interface QuoteTaker {
  /** The quotes that came since it was last asked. */
  taken(): readonly LoggedQuote[];
  /** Counts of quotes, of refusals by reason, and the errors that are no refusal. */
  counts(): {
    readonly quotes: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly defects: readonly string[];
  };
  /** Does `work` while no request begins: of those that are under way, one at most, the answer may still come. */
  whileNoneBegins<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** One in so many quotes is simulated on the node, as quotes are unless the caller asks otherwise. */
const SIMULATED = 5;

/** Asks again `pauseMs` after each answer. */
export function startQuoteTaker(
  chain: Chain,
  record: ChainRecord,
  sources: readonly LiquiditySource[],
  pauseMs: number,
): QuoteTaker {
  const { wrappedNative } = record;
  const tokens = DEVNET_TOKENS;
  const quotes: LoggedQuote[] = [];
  const refused: Record<string, number> = {};
  const defects: string[] = [];
  let count = 0;
  let stopped = false;
  let held: Promise<unknown> | undefined;
  const { quoting } = createEngine({
    market: chain.market,
    tokens: chain.registry,
    sources: new Map(sources.map((source) => [source.id, source])),
    deployment: { deployed: true },
    simulator: chain.simulator,
    accounts: chain.accounts,
    config: { wrappedNative, quoteTtlSeconds: 120, budget: { maxHops: 4, maxFills: 12, maxSteps: 500_000 } },
    now: Date.now,
  });
  const logged = logQuotes(
    quoting,
    { record: (quote) => void quotes.push(quote) },
    {
      now: Date.now,
      onFault: (error) => void defects.push(String(error)),
    },
  );

  async function ask(seed: number): Promise<void> {
    const parties = { taker: testAccount(1), feeRecipient: testAccount(2) };
    const { taker: _, ...request } = randomRequest(createRandom(seed), tokens, parties);
    const context = { requestId: `quote ${seed}`, signal: new AbortController().signal };
    try {
      await logged.quote({ ...request, skipValidation: seed % SIMULATED !== 0 }, context);
      count += 1;
    } catch (error) {
      if (error instanceof SwapError) refused[error.kind] = (refused[error.kind] ?? 0) + 1;
      else defects.push(`quote ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }

  async function run(): Promise<void> {
    for (let seed = 1; !stopped; seed++) {
      while (held !== undefined) await held;
      await ask(seed);
      await pause(pauseMs);
    }
  }

  const running = run();
  return {
    taken: () => quotes.splice(0),
    counts: () => ({ quotes: count, refused, defects }),
    async whileNoneBegins(work) {
      const released = Promise.withResolvers<void>();
      held = released.promise;
      try {
        return await work();
      } finally {
        held = undefined;
        released.resolve();
      }
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
