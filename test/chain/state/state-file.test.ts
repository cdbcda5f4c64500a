import assert from "node:assert";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readStateFile, type SavedState, writeStateFile } from "../../../src/chain/state/state-file.ts";
import type { Address } from "../../../src/domain/address.ts";
import { pair, tokenAt } from "../../market/pairs.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-state-"));
afterAll(() => rmSync(folder, { recursive: true }));

const identity = { chainId: 1, venues: "v" };
const block = { number: 7n, hash: "0x07", parentHash: "0x06", timestamp: 1_000n } as const;

function stateOf(count: number): SavedState {
  return {
    block,
    sources: ["Test"],
    pools: Array.from({ length: count }, (_, index) => ({
      source: "Test",
      ref: { id: `p${index}`, address: `0x${index}` as Address, tokens: [tokenAt(0), tokenAt(1)], terms: { fee: "3" } },
      pool: index % 3 === 0 ? undefined : pair(`p${index}`, tokenAt(0), tokenAt(1), BigInt(index) ** 20n, 6n),
    })),
  };
}

describe("a state's file", () => {
  it("gives back what was written", async () => {
    const path = join(folder, "whole", "state");
    for (const count of [0, 1, 5_000]) {
      await writeStateFile(path, identity, stateOf(count));
      expect(await readStateFile(path, identity)).toEqual(stateOf(count));
    }
  });

  it("is one of them, whole, when several processes write at once", async () => {
    const path = join(folder, "shared", "state");
    const states = [stateOf(3_000), stateOf(2_000), stateOf(1_000)];
    for (let round = 0; round < 5; round++) {
      await Promise.all(states.map((state) => writeStateFile(path, identity, state)));
      expect(states).toContainEqual(await readStateFile(path, identity));
    }
    expect(readdirSync(join(folder, "shared"))).toEqual(["state"]);
  });

  it("leaves nothing else behind: neither what could not be written nor what a process that died had begun", async () => {
    const path = join(folder, "alone", "state");
    await writeStateFile(path, identity, stateOf(2));
    const begun = ["state.draft", "state.a.draft", "state.b.draft", "other.draft"].map((name) =>
      join(path, "..", name),
    );
    for (const file of begun) writeFileSync(file, "");
    const dead = Date.now() / 1_000 - 7_200;
    for (const file of [...begun.slice(0, 2), ...begun.slice(3)]) utimesSync(file, dead, dead);
    const broken = { ...stateOf(2), sources: new Proxy([], { get: () => assert.fail("broken") }) };
    await expect(writeStateFile(path, identity, broken)).rejects.toThrow("broken");
    await writeStateFile(path, identity, stateOf(2));
    expect(readdirSync(join(path, "..")).toSorted()).toEqual(["other.draft", "state", "state.b.draft"]);
  });

  it("keeps every plain value, whatever it is", async () => {
    const path = join(folder, "values");
    const text = fc.oneof(
      fc.string(),
      fc.string().map((tail) => `#${tail}`),
      fc.constantFrom("#u", "##u", "#1", "# 1"),
    );
    const leaf = fc.oneof(text, fc.bigInt(), fc.integer(), fc.boolean(), fc.constant(undefined), fc.constant(null));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("any")),
        fc.dictionary(fc.stringMatching(/^[a-z]+$/), tie("any"), { noNullPrototype: true }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(value, async (state) => {
        const [only] = stateOf(2).pools.slice(1);
        const saved = {
          block,
          sources: ["Test"],
          pools: [{ ...only!, pool: { ...only!.pool!, state } }],
        } as unknown as SavedState;
        await writeStateFile(path, identity, saved);
        expect(await readStateFile(path, identity)).toStrictEqual(saved);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  it("is undefined where there is none", async () => {
    expect(await readStateFile(join(folder, "none"), identity)).toBeUndefined();
  });

  it("is not believed when a byte of it has changed or is missing", async () => {
    const path = join(folder, "damaged");
    await writeStateFile(path, identity, stateOf(5));
    const whole = readFileSync(path);
    // But for the end of its last line, which says nothing.
    for (let at = 0; at < whole.length - 1; at += 7) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 1;
      writeFileSync(path, changed);
      await expect(readStateFile(path, identity), `byte ${at}`).rejects.toThrow();
      writeFileSync(path, whole.subarray(0, at));
      await expect(readStateFile(path, identity), `cut at ${at}`).rejects.toThrow();
    }
  });

  it("is not of use to another chain, or to other venues", async () => {
    const path = join(folder, "other");
    await writeStateFile(path, identity, stateOf(2));
    await expect(readStateFile(path, { ...identity, chainId: 2 })).rejects.toThrow("another chain");
    await expect(readStateFile(path, { ...identity, venues: "w" })).rejects.toThrow("venues have changed");
  });
});
