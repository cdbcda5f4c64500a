import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { readStateFile } from "../../../src/chain/state/state-file.ts";

const KILLS = process.env.TRIBUTARY_LONG === "1" ? 100 : 4;
const LONGEST_LIFE_MS = 400;
const WRITER = fileURLToPath(new URL("./state-writer.ts", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "tributary-kill-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a writer, waits for its first state, kills it some time later. Answers the last state that it told of. */
function writeAndDie(path: string, lifeMs: number): Promise<bigint> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [WRITER, path], { stdio: ["ignore", "pipe", "inherit"] });
    let told = "";
    writer.stdout.on("data", (data) => {
      if (told === "") setTimeout(() => writer.kill("SIGKILL"), lifeMs);
      told += String(data);
    });
    writer.on("error", reject);
    writer.on("close", (_, signal) => {
      if (signal === "SIGKILL") resolve(BigInt(told.trim().split("\n").at(-1)!));
      else reject(new Error("the writer ended by itself"));
    });
  });
}

it("whenever the process is killed, the file holds the last state that was written, whole", async () => {
  const { unit } = createRandom(3);
  const path = join(folder, "state");
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const told = await writeAndDie(path, unit() * LONGEST_LIFE_MS);
    const state = await readStateFile(path, { chainId: 1, terms: () => "v" });
    expect(state!.block.number).toBeGreaterThanOrEqual(told);
    expect(state!.block.number).toBeLessThanOrEqual(told + 1n);
    const round = state!.block.number;
    expect(state!.pools.length).toBe(2_000);
    for (const { pool } of state!.pools)
      expect(pool?.curve === "constant-product" && pool.state.reserves[0]).toBe(round);
    interrupted += 1;
  }
  expect(interrupted).toBe(KILLS);
}, 600_000);
