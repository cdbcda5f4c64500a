import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import type { Token } from "../../../src/domain/token.ts";
import { createTimedChain, type Following, follow, type TimedChain } from "../blocks/following.ts";

const BLOCK_MS = 2_000;
const folder = mkdtempSync(join(tmpdir(), "tributary-killed-"));
afterAll(() => rmSync(folder, { recursive: true }));

let following: Following | undefined;
afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** A chain of small and large pairs, and the tokens of its first. */
function grown(seed: number): { readonly fake: TimedChain; readonly tokens: readonly Token[] } {
  const fake = createTimedChain({ seed, pairs: 3, dust: true });
  const tokens = [...fake.head.pairs.values()].flatMap(({ tokens: held }) => held);
  for (let block = 0; block < 600; block++) fake.mine({ trades: 1, pairs: block % 3 === 0 ? 2 : 0 });
  return { fake, tokens: tokens.map((address) => ({ address, symbol: "T", name: "T", decimals: 18 })) };
}

async function mine(fake: TimedChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    fake.mine({ trades: 3 });
    await fake.clock.advance(BLOCK_MS);
  }
}

const status = () => following!.chain.status();
/** The wrapped native token's own pool is among them. */
const known = () => status().pools - 1;

async function restartFrom(fake: TimedChain, tokens: readonly Token[], dataDir: string): Promise<void> {
  await following?.stop();
  following = await follow(fake, { tokens, searchAtOnce: 50n, dataDir, auditedPerBlock: 0 });
  await following.until(() => following!.published.length > 0);
}

it("whenever the process dies, the next one knows every pool in the end, and the small ones sleep", async () => {
  const { fake, tokens } = grown(201);
  const first = join(folder, "first");
  await restartFrom(fake, tokens, first);
  const moments: string[] = [];
  for (let moment = 0; moment < 8; moment++) {
    await mine(fake, 12);
    // The disk at this moment, as a killed process leaves it.
    moments.push(join(folder, `moment-${moment}`));
    cpSync(first, moments.at(-1)!, { recursive: true });
  }
  await following!.until(() => status().discovery === undefined);
  expect(known()).toBe(fake.head.pairs.size);
  const { asleep } = status();
  expect(asleep).toBeGreaterThan(50);
  expect(existsSync(join(moments.at(-1)!, "pools-99.state"))).toBe(true);
  for (const moment of moments) {
    await restartFrom(fake, tokens, moment);
    await mine(fake, 12);
    await following!.until(() => status().discovery === undefined);
    expect(known()).toBe(fake.head.pairs.size);
    expect(status().asleep).toBeGreaterThan(50);
    expect(following!.wrong.filter((text) => text.includes("other reserves"))).toEqual([]);
  }
});

it("searches again what slept in a catalog that is gone, and nothing where it is there", async () => {
  const { fake, tokens } = grown(202);
  const kept = join(folder, "kept");
  await restartFrom(fake, tokens, kept);
  await mine(fake, 60);
  await following!.until(() => status().discovery === undefined);
  const { asleep } = status();
  await following!.stop();
  await restartFrom(fake, tokens, kept);
  expect(status().discovery).toBeUndefined();
  expect([known(), status().asleep]).toEqual([fake.head.pairs.size, asleep]);
  await following!.stop();
  for (const name of readdirSync(kept)) if (name.includes("sqlite")) rmSync(join(kept, name));
  await restartFrom(fake, tokens, kept);
  expect(status().discovery).toBeDefined();
  await mine(fake, 60);
  await following!.until(() => status().discovery === undefined);
  expect(known()).toBe(fake.head.pairs.size);
});

it("wakes what slept before the restart once somebody asks for its token", async () => {
  const { fake, tokens } = grown(203);
  const woken = join(folder, "woken");
  await restartFrom(fake, tokens, woken);
  await mine(fake, 60);
  await following!.until(() => status().discovery === undefined);
  await restartFrom(fake, tokens, woken);
  const { graph } = following!.published.at(-1)!;
  const [id, { tokens: held }] = [...fake.head.pairs].find(([pair]) => graph.pool(pair) === undefined)!;
  void following!.chain.registry.find(held.find((token) => token !== fake.record.wrappedNative)!);
  await mine(fake, 1);
  await following!.caughtUp();
  expect(following!.published.at(-1)!.graph.pool(id)).toMatchObject({
    state: { reserves: fake.head.pairs.get(id)!.reserves },
  });
});
