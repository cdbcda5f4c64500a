import { describe, expect, it, vi } from "vitest";
import { startDevnet } from "../../src/devnet/devnet.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import { createTrader, fundTrader } from "../../src/devnet/traffic/trader.ts";
import { toAddress } from "../../src/domain/address.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { readPools } from "./read-pools.ts";

interface Receipt {
  readonly to: string;
  readonly status: string;
  readonly logs: readonly { readonly topics: readonly string[] }[];
}

const options = { port: 0, traffic: true, logger: createLogger("silent") } as const;

describe("background trades", () => {
  it("move prices on every venue and change liquidity, block by block, without a failure", async () => {
    const devnet = await startDevnet({ ...options, traffic: false, blockTimeSeconds: undefined });
    try {
      const rpc = createJsonRpc(devnet.rpcUrl);
      const { whale, trader: account } = devnetAccounts();
      const layout = devnetLayout(whale);
      await fundTrader(rpc, layout, whale, account);
      const trader = createTrader(rpc, layout, account);
      const before = await readPools(devnet);
      const receipts: Receipt[] = [];
      for (let block = 0; block < 40; block++) {
        await trader.trade();
        await rpc.call("evm_mine");
        receipts.push(...(await rpc.call<readonly Receipt[]>("eth_getBlockReceipts", ["latest"])));
      }
      expect(receipts.filter((receipt) => receipt.status !== "0x1")).toEqual([]);

      const after = await readPools(devnet);
      const moved = after.filter((pool, index) => pool.state.join() !== before[index]!.state.join());
      expect(moved.length).toBeGreaterThan(after.length / 2);
      expect(new Set(moved.map((pool) => pool.source))).toEqual(
        new Set(["Uniswap_V2", "PancakeSwap_V2", "Uniswap_V3"]),
      );

      const to = (address: string) => receipts.filter((receipt) => toAddress(receipt.to) === address);
      expect(to(devnet.contracts.swapRouter).length).toBeGreaterThan(10);
      expect(to(devnet.contracts.uniswapV2Router).length).toBeGreaterThan(10);
      expect(to(devnet.contracts.positionManager).length).toBeGreaterThan(2);
      const highest = Math.max(...after.map((pool, index) => change(pool.state, before[index]!.state)));
      expect(highest).toBeLessThan(0.2);
    } finally {
      await devnet.stop();
    }
  });

  it("go on by themselves when blocks come by the clock, and the head has the time of now", async () => {
    const devnet = await startDevnet({ ...options, blockTimeSeconds: 1 });
    try {
      const rpc = createJsonRpc(devnet.rpcUrl);
      const head = () =>
        rpc.call<{ timestamp: string; transactions: string[] }>("eth_getBlockByNumber", ["latest", false]);
      await vi.waitFor(async () => expect((await head()).transactions.length).toBeGreaterThan(0), { timeout: 20_000 });
      expect(Math.abs(Number((await head()).timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    } finally {
      await devnet.stop();
    }
  });

  it("say what went wrong and survive the end of the node", async () => {
    const lines: string[] = [];
    const logger = createLogger("warn", { write: (line) => lines.push(line) });
    const devnet = await startDevnet({ ...options, logger, blockTimeSeconds: undefined });
    try {
      process.kill(devnet.pid, "SIGKILL");
      await devnet.exited;
      await vi.waitFor(() => expect(lines.join("")).toContain("a background trade of the devnet failed"), {
        timeout: 10_000,
      });
    } finally {
      await devnet.stop();
    }
  });
});

/** Relative change of the price. */
function change(after: readonly bigint[], before: readonly bigint[]): number {
  const price = (state: readonly bigint[]) =>
    state.length === 2 ? Number(state[1]) / Number(state[0]) : Number(state[0]) ** 2;
  return Math.abs(price(after) / price(before) - 1);
}
