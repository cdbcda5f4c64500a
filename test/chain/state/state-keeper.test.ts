import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { createStateKeeper } from "../../../src/chain/state/state-keeper.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { KeptState } from "../../../src/snapshot/kept-state.ts";
import { tokenAt } from "../../market/pairs.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-keeper-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A state whose file has about so many bytes. */
function stateOf(bytes: number): KeptState {
  const terms = { filling: "x".repeat(100_000) };
  return {
    block: { number: 7n, hash: "0x07", parentHash: "0x06", timestamp: 1_000n },
    sources: ["Test"],
    pools: Array.from({ length: bytes / 100_000 }, (_, index) => ({
      source: "Test",
      ref: { id: `p${index}`, address: tokenAt(index), tokens: [tokenAt(0), tokenAt(1)], terms },
      pool: undefined,
    })),
  };
}

it.each([
  ["a small state every minute", 1_000_000, 2_000, 60],
  ["a large one more seldom", 20_000_000, 2_000, 80],
  ["but not too seldom where blocks come fast", 20_000_000, 70, 70],
])("keeps %s", async (_, bytes, blockTimeMs, seconds) => {
  let ms = 0;
  const keeper = createStateKeeper({
    folder,
    record: { ...createFakeChain({ seed: 1 }).record, blockTimeMs },
    clock: { ...systemClock, elapsed: () => ms },
    logger: createLogger("silent"),
  });
  const state = stateOf(bytes);
  await keeper.keep(state);
  let taken = 0;
  const offer = () => {
    keeper.offer(() => {
      taken += 1;
      return undefined;
    });
    return taken;
  };
  ms = 1_000 * seconds - 1;
  expect(offer()).toBe(0);
  ms = 1_010 * seconds;
  expect(offer()).toBe(1);
});
