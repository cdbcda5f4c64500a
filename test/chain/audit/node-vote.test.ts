import { expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createPanel } from "../../../src/chain/audit/node-vote.ts";
import type { PanelNode } from "../../../src/chain/node/nodes.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { tokenAt } from "../../market/pairs.ts";

const at = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n } as const;

/** Three nodes of which the last has another answer to every call, as where a contract looks at the gas that it is given. */
function asked(asksStrangers: true | undefined) {
  const { record } = createFakeChain({ seed: 1 });
  const condemned: string[] = [];
  const panel = ["0x0a", "0x0a", "0x0b"].map((answer, index): PanelNode => {
    const provider = { request: async () => answer, onHeadHint: () => () => {}, close: () => {} };
    return { name: `node ${index + 1}`, followed: index === 0, provider };
  });
  const source = {
    stateTopics: [],
    sync: async (chain: Parameters<LiquiditySource["sync"]>[0], refs: readonly PoolRef[]) => {
      const [answer] = await chain.calls([{ to: tokenAt(1), data: "0x" }], at);
      return refs.map(({ id }) => ({ id, answer }));
    },
    ...(asksStrangers && { asksStrangers }),
  } as unknown as LiquiditySource;
  const nodes = { panel: () => panel, condemn: ({ name }: PanelNode) => void condemned.push(name), quorum: 1 };
  const { poolAt } = createPanel({ nodes, record, sources: [source], clock: systemClock, proves: false });
  const ref = { id: "pool", address: tokenAt(1), tokens: [], terms: {} };
  return { condemned, verdict: poolAt(source, ref, at) };
}

it("a node that says otherwise of a pool than most is a liar", async () => {
  const { condemned, verdict } = asked(undefined);
  expect(await verdict).toEqual({ answer: { id: "pool", answer: "0x0a" } });
  expect(condemned).toEqual(["node 3"]);
});

it("no node is one for what strangers say, who may tell each another thing", async () => {
  const { condemned, verdict } = asked(true);
  expect(await verdict).toEqual({ answer: { id: "pool", answer: "0x0a" } });
  expect(condemned).toEqual([]);
});
