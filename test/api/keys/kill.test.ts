import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { createKeyCopy } from "../../../src/api/keys/key-copy.ts";
import { parseKeyText } from "../../../src/api/keys/key-text.ts";
import { createDigest, pepperFromFile } from "../../../src/api/keys/pepper.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { openKeyDatabase } from "../../../src/stores/sqlite/key-database.ts";
import { openUsageDatabase } from "../../../src/stores/sqlite/usage-database.ts";

const ROUNDS = process.env.TRIBUTARY_LONG === "1" ? 100 : 4;
const CHILD = fileURLToPath(new URL("kill.child.ts", import.meta.url));

/** Runs the writer until it has said `lines` lines and a moment more, and kills it. */
function runAndKill(folder: string, lines: number, momentMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let killing = false;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (killing || output.split("\n").length <= lines) return;
    killing = true;
    setTimeout(() => child.kill("SIGKILL"), momentMs);
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(output.split("\n").slice(0, -1));
      else reject(new Error(`the writer ended by itself: ${code}`));
    });
  });
}

test(`kill -9 at ${ROUNDS} random moments loses and doubles nothing that was committed`, {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kill-"));
  const random = createRandom(5);
  const said: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    said.push(...(await runAndKill(folder, random.below(30), random.below(20))));
    const digest = createDigest(pepperFromFile(join(folder, "key-pepper")));
    const keys = openKeyDatabase(join(folder, "keys.sqlite"), digest);
    const usage = openUsageDatabase(join(folder, "usage.sqlite"));
    const copy = await createKeyCopy(keys, digest, { logger: createLogger("silent") });

    const texts = said.filter((line) => line.startsWith("key ")).map((line) => line.slice(4));
    const revoked = new Set(said.filter((line) => line.startsWith("revoked ")).map((line) => line.slice(8)));
    const killed = round + 1;
    for (const text of texts) {
      const { id } = parseKeyText(text)!;
      // The last thing before each kill may be committed without having been said.
      const verdict = copy.verify(text);
      if (revoked.has(id)) expect(verdict).toBe("REVOKED");
      else if (verdict !== "REVOKED") expect(verdict).toMatchObject({ keyId: id });
    }
    const told = new Set(texts.map((text) => parseKeyText(text)!.id));
    const kept = await keys.list();
    expect(kept.length - told.size).toBeGreaterThanOrEqual(0);
    expect(kept.length - told.size).toBeLessThanOrEqual(killed);
    expect(kept.filter((key) => key.revokedAt !== null).length - revoked.size).toBeLessThanOrEqual(killed);

    const batches = said.filter((line) => line === "usage").length;
    const rows = await usage.read({ from: 0, until: 1_000 });
    if (batches > 0) expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.units).toBe(row.requests);
      expect(row.requests % 3).toBe(0);
      expect(row.requests).toBe(rows[0]!.requests);
      expect(row.requests / 3 - batches).toBeGreaterThanOrEqual(0);
      expect(row.requests / 3 - batches).toBeLessThanOrEqual(killed);
    }
    copy.stop();
    keys.close();
    usage.close();
  }
  expect(said.length).toBeGreaterThan(ROUNDS * 5);
  rmSync(folder, { recursive: true });
});
