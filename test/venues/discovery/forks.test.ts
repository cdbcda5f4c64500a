import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readChainFile } from "../../../src/chain/chains/chain-file.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { createSources, VENUES } from "../../../src/venues/index.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { callRouter, deployV2, routerAbi } from "../worlds/v2.ts";
import { deployTokens, deployV3, initialize, quoterAbi } from "../worlds/v3.ts";

/** Forks with Uniswap's own pool contracts are lines of a chain's record: nothing else knows their names. */

let anvil: Anvil;
const folder = mkdtempSync(join(tmpdir(), "tributary-forks-"));

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await anvil?.stop();
});

function sourcesOf(venues: readonly object[], wrappedNative: Address): readonly LiquiditySource[] {
  const file = join(folder, "chain.json");
  const chain = {
    ...{ chainId: 31_337, name: "Forks", native: { symbol: "ETH", name: "Ether" }, wrappedNative },
    ...{ multicall3: anvil.multicall, blockTimeMs: 2_000, finalityDepth: 64, venues },
  };
  writeFileSync(file, JSON.stringify(chain));
  return createSources(readChainFile(file, VENUES));
}

async function poolsOf(source: LiquiditySource | undefined) {
  if (source?.creation === undefined) throw new Error("no such source");
  const to = await anvil.head();
  const logs = await anvil.reader.logs({ ...source.creation, fromBlock: 0n, to });
  return source.sync(
    anvil.reader,
    logs.flatMap((log) => source.created?.(log) ?? []),
    to,
  );
}

test("one more V2 fork and one more V3 fork are two lines of a file", async () => {
  const [uniswapV2, sushiV2] = [await deployV2(anvil, "uniswap"), await deployV2(anvil, "uniswap")];
  const [uniswapV3, sushiV3] = [await deployV3(anvil), await deployV3(anvil)];
  const spenders = [uniswapV2.router, sushiV2.router, uniswapV3.manager, sushiV3.manager];
  const tokens = await deployTokens(anvil, spenders);
  for (const [{ router }, second] of [
    [uniswapV2, 10n ** 24n],
    [sushiV2, 2n * 10n ** 24n],
  ] as const) {
    await callRouter(anvil, router, "addLiquidity", [...tokens, 10n ** 24n, second, 0n, 0n]);
  }
  for (const [world, tick] of [
    [uniswapV3, 0],
    [sushiV3, 6_000],
  ] as const) {
    await initialize(anvil, await world.createPool(tokens, 3000), sqrtRatioAtTick(tick));
    await anvil.mine();
    await world.mint(tokens, 3000, tick - 6_000, tick + 6_000, [10n ** 24n, 10n ** 24n]);
  }
  await anvil.mine();

  const sources = sourcesOf(
    [
      {
        protocol: "uniswap-v2",
        source: "Uniswap_V2",
        factory: uniswapV2.factory,
        feeNum: 3,
        feeDen: 1000,
        fromBlock: 0,
      },
      { protocol: "uniswap-v2", source: "SushiSwap", factory: sushiV2.factory, feeNum: 3, feeDen: 1000, fromBlock: 0 },
      { protocol: "uniswap-v3", source: "Uniswap_V3", factory: uniswapV3.factory, fromBlock: 0 },
      { protocol: "uniswap-v3", source: "SushiSwap_V3", factory: sushiV3.factory, fromBlock: 0 },
    ],
    tokens[0],
  );
  const names = ["Uniswap_V2", "SushiSwap", "Uniswap_V3", "SushiSwap_V3"];
  expect(sources.map(({ id }) => id)).toEqual(["Wrapped_Native", ...names]);
  const amounts = new Set<bigint>();
  for (const name of names) {
    const pools = await poolsOf(sources.find(({ id }) => id === name));
    expect(pools.map(({ source }) => source)).toEqual([name]);
    const [pool] = pools;
    const quote = pool && mathOf(pool).quoteExactIn(pool.state, { sell: 0, buy: 1 }, 10n ** 20n, 0n);
    if (quote === undefined || !("amount" in quote)) throw new Error(`${name} does not trade`);
    amounts.add(quote.amount);
    const world = { SushiSwap: sushiV2, SushiSwap_V3: sushiV3 }[name];
    if (world !== undefined) expect(quote.amount).toBe(await theirs(world, tokens));
  }
  expect(amounts.size).toBe(names.length);
});

/** Output of a sale by the fork's own router or quoter. */
async function theirs(
  world: { readonly router: Address; readonly quoter?: Address },
  tokens: readonly [Address, Address],
): Promise<bigint> {
  const [tokenIn, tokenOut] = tokens;
  const params = { tokenIn, tokenOut, amountIn: 10n ** 20n, fee: 3000, sqrtPriceLimitX96: 0n };
  const call =
    world.quoter === undefined
      ? { to: world.router, abi: routerAbi, functionName: "getAmountsOut", args: [10n ** 20n, tokens] as const }
      : { to: world.quoter, abi: quoterAbi, functionName: "quoteExactInputSingle", args: [params] as const };
  const [data] = await anvil.reader.calls([{ to: call.to, data: encodeFunctionData(call) }], await anvil.head());
  const answer = decodeFunctionResult({ ...call, data: data ?? "0x" }) as readonly (bigint | readonly bigint[])[];
  return world.quoter === undefined ? (answer[1] as bigint) : (answer[0] as bigint);
}
