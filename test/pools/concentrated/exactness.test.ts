import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { uniswapV3 } from "../../../src/venues/uniswap-v3/source.ts";
import {
  type Asked,
  type ConcentratedVenue,
  concentratedExactness,
  expectCovered,
} from "../../support/suites/concentrated-exactness.ts";
import { deployAlgebra } from "../../venues/worlds/algebra/integral.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { deployPancakeV3 } from "../../venues/worlds/brands/pancake-v3.ts";
import { deployInfinity } from "../../venues/worlds/singletons/infinity.ts";
import { deployV4 } from "../../venues/worlds/singletons/v4.ts";
import { deployV3, initialize, quoterAbi, setProtocolFee, type V3World } from "../../venues/worlds/v3.ts";

/** Our numbers against the venues' own contracts, at the same state. */

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 40 : 3;
/** A fork has the same curve: fewer quotes show that it has. */
const FORK_ROUNDS = LONG ? 60 : 2;

test("Uniswap V3: QuoterV2's to the wei, over many ticks, words and gaps", async ({ annotate }) => {
  const venue = uniswapVenue(await deployV3(anvil));
  const seen = await concentratedExactness(anvil, venue, { protocol: "uniswap-v3", rounds: ROUNDS, seed: 20_261 });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, venue, ROUNDS);
  expect(seen.words / seen.quotes).toBeGreaterThan(0.1);
});

test("PancakeSwap V3: the pool's own to the wei", async ({ annotate }) => {
  const venue = await deployPancakeV3(anvil);
  const seen = await concentratedExactness(anvil, venue, {
    protocol: "pancakeswap-v3",
    rounds: FORK_ROUNDS,
    seed: 20_273,
  });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, venue, FORK_ROUNDS);
  expect(seen.words / seen.quotes).toBeGreaterThan(0.1);
});

test("Uniswap V4: V4Quoter's to the wei, with fees of the protocol and of hooks", async ({ annotate }) => {
  const venue = await deployV4(anvil);
  const seen = await concentratedExactness(anvil, venue, { protocol: "uniswap-v4", rounds: FORK_ROUNDS, seed: 20_264 });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, venue, FORK_ROUNDS);
  expect(seen.words / seen.quotes).toBeGreaterThan(0.1);
});

test("PancakeSwap Infinity: our contract's to the wei, with fees of the protocol and of hooks", async ({
  annotate,
}) => {
  const venue = await deployInfinity(anvil);
  const rounds = FORK_ROUNDS;
  const seen = await concentratedExactness(anvil, venue, { protocol: "infinity-cl", rounds, seed: 20_282 });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, venue, rounds);
  expect(seen.words / seen.quotes).toBeGreaterThan(0.1);
});

test("Algebra: the pool's own to the wei, from tick to tick", async ({ annotate }) => {
  const venue = await deployAlgebra(anvil);
  const rounds = 4 * FORK_ROUNDS;
  const seen = await concentratedExactness(anvil, venue, { protocol: "algebra", rounds, seed: 20_270 });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, venue, rounds);
});

function uniswapVenue(world: V3World): ConcentratedVenue {
  const source = uniswapV3({ protocol: "uniswap-v3", source: "V3", factory: world.factory, fromBlock: 0n });
  const functionOf = ({ exactIn }: Asked) => (exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle");
  const tokensOf = (tokens: readonly Address[], zeroForOne: boolean) =>
    (zeroForOne ? tokens : tokens.toReversed()) as readonly [Address, Address];
  return {
    source,
    spenders: [world.manager, world.router],
    // Far trades over spacing 1 read thousands of words each in the real contract: fewer of them.
    tiers: [
      { fee: 100, spacing: 1, quotes: 15 },
      { fee: 500, spacing: 10, quotes: 75 },
      { fee: 3000, spacing: 60, quotes: 90 },
      { fee: 10000, spacing: 200, quotes: 90 },
    ],
    async create(tokens, fee, price) {
      const address = await world.createPool(tokens, fee);
      await initialize(anvil, address, price);
      await anvil.mine();
      return { id: address, address, tokens, terms: { fee: String(fee) } };
    },
    mint: ({ tokens, terms }, lower, upper, size) =>
      world.mint(tokens as [Address, Address], Number(terms.fee), lower, upper, [size, size]),
    swapExactIn: ({ tokens, terms }, zeroForOne, amount) =>
      world.swapExactIn(...tokensOf(tokens, zeroForOne), Number(terms.fee), amount),
    disturb: ({ address }) => setProtocolFee(anvil, address),
    quote({ tokens, terms }, asked) {
      const [tokenIn, tokenOut] = tokensOf(tokens, asked.zeroForOne);
      const amount = asked.exactIn ? { amountIn: asked.amount } : { amount: asked.amount };
      const params = { tokenIn, tokenOut, ...amount, fee: Number(terms.fee), sqrtPriceLimitX96: 0n };
      const call = { abi: quoterAbi as Abi, functionName: functionOf(asked), args: [params] };
      return { to: world.quoter, data: encodeFunctionData(call) };
    },
    decode(asked, data) {
      const [amount, sqrtPriceX96] = decodeFunctionResult({
        ...{ abi: quoterAbi as Abi, functionName: functionOf(asked), data },
      }) as [bigint, bigint];
      return { amount, sqrtPriceX96 };
    },
  };
}
