import assert from "node:assert";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readStateFile, writeStateFile } from "../../../src/chain/state/state-file.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { KeptState } from "../../../src/snapshot/kept-state.ts";
import { pair, tokenAt } from "../../market/pairs.ts";
import { anyAddress, anyHash, anySavedPool, savedKinds } from "../../support/saved-pools.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-state-"));
afterAll(() => rmSync(folder, { recursive: true }));

const identity = { chainId: 1, terms: (source: string) => `terms of ${source}` };
const block = { number: 7n, hash: "0x07", parentHash: "0x06", timestamp: 1_000n } as const;

function stateOf(count: number): KeptState {
  return {
    block,
    tip: { ...block, number: block.number + 64n },
    sources: ["Test"],
    pools: Array.from({ length: count }, (_, index) => {
      const state = pair(`p${index}`, tokenAt(0), tokenAt(1), BigInt(index) ** 20n, 6n);
      return {
        source: "Test",
        ref: { id: `p${index}`, address: `0x${index}` as Address, tokens: state.tokens, terms: { fee: "3" } },
        pool: index % 3 === 0 ? undefined : state,
        ...(index % 6 === 0 && { atTip: state }),
      };
    }),
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

  it("gives back pools of sources that were not searched, while their terms are the same", async () => {
    const path = join(folder, "unsearched", "state");
    await writeStateFile(path, identity, { ...stateOf(3), sources: ["Other"] });
    expect(await readStateFile(path, identity)).toEqual({ ...stateOf(3), sources: ["Other"] });
    const edited = { ...identity, terms: (source: string) => (source === "Test" ? "new" : identity.terms(source)) };
    expect(await readStateFile(path, edited)).toEqual({ ...stateOf(0), sources: ["Other"] });
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

  it("keeps every state of every curve, whatever else is known of a pool", async () => {
    const path = join(folder, "curves");
    const name = fc.string().filter((text) => text !== "__proto__");
    const saved = fc.record(
      {
        source: name,
        ref: fc.record({
          id: fc.string(),
          address: anyAddress,
          tokens: fc.array(anyAddress),
          terms: fc.dictionary(name, fc.string(), { noNullPrototype: true }),
        }),
        pool: fc.option(
          fc.tuple(anySavedPool, fc.option(fc.array(anyAddress, { minLength: 1 }))).map(([pool, controllers]): Pool => {
            return { ...pool, ...(controllers && { controllers }) };
          }),
          { nil: undefined },
        ),
        asleep: fc.constant(true as const),
      },
      { requiredKeys: ["source", "ref", "pool"] },
    );
    const number = fc.bigInt(0n, 2n ** 64n - 1n);
    const state: fc.Arbitrary<KeptState> = fc.record(
      {
        block: fc.record({ number, hash: anyHash, parentHash: anyHash, timestamp: number }),
        pools: fc.array(saved, { maxLength: 8 }),
        sources: fc.array(name),
        deepSince: fc.array(fc.tuple(anyAddress, number), { minLength: 1 }),
        searches: fc.array(fc.record({ sources: fc.array(name, { minLength: 1 }), next: number, to: number }), {
          minLength: 1,
        }),
      },
      { requiredKeys: ["block", "pools", "sources"] },
    );
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(state, async (kept) => {
        await writeStateFile(path, identity, kept);
        expect(await readStateFile(path, identity)).toStrictEqual(structuredClone(kept));
        for (const { pool } of kept.pools) seen.add(pool?.curve ?? "none");
      }),
      { seed: 11, numRuns: 60 },
    );
    expect(seen).toEqual(new Set([...savedKinds, "none"]));
  });

  it("is undefined where there is none", async () => {
    expect(await readStateFile(join(folder, "none"), identity)).toBeUndefined();
  });

  it("is not believed when a byte of it has changed or is missing", async () => {
    const path = join(folder, "damaged");
    await writeStateFile(path, identity, stateOf(5));
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 7) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 1;
      const told = at < "tributary state 9\n".length ? "another version" : "damaged";
      writeFileSync(path, changed);
      await expect(readStateFile(path, identity), `byte ${at}`).rejects.toThrow(told);
      writeFileSync(path, whole.subarray(0, at));
      await expect(readStateFile(path, identity), `cut at ${at}`).rejects.toThrow(told);
    }
  });

  it("is damaged, whatever its entries seem to say, also where they end long before it", async () => {
    const path = join(folder, "damaged-early");
    await writeStateFile(path, identity, stateOf(5_000));
    const whole = readFileSync(path);
    const at = whole.indexOf("Test");
    for (const byte of [at - 1, at, whole.length - 1]) {
      writeFileSync(path, whole.with(byte, whole[byte]! ^ 0x7f));
      for (const chainId of [1, 2])
        await expect(readStateFile(path, { ...identity, chainId })).rejects.toThrow("damaged");
    }
  });

  it("of an earlier version is refused as such", async () => {
    const path = join(folder, "earlier");
    writeFileSync(
      path,
      `${JSON.stringify({ version: 7, chainId: 1, venues: "v", block: {}, sources: [], pools: 0 })}\n`,
    );
    await expect(readStateFile(path, identity)).rejects.toThrow("another version");
    await writeStateFile(path, identity, stateOf(2));
    writeFileSync(path, Buffer.from(readFileSync(path, "latin1").replace(/state \d+\n/, "state 9\n"), "latin1"));
    expect(readFileSync(path, "latin1")).toMatch(/^tributary state 9\n/);
    await expect(readStateFile(path, identity)).rejects.toThrow("another version");
  });

  it("keeps of a venue that was edited nothing, and of all others everything", async () => {
    const path = join(folder, "edited");
    const [pool] = stateOf(1).pools;
    const kept: KeptState = {
      ...{ block, sources: ["Edited", "Same"] },
      pools: [
        { ...pool!, source: "Edited" },
        { ...pool!, source: "Same" },
      ],
      searches: [
        { sources: ["Edited", "Same"], next: 1n, to: 5n },
        { sources: ["Edited"], next: 6n, to: 7n },
      ],
      refused: [
        { source: "Edited", reason: "UNKNOWN_HOOKS", pools: 3 },
        { source: "Same", reason: "UNKNOWN_HOOKS", pools: 4 },
      ],
    };
    await writeStateFile(path, identity, kept);
    const edited = { ...identity, terms: (source: string) => (source === "Edited" ? "new" : identity.terms(source)) };
    expect(await readStateFile(path, edited)).toEqual({
      ...{ block, sources: ["Same"], pools: [{ ...pool!, source: "Same" }] },
      searches: [{ sources: ["Same"], next: 1n, to: 5n }],
      refused: [{ source: "Same", reason: "UNKNOWN_HOOKS", pools: 4 }],
    });
  });

  it("is not of use to another chain", async () => {
    const path = join(folder, "other");
    await writeStateFile(path, identity, stateOf(5_000));
    await expect(readStateFile(path, { ...identity, chainId: 2 })).rejects.toThrow("another chain");
  });
});
