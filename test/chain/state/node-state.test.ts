import { encodeFunctionData, parseAbi } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { type Chain, startChain } from "../../../src/chain/chain.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createSources } from "../../../src/venues/index.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { until } from "../blocks/following.ts";

const FOREVER = (1n << 255n) - 1n;
const routers = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params)",
  "function approve(address spender, uint256 amount)",
]);

const devnet = useDevnet();
let chain: Chain | undefined;
let snapshots = 0;

beforeEach(async () => {
  snapshots = 0;
  chain = await open();
  chain.onSnapshot(() => {
    snapshots += 1;
  });
});

afterEach(async () => {
  await chain?.stop();
});

function open(): Promise<Chain> {
  const { chain: record, rpcUrl, wsUrl, tokens } = devnet();
  return startChain({
    record,
    rpcUrls: [rpcUrl],
    wsUrls: [wsUrl],
    sources: createSources(record),
    tokens,
    freshness: { confirmedWithinMs: 30_000, blockAgeMs: undefined },
    logger: createLogger("silent"),
    explainRevert: (data) => data,
    pollIntervalMs: 20,
  });
}

/** The snapshot of the node's newest block, once it is there. */
async function newest(of: Chain): Promise<Snapshot> {
  const head = await devnet().rpc<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  let found: Snapshot | undefined;
  await until(() => {
    const current = of.market.current();
    found = "snapshot" in current ? current.snapshot : undefined;
    return found?.block.hash === head.hash;
  });
  return found!;
}

function poolsOf(snapshot: Snapshot): ReadonlyMap<string, Pool> {
  const pools = [...snapshot.tokens].flatMap((token) => snapshot.graph.poolsOf(token));
  return new Map(pools.map((pool): [string, Pool] => [pool.id, pool]).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** State of each source, with its left-out pools. */
function sourcesOf({ sources }: Snapshot) {
  return [...sources].map(([id, { leftOut, ...state }]) => ({ id, ...state, leftOut: leftOut?.() }));
}

/** Compares the followed pools with a fresh start's. */
async function expectFreshRead(): Promise<ReadonlyMap<string, Pool>> {
  const followed = poolsOf(await newest(chain!));
  const fresh = await open();
  try {
    const read = await newest(fresh);
    expect(followed).toEqual(poolsOf(read));
    expect(sourcesOf(await newest(chain!))).toEqual(sourcesOf(read));
  } finally {
    await fresh.stop();
  }
  expect(followed.size).toBeGreaterThan(60);
  expect(chain!.status()).toMatchObject({ resyncs: 0, quarantined: new Map(), phase: "following" });
  return followed;
}

/** A trade of the whale's with a V2 pair or a V3 pool, chosen by `random`; the caller mines. */
async function trade(random: () => number): Promise<void> {
  const { contracts, whale, rpc } = devnet();
  const pools = [...poolsOf(await newest(chain!)).values()].filter(({ source }) => /^Uniswap_V[23]$/.test(source));
  const pool = pools[Math.floor(random() * pools.length)]!;
  const [tokenIn, tokenOut] = (random() < 0.5 ? pool.tokens : [...pool.tokens].reverse()) as [Address, Address];
  const balance = BigInt(await rpc<Hex>("eth_call", [{ to: tokenIn, data: balanceOf(pool.id) }, "latest"]));
  const amountIn = balance / BigInt(5 + Math.floor(random() * 50)) + 1n;
  const router = pool.curve === "concentrated" ? contracts.swapRouter : contracts.uniswapV2Router;
  const approval = encodeFunctionData({ abi: routers, functionName: "approve", args: [router, FOREVER] });
  const data =
    pool.curve === "concentrated"
      ? encodeFunctionData({
          abi: routers,
          functionName: "exactInputSingle",
          args: [
            {
              tokenIn,
              tokenOut,
              fee: pool.state.feePpm,
              recipient: whale,
              deadline: FOREVER,
              amountIn,
              amountOutMinimum: 0n,
              sqrtPriceLimitX96: 0n,
            },
          ],
        })
      : encodeFunctionData({
          abi: routers,
          functionName: "swapExactTokensForTokens",
          args: [amountIn, 0n, [tokenIn, tokenOut], whale, FOREVER],
        });
  for (const [to, call] of [
    [tokenIn, approval],
    [router, data],
  ]) {
    await rpc("eth_sendTransaction", [{ from: whale, to, data: call, gas: "0x4c4b40" }]);
  }
}

function balanceOf(owner: string): Hex {
  return `0x70a08231${owner.slice(2).padStart(64, "0")}`;
}

async function mineTrades(random: () => number, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await trade(random);
    await trade(random);
    await devnet().mine();
  }
}

describe("memory is what a fresh read of the node says", () => {
  it("after blocks with trades", async () => {
    const before = poolsOf(await newest(chain!));
    await mineTrades(createRandom(1).unit, 8);
    const after = await expectFreshRead();
    const changed = [...after].filter(([id, pool]) => before.get(id) !== pool).map(([, pool]) => pool.source);
    expect(changed.filter((source) => source === "Uniswap_V3").length).toBeGreaterThan(2);
    expect(changed.filter((source) => source === "Uniswap_V2").length).toBeGreaterThan(1);
    expect(snapshots).toBeGreaterThan(3);
  });

  it.each([1, 3, 6])("after anvil_reorg of %i blocks", async (depth) => {
    await mineTrades(createRandom(depth).unit, 7);
    const before = poolsOf(await newest(chain!));
    await devnet().rpc("anvil_reorg", [depth, []]);
    const after = await expectFreshRead();
    expect([...after].filter(([id, pool]) => before.get(id) !== pool).length).toBeGreaterThan(0);
  });

  it("after anvil_rollback, which no head announces, and after the other blocks that follow", async () => {
    await mineTrades(createRandom(11).unit, 6);
    const before = await newest(chain!);
    await devnet().rpc("anvil_rollback", [4]);
    await expectFreshRead();
    expect((await newest(chain!)).block.number).toBe(before.block.number - 4n);
    await mineTrades(createRandom(12).unit, 3);
    await expectFreshRead();
  });

  it("after evm_revert", async () => {
    const snapshot = await devnet().snapshot();
    const before = poolsOf(await newest(chain!));
    await mineTrades(createRandom(13).unit, 5);
    await newest(chain!);
    await devnet().revert(snapshot);
    expect(await expectFreshRead()).toEqual(before);
  });
});
