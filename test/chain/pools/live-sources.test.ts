import { afterEach, expect, it } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { createTimedChain, type Following, follow } from "../blocks/following.ts";

let following: Following | undefined;
afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** A chain of some blocks, and the factory of its one venue. */
function grown(seed: number) {
  const fake = createTimedChain({ seed });
  for (let block = 0; block < 30; block++) fake.mine({ pairs: block % 5 === 0 ? 1 : 0 });
  const [venue] = fake.record.venues;
  return { fake, factory: (venue as unknown as { readonly factory: Address }).factory };
}

const statusOf = () => following!.chain.market.sources().get("Fake_V2")?.status;

it("a venue whose factory is deployed after the start is served from the next block on", async () => {
  const { fake, factory } = grown(71);
  fake.removeCode(factory);
  following = await follow(fake);
  await following.until(() => following!.chain.status().phase === "following");
  await fake.clock.advance(4_000);
  expect(statusOf()).toBe("off");
  fake.restoreCode(factory);
  fake.mine({ pairs: 1 });
  await following.until(
    () => following!.published.at(-1)?.block.hash === fake.head.hash && statusOf() === "live",
    10_000,
  );
  expect(following.published.at(-1)?.sources.get("Fake_V2")?.pools).toBe(fake.head.pairs.size);
  fake.mine({ pairs: 1, trades: 3 });
  await following.caughtUp();
  expect(following.chain.status().resyncs).toBe(1);
});

it("a venue whose factory a reorganization took back is off, until it stands again", async () => {
  const { fake, factory } = grown(72);
  following = await follow(fake);
  await following.caughtUp();
  fake.mine();
  await following.caughtUp();
  await fake.clock.advance(1_000);
  expect(statusOf()).toBe("live");
  fake.removeCode(factory);
  fake.mine();
  await following.caughtUp();
  await fake.clock.advance(4_000);
  // The block that showed it is on the chain still.
  expect(statusOf()).toBe("live");
  fake.reorganize(10, 11);
  await following.until(() => statusOf() === "off", 10_000);
  fake.restoreCode(factory);
  fake.mine();
  await following.until(() => statusOf() === "live", 10_000);
  await following.caughtUp();
});
