import { erc20Abi, multicall3Abi, numberToHex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { BLOCKS_AFTER_LOADING, type Devnet, startDevnet } from "../../src/devnet/devnet.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import { TOKENS, WRAPPED_NATIVE } from "../../src/devnet/plan/catalog.ts";
import { startTestDevnet, useDevnet } from "../support/worlds/devnet.ts";
import { type ChainPool, clientOf, readPools } from "./read-pools.ts";

describe("the devnet", () => {
  const devnet = useDevnet();
  let pools: readonly ChainPool[];
  beforeAll(async () => {
    pools = await readPools(devnet());
  });
  const address = (symbol: string) => devnet().tokens.find((token) => token.symbol === symbol)!.address;

  it("has the tokens that it names, with 6, 8 and 18 decimals", async () => {
    const client = clientOf(devnet());
    const { tokens, whale } = devnet();
    expect(tokens.length).toBeGreaterThanOrEqual(12);
    expect(new Set(tokens.map((token) => token.symbol)).size).toBe(tokens.length);
    expect(new Set(tokens.map((token) => token.decimals))).toEqual(new Set([6, 8, 18]));
    for (const token of tokens) {
      const contract = { address: token.address, abi: erc20Abi } as const;
      expect(await client.readContract({ ...contract, functionName: "decimals" })).toBe(token.decimals);
      expect(await client.readContract({ ...contract, functionName: "symbol" })).toBe(token.symbol);
      expect(await client.readContract({ ...contract, functionName: "balanceOf", args: [whale] })).toBeGreaterThan(
        10n ** BigInt(token.decimals + 3),
      );
      // WETH9 has its name from its makers.
      if (token.symbol !== WRAPPED_NATIVE.symbol)
        expect(await client.readContract({ ...contract, functionName: "name" })).toBe(token.name);
    }
  });

  it("has one token that returns nothing", async () => {
    const returnless = TOKENS.filter((token) => token.returnless).map((token) => token.symbol);
    expect(returnless).toHaveLength(1);
    for (const { symbol, address: to } of devnet().tokens) {
      const data = `0xa9059cbb${"0".repeat(62)}01${"0".repeat(63)}1`;
      const answer = await devnet().rpc("eth_call", [{ from: devnet().whale, to, data }, "latest"]);
      expect(answer, symbol).toBe(returnless.includes(symbol) ? "0x" : `0x${"1".padStart(64, "0")}`);
    }
  });

  it("has at least sixty pools, all with liquidity, on every venue and in every fee tier", () => {
    expect(pools.length).toBeGreaterThanOrEqual(60);
    expect(pools.filter((pool) => pool.state.some((part) => part === 0n))).toEqual([]);
    const count = (wanted: (pool: ChainPool) => boolean) => pools.filter(wanted).length;
    const leasts = { Uniswap_V2: 15, PancakeSwap_V2: 15, Uniswap_V3: 15, PancakeSwap_V3: 8 };
    for (const [source, least] of Object.entries(leasts))
      expect(
        count((pool) => pool.source === source),
        source,
      ).toBeGreaterThanOrEqual(least);
    for (const fee of [100, 500, 3000, 10_000])
      expect(
        count((pool) => pool.fee === fee),
        String(fee),
      ).toBeGreaterThanOrEqual(5);
  });

  it("has pairs that trade on all venues and in all tiers at prices that differ a little", () => {
    const [a, b] = [address("WETH"), address("USDH")];
    const same = pools.filter(
      (pool) => [pool.token0, pool.token1].includes(a) && [pool.token0, pool.token1].includes(b),
    );
    expect(same.map((pool) => `${pool.source} ${pool.fee ?? ""}`.trim()).sort()).toEqual(
      [
        "PancakeSwap_V2",
        "PancakeSwap_V3 2500",
        "Uniswap_V2",
        "Uniswap_V3 100",
        "Uniswap_V3 10000",
        "Uniswap_V3 3000",
        "Uniswap_V3 500",
      ].sort(),
    );
    const prices = same.map(priceOf);
    expect(new Set(prices).size).toBe(prices.length);
    const spread = Math.max(...prices) / Math.min(...prices) - 1;
    expect(spread).toBeGreaterThan(0.0005);
    expect(spread).toBeLessThan(0.005);
  });

  it("has positions that overlap, over borders between words of the tick bitmap, near the price too", () => {
    const concentrated = pools.filter((pool) => pool.fee !== undefined);
    let nearBorder = 0;
    for (const { positions, tickSpacing, state } of concentrated) {
      const word = 256 * tickSpacing!;
      const tick = Number(state[1]);
      expect(positions.length).toBeGreaterThanOrEqual(5);
      expect(positions.filter(([lower, upper]) => lower <= tick && tick < upper).length).toBeGreaterThanOrEqual(4);
      expect(positions.some(([lower, upper]) => tick < lower || upper <= tick)).toBe(true);
      expect(new Set(positions.flat().map((index) => Math.floor(index / word))).size).toBeGreaterThanOrEqual(3);
      // Within five percent of the price.
      if (Math.abs(tick - Math.round(tick / word) * word) < 488) nearBorder++;
    }
    expect(nearBorder).toBeGreaterThanOrEqual(15);
  });

  it("has tokens that are one, two and three swaps away from the wrapped native token", () => {
    const distance = new Map([[devnet().chain.wrappedNative as string, 0]]);
    for (let hops = 1; hops <= 3; hops++)
      for (const { token0, token1 } of pools)
        for (const [from, to] of [
          [token0, token1],
          [token1, token0],
        ] as const)
          if (distance.get(from) === hops - 1 && !distance.has(to)) distance.set(to, hops);
    const at = (hops: number) => devnet().tokens.filter((token) => distance.get(token.address) === hops);
    expect([at(0).length, at(1).length, at(2).length, at(3).length]).toEqual([1, 11, 3, 1]);
  });

  it("has Multicall3 and the CREATE2 deployer where every chain has them, and a quoter that quotes", async () => {
    const client = clientOf(devnet());
    const { multicall3 } = devnet().chain;
    expect(multicall3).toBe("0xca11bde05977b3631167028862be2a173976ca11");
    const timestamp = client.readContract({
      address: multicall3,
      abi: multicall3Abi,
      functionName: "getCurrentBlockTimestamp",
    });
    expect(await timestamp).toBe((await client.getBlock()).timestamp);
    expect(await client.getCode({ address: "0x4e59b44847b379578588920cA78FbF26c0B4956C" })).toMatch(/^0x[0-9a-f]{100}/);
    expect(await client.getChainId()).toBe(devnet().chain.chainId);
    const { result } = await client.simulateContract({
      address: devnet().contracts.quoterV2,
      abi: bundled("QuoterV2").abi,
      functionName: "quoteExactInputSingle",
      args: [
        { tokenIn: address("WETH"), tokenOut: address("USDH"), amountIn: 10n ** 18n, fee: 500, sqrtPriceLimitX96: 0n },
      ],
    });
    const [amountOut] = result as readonly bigint[];
    expect(Number(amountOut) / 1e6).toBeGreaterThan(2_100);
    expect(Number(amountOut) / 1e6).toBeLessThan(2_150);
  });

  it("is the same seeded anew and from its kept state: blocks, balances and pools", async () => {
    const options = { port: 0, traffic: false, blockTimeSeconds: undefined };
    // The file's own devnet has left a seeded state for the second one.
    const [one, other] = await Promise.all([startDevnet(options), startTestDevnet()]);
    try {
      await createJsonRpc(one.rpcUrl).call("anvil_mine", [numberToHex(BLOCKS_AFTER_LOADING)]);
      const [first, second] = await Promise.all([one, other].map(fingerprint));
      expect(first).toEqual(second);
      expect(first!.pools).toEqual(pools);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});

/** Its newest block has the root of all its state. */
async function fingerprint(devnet: Devnet) {
  const { chain, contracts, tokens, whale, deployer } = devnet;
  const client = clientOf(devnet);
  const holdings = { abi: erc20Abi, functionName: "balanceOf", args: [whale] } as const;
  return {
    ...{ chain, contracts, tokens, whale, deployer: deployer.address },
    block: await client.getBlock(),
    balances: await Promise.all(tokens.map(({ address }) => client.readContract({ address, ...holdings }))),
    pools: await readPools(devnet),
  };
}

/** Base units of token1 for one of token0. */
function priceOf({ fee, state }: ChainPool): number {
  return fee === undefined ? Number(state[1]) / Number(state[0]) : (Number(state[0]) / 2 ** 96) ** 2;
}
