import { afterEach, expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { createTimedChain, type Following, follow } from "../blocks/following.ts";

const LOOK_AGAIN_MS = 10 * 60_000;
const RETRY_MS = 30_000;
const at = (digit: number) => toAddress(`0x${String(digit).repeat(40)}`);

let following: Following | undefined;
afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** A source whose pools a contract lists; `asked` has which of them were known, each time. */
function listing(
  list: () => { readonly served: readonly Address[]; readonly refused: readonly Address[] },
  paused: ReadonlySet<string>,
) {
  const asked: string[][] = [];
  const source: LiquiditySource = {
    ...{ id: "Lists", kind: "wrapper", exactOut: true, assurance: "modelled", stateTopics: [] },
    async listed(_chain, known) {
      const { served, refused } = list();
      asked.push([...served, ...refused].filter(known));
      return {
        pools: served.filter((id) => !known(id)).map((id) => ({ id, address: id, tokens: [at(8), at(9)], terms: {} })),
        unserved: new Map(refused.map((id) => [id, "UNKNOWN_VERSION"] as const)),
      };
    },
    async sync(_chain, refs, _at, reportUnserved) {
      for (const { id } of refs) if (paused.has(id)) reportUnserved?.(id, "PAUSED");
      return refs
        .filter(({ id }) => !paused.has(id))
        .map(({ id, tokens }) => ({ id, source: "Lists", tokens, curve: "fixed-rate", state: { gas: 1n } }));
    },
    refresh: async (_chain, pools) => pools,
    apply: (pool) => pool,
    action: () => ({ action: "wrapped-native", wrapped: at(1) }),
    fillData: () => ({}),
  };
  return { source, asked };
}

const stateOf = () => following!.chain.market.sources().get("Lists");
const poolsOf = () => (stateOf()?.pools ?? 0) + (stateOf()?.asleep ?? 0);

it("takes in what contracts list, again and again, and counts what cannot be served", async () => {
  const fake = createTimedChain({ seed: 91 });
  for (let block = 0; block < 20; block++) fake.mine({ pairs: 0 });
  const served = [at(2), at(3), at(5)];
  const refused = [at(6)];
  const paused = new Set<string>([at(5)]);
  let failures = 2;
  const { source, asked } = listing(() => {
    if (failures-- > 0) throw new Error("the list does not answer");
    return { served, refused };
  }, paused);
  following = await follow(fake, { sources: [source] });
  await following.caughtUp();
  expect(poolsOf()).toBe(0);
  // The node failed: the list is asked again, and nothing else waits for it.
  await fake.clock.advance(2 * RETRY_MS + 1_000);
  fake.mine();
  await following.until(() => poolsOf() === 2);
  expect(stateOf()?.leftOut?.()).toEqual(
    expect.arrayContaining([
      { reason: "UNKNOWN_VERSION", pools: 1 },
      { reason: "PAUSED", pools: 1 },
    ]),
  );
  served.push(at(4));
  refused.push(at(7));
  const looks = asked.length;
  await fake.clock.advance(LOOK_AGAIN_MS);
  fake.mine();
  await following.until(() => poolsOf() === 3);
  expect(asked.length).toBeGreaterThan(looks);
  // Neither what is served nor what cannot be is made out twice; what could not be read is read again.
  expect(asked.at(-1)?.sort()).toEqual([at(2), at(3), at(6)]);
  expect(stateOf()?.leftOut?.()).toContainEqual({ reason: "PAUSED", pools: 1 });
  paused.clear();
  await fake.clock.advance(LOOK_AGAIN_MS);
  fake.mine();
  await following.until(() => poolsOf() === 4);
  expect(stateOf()?.leftOut?.()).toEqual([{ reason: "UNKNOWN_VERSION", pools: 2 }]);
});
