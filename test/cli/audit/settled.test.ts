import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import type { Devnet } from "../../../src/devnet/devnet.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { startKeptDevnet } from "../../support/worlds/kept-state.ts";
import { cli } from "../cli.ts";

let devnet: Devnet;
let folder: string;
beforeAll(async () => {
  devnet = await startKeptDevnet("seeded", {
    ...{ port: 0, traffic: true, blockTimeSeconds: 1 },
    logger: createLogger("silent"),
  });
  folder = mkdtempSync(join(tmpdir(), "settled-"));
  writeChainFile(join(folder, "chain.json"), { ...devnet.chain, blockTimeMs: 0 });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

it("says what would have been paid for swaps that others made", { timeout: 120_000 }, async () => {
  const environment = {
    RPC_URL: devnet.rpcUrl,
    CHAIN_FILE: join(folder, "chain.json"),
    DATA_DIR: join(folder, "data"),
  };
  const { code, stdout, stderr } = await cli(["audit", "--settled", "--blocks", "4", "--json"], environment);
  expect(code, stderr).toBe(0);
  const { swaps, followed } = JSON.parse(stdout) as {
    followed: number;
    swaps: {
      outcome: string;
      sellAmount: string;
      buyAmount: string;
      ours?: string;
      transaction: string;
      block: string;
    }[];
  };
  expect(followed).toBe(4);
  // The devnet's traders go to one pool each: whoever may use all pools gets more, but for who trades later in a block.
  expect(swaps.filter(({ outcome }) => outcome === "won").length).toBeGreaterThan(0);
  for (const { outcome, ours, buyAmount, transaction } of swaps) {
    expect(transaction).toMatch(/^0x[0-9a-f]{64}$/);
    if (ours === undefined) expect(outcome).toBe("not covered");
    else
      expect(outcome).toBe(
        BigInt(ours) > BigInt(buyAmount) ? "won" : BigInt(ours) < BigInt(buyAmount) ? "lost" : "equal",
      );
  }
});
