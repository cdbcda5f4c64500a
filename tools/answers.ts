/**
 * Prints prices and quotes over a saved devnet as the contract spells them, one JSON line each, so that two trees can be compared byte by byte:
 *
 *   node tools/answers.ts market.json [count] [seed]
 *
 * Every source has its turn alone, then all together; sales and purchases, with and without a fee. Nothing is simulated:
 * gas is that of the measured model. A refusal prints its text.
 */

import { randomOf } from "../fixtures/random.ts";
import { priceResponse, quoteResponse } from "../src/api/calls/price-messages.ts";
import { createEngine } from "../src/compose/engine.ts";
import { openMarket } from "../src/compose/snapshot-market.ts";
import { devnetChain } from "../src/devnet/chain.ts";
import { devnetLayout } from "../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../src/devnet/node/accounts.ts";
import { toAddress } from "../src/domain/address.ts";
import { SwapError } from "../src/domain/errors/swap-error.ts";
import type { Token } from "../src/domain/token.ts";
import { mathOf, type Pool } from "../src/pools/pool.ts";
import type { SwapRequest } from "../src/quoting/answer/types.ts";
import { SEARCH_BUDGET } from "../src/quoting/search/search-budget.ts";
import { readSnapshotFile } from "../src/snapshot/file.ts";
import { createSources } from "../src/venues/index.ts";

const FEE_RECIPIENT = toAddress("0x00000000000000000000000000000000000fee01");

const [file, count = "5000", seed = "1"] = process.argv.slice(2);
if (file === undefined) {
  console.error("name the file of a saved market");
  process.exit(2);
}
const saved = readSnapshotFile(file);
const opened = openMarket(saved);
const sources = createSources(devnetChain(devnetLayout(devnetAccounts().whale), 0));
const { quoting } = createEngine({
  ...opened,
  sources: new Map(sources.map((source) => [source.id, source])),
  deployment: { deployed: true },
  config: { wrappedNative: saved.wrappedNative, quoteTtlSeconds: 120, budget: { ...SEARCH_BUDGET, maxHops: 4 } },
  now: () => Number(saved.block.timestamp) * 1_000,
});

const random = randomOf(Number(seed));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const tokenOf = (address: string): Token => saved.tokens.find((token) => token.address === address) as Token;
const bySource = Map.groupBy(
  saved.pools.map(({ pool }) => pool),
  ({ source }) => source,
);

/** Part of what a pool takes in one direction, over six orders of magnitude. */
function sizeIn(pool: Pool, direction: { readonly sell: number; readonly buy: number }, exactIn: boolean): bigint {
  const { maxSell, maxBuy } = mathOf(pool).limits(pool.state, direction, saved.block.timestamp);
  const most = exactIn ? maxSell : maxBuy;
  const capped = most < 10n ** 26n ? most : 10n ** 26n;
  return (capped * BigInt(Math.floor(10 ** (6 * random())))) / 10n ** 6n + 1n;
}

function requestOf(index: number): SwapRequest {
  const names = [...bySource.keys()];
  const source = names[index % names.length] as string;
  const pool = pick(bySource.get(source) as readonly Pool[]);
  const sell = Math.floor(random() * pool.tokens.length);
  const buy = (sell + 1 + Math.floor(random() * (pool.tokens.length - 1))) % pool.tokens.length;
  const exactIn = random() < 0.6;
  const size = sizeIn(pool, { sell, buy }, exactIn);
  return {
    sellToken: tokenOf(pool.tokens[sell] as string),
    buyToken: tokenOf(pool.tokens[buy] as string),
    amount: exactIn ? { kind: "exactIn", sellAmount: size } : { kind: "exactOut", buyAmount: size },
    slippage: 10n ** 16n,
    sources: random() < 0.5 ? { kind: "only", ids: [source] } : { kind: "all" },
    ...(random() < 0.3 && { fee: { ratePpm: 1_500n, recipient: FEE_RECIPIENT } }),
    skipValidation: true,
  };
}

for (let index = 0; index < Number(count); index++) {
  const request = requestOf(index);
  const context = { requestId: String(index), signal: new AbortController().signal };
  const asked = {
    price: () => quoting.price(request, context).then(priceResponse),
    quote: () => quoting.quote(request, context).then(quoteResponse),
  };
  for (const [method, ask] of Object.entries(asked)) {
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof SwapError) return { refused: error.kind, reason: error.reason, message: error.message };
      throw error;
    });
    console.log(JSON.stringify({ index, method, answer }));
  }
}
