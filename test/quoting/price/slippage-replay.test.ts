import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { createTrader, fundTrader, type Trader } from "../../../src/devnet/traffic/trader.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { FRACTION_ONE, type PriceAnswer, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute } from "../../promise/execute.ts";
import { type SwapWorld, startSwapWorld } from "../../support/worlds/swap-world.ts";

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 180_000 });

/** Blocks that are quoted in, and blocks from a quote to where it is looked at. */
const BLOCKS = process.env.TRIBUTARY_LONG === undefined ? 8 : 300;
const LATER = 2;
const WARM_UP = 40;
const FIXED = [0.001, 0.005, 0.01, 0.0176];

let world: SwapWorld;
let trader: Trader;

beforeAll(async () => {
  world = await startSwapWorld();
  const rpc = createJsonRpc(world.devnet.rpcUrl);
  const { whale, trader: account } = devnetAccounts();
  const layout = devnetLayout(whale);
  await fundTrader(rpc, layout, whale, account);
  trader = createTrader(rpc, layout, account);
  await world.follow();
});
afterAll(() => world?.stop());

const REQUESTS: readonly (readonly [sold: string, bought: string, amount: bigint])[] = [
  ["WETH", "USDH", 5n * 10n ** 17n],
  ["WETH", "USDH", 50n * 10n ** 18n],
  ["USDH", "DSD", 20_000n * 10n ** 6n],
  ["OXBW", "USDH", 100_000n * 10n ** 18n],
  ["SILT", "DAM", 10n ** 27n],
  ["MOSS", "WETH", 20_000n * 10n ** 18n],
];

function request([sold, bought, sellAmount]: (typeof REQUESTS)[number]): SwapRequest {
  const token = (symbol: string) => world.devnet.tokens.find((each) => each.symbol === symbol)!;
  return {
    ...{ sellToken: token(sold), buyToken: token(bought), amount: { kind: "exactIn", sellAmount } },
    ...{ slippage: FRACTION_ONE / 100n, slippageIsAuto: true, sources: { kind: "all" }, skipValidation: true },
  };
}

/**
 * Output of a price's route in a later state, to a base unit or two; undefined if a pool does not serve it any more.
 */
function paidLater({ route, sellAmount, sellToken, buyToken }: PriceAnswer, { graph }: Snapshot): bigint | undefined {
  const held = new Map<Address, bigint>([[sellToken.address, sellAmount]]);
  const whole = new Map<Address, bigint>();
  const states = new Map<string, unknown>();
  for (const { from, to, pool: id, proportion } of route.fills) {
    const pool = graph.pool(id);
    if (pool === undefined) return undefined;
    if (!whole.has(from)) whole.set(from, held.get(from) ?? 0n);
    const amount = ((whole.get(from) as bigint) * proportion) / FRACTION_ONE;
    const direction = { sell: pool.tokens.indexOf(from), buy: pool.tokens.indexOf(to) };
    const state = (states.get(id) ?? pool.state) as typeof pool.state;
    const quote = mathOf(pool).quoteExactIn(state, direction, amount, graph.time);
    if (isRejection(quote)) return undefined;
    states.set(id, quote.next);
    held.set(to, (held.get(to) ?? 0n) + quote.amount);
  }
  return held.get(buyToken.address);
}

async function nextBlock(): Promise<Snapshot> {
  await trader.trade();
  await world.devnet.mine();
  return world.follow();
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it("is unknown at first, and then leaves room for what traffic does in two blocks, and for not much more", async () => {
  const first = await world.price(request(REQUESTS[0]!));
  expect([first.expectedSlippage, first.slippage]).toEqual([null, FRACTION_ONE / 100n]);
  for (let block = 0; block < WARM_UP; block++) await nextBlock();

  const open: { readonly block: bigint; readonly price: PriceAnswer }[] = [];
  const changes: number[] = [];
  const autos: number[] = [];
  const expected: number[] = [];
  const failed = { auto: 0, fixed: FIXED.map(() => 0) };
  for (let block = 0; block < BLOCKS + LATER; block++) {
    const snapshot = await nextBlock();
    while (open[0] !== undefined && open[0].block + BigInt(LATER) <= snapshot.block.number) {
      const { price } = open.shift()!;
      const paid = paidLater(price, snapshot) ?? 0n;
      const change = Number(paid) / Number(price.buyAmount) - 1;
      changes.push(change);
      autos.push(Number(price.slippage) / 1e18);
      expected.push(Number(price.expectedSlippage) / 1e18);
      if (paid < price.minBuyAmount) failed.auto++;
      for (const [at, slippage] of FIXED.entries()) if (change < -slippage) failed.fixed[at]!++;
    }
    if (block >= BLOCKS) continue;
    for (const each of REQUESTS) {
      const price = await world.price(request(each));
      expect(price.expectedSlippage).not.toBeNull();
      expect(price.slippage >= FRACTION_ONE / 1_000n && price.slippage <= FRACTION_ONE / 20n).toBe(true);
      open.push({ block: snapshot.block.number, price });
    }
  }
  // The quote enforces what the price says, and pays to the wei.
  const eth = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
  const taker = world.devnet.whale;
  const quote = await world.quote({ ...request(REQUESTS[0]!), sellToken: eth, taker, skipValidation: false });
  expect(quote.minBuyAmount).toBe((quote.buyAmount * (FRACTION_ONE - quote.slippage)) / FRACTION_ONE);
  expect((await execute(world, quote, taker)).bought).toBe(quote.buyAmount);

  const losses = changes.map((change) => Math.max(0, -change));
  const figures = {
    quotes: changes.length,
    failed: failed.auto / changes.length,
    failedFixed: Object.fromEntries(FIXED.map((slippage, at) => [slippage, failed.fixed[at]! / changes.length])),
    meanAuto: mean(autos),
    meanExpected: mean(expected),
    meanLoss: mean(losses),
    meanSurplus: mean(changes.map((change) => Math.max(0, change))),
    worst: Math.max(...losses),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.failed).toBeLessThan(0.02);
  // A fixed slippage that loses as few would have to be larger for quiet pairs.
  expect(figures.meanAuto).toBeLessThan(0.02);
  expect(figures.meanExpected / figures.meanLoss).toBeGreaterThan(0.5);
  expect(figures.meanExpected / figures.meanLoss).toBeLessThan(3);
});
