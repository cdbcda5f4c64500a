import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { createEngine } from "../../../src/compose/engine.ts";
import { openMarket } from "../../../src/compose/snapshot-market.ts";
import { devnetChain } from "../../../src/devnet/chain.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import { SEARCH_BUDGET } from "../../../src/quoting/search/search-budget.ts";
import { readSnapshotFile } from "../../../src/snapshot/file.ts";
import { createSources } from "../../../src/venues/index.ts";

const saved = readSnapshotFile(fileURLToPath(new URL("../../../bench/universes/devnet.bin", import.meta.url)));
const layout = devnetLayout(devnetAccounts().whale);
const sources = new Map(createSources(devnetChain(layout, 0)).map((source) => [source.id, source]));
const tokens = layout.tokens.filter(({ address }) => saved.tokens.some((token) => token.address === address));
const CASES = process.env.TRIBUTARY_LONG === "1" ? 5_000 : 30;
/** Parts in 10,000 that more fills may cost: gas and whole units are settled by another route then. */
const SLACK_BPS = 10;

const engineWith = (maxFills: number) =>
  createEngine({
    ...openMarket(saved),
    sources,
    deployment: { deployed: true },
    config: {
      ...{ wrappedNative: saved.wrappedNative, quoteTtlSeconds: 120 },
      budget: { ...SEARCH_BUDGET, maxHops: 4, maxFills },
    },
    now: () => Number(saved.block.timestamp) * 1_000,
  }).quoting;
const [many, few] = [engineWith(64), engineWith(16)];

type Amount = SwapRequest["amount"];

/** Amount bought, or sold, for an amount; undefined if there is no route. */
async function priceOf(quoting: typeof many, sell: string, buy: string, amount: Amount): Promise<bigint | undefined> {
  const known = (symbol: string) => saved.tokens.find((token) => token.symbol === symbol)!;
  const pair = { sellToken: known(sell), buyToken: known(buy), amount };
  const request: SwapRequest = { ...pair, slippage: 10n ** 16n, sources: { kind: "all" }, skipValidation: true };
  try {
    const price = await quoting.price(request, { requestId: "test", signal: new AbortController().signal });
    return amount.kind === "exactIn" ? price.buyAmount : price.sellAmount;
  } catch (error) {
    if (error instanceof SwapError) return undefined;
    throw error;
  }
}

/** Parts in 10,000 that many fills pay less, or cost more, than few. */
async function lossBps(sell: string, buy: string, amount: Amount): Promise<number> {
  const most = await priceOf(few, sell, buy, amount);
  if (most === undefined) return 0;
  const answer = await priceOf(many, sell, buy, amount);
  if (answer === undefined) return 10_000;
  const [better, worse] = amount.kind === "exactIn" ? [most, answer] : [answer, most];
  return (Number(better - worse) / Number(most)) * 10_000;
}

describe("a route that may have 64 fills is no worse than one of 16", () => {
  it("where a flow's wrapped native tokens are off by a few parts in a million", async () => {
    for (const whole of [10_750n, 11_000n, 12_000n, 13_250n]) {
      const amount = { kind: "exactIn", sellAmount: whole * 10n ** 18n } as const;
      expect(await lossBps("DAM", "USDH", amount), `${whole}`).toBeLessThan(SLACK_BPS);
    }
  });

  it("where a stability module cannot take a part of what is sold whole", async () => {
    const amount = { kind: "exactIn", sellAmount: 1_666_367_985_006n * 10n ** 12n } as const;
    expect(await lossBps("DSD", "FERN", amount)).toBeLessThan(SLACK_BPS);
  });

  it(`in ${CASES} trades of a thousand to three million dollars`, async () => {
    const random = createRandom(5);
    for (let index = 0; index < CASES; index++) {
      const sell = random.pick(tokens);
      const buy = random.pick(tokens.filter(({ address }) => address !== sell.address));
      const isOut = random.chance(0.5);
      const token = isOut ? buy : sell;
      const usd = random.logUniform(1e3, 3e6);
      const units = BigInt(Math.ceil((usd * 1e12 * 1e6) / Number(token.picoUsd))) * 10n ** BigInt(token.decimals);
      const amount: Amount = isOut
        ? { kind: "exactOut", buyAmount: units / 1_000_000n + 1n }
        : { kind: "exactIn", sellAmount: units / 1_000_000n + 1n };
      const what = `${sell.symbol} ${buy.symbol} ${isOut ? "out" : "in"} ${units}`;
      expect(await lossBps(sell.symbol, buy.symbol, amount), what).toBeLessThan(SLACK_BPS);
    }
  });
});
