import { expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createNodeVote } from "../../../src/chain/audit/node-vote.ts";
import type { VotingNode } from "../../../src/chain/node/nodes.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { tokenAt } from "../../market/pairs.ts";

const at = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n } as const;

/** Three nodes of which the last has another answer to every call, as where a contract looks at the gas that it is given. */
function asked(callsForeignContracts: true | undefined) {
  const { record } = createFakeChain({ seed: 1 });
  const condemned: string[] = [];
  const panel = ["0x0a", "0x0a", "0x0b"].map((answer, index): VotingNode => {
    const provider = { request: async () => answer, onHeadHint: () => () => {}, close: () => {} };
    return { name: `node ${index + 1}`, followed: index === 0, provider };
  });
  const source = {
    stateTopics: [],
    sync: async (chain: Parameters<LiquiditySource["sync"]>[0], refs: readonly PoolRef[]) => {
      const [answer] = await chain.calls([{ to: tokenAt(1), data: "0x" }], at);
      return refs.map(({ id }) => ({ id, answer }));
    },
    ...(callsForeignContracts && { callsForeignContracts }),
  } as unknown as LiquiditySource;
  const nodes = { panel: () => panel, distrust: ({ name }: VotingNode) => void condemned.push(name), quorum: 1 };
  const { poolAt } = createNodeVote({ nodes, record, sources: [source], clock: systemClock, proves: false });
  const ref = { id: "pool", address: tokenAt(1), tokens: [], terms: {} };
  return { condemned, verdict: poolAt(source, ref, at) };
}

it("a node that says otherwise of a pool than most is a liar", async () => {
  const { condemned, verdict } = asked(undefined);
  expect(await verdict).toEqual({ answer: { id: "pool", answer: "0x0a" } });
  expect(condemned).toEqual(["node 3"]);
});

it("no node is distrusted for the answers of foreign contracts, which may differ by caller", async () => {
  const { condemned, verdict } = asked(true);
  expect(await verdict).toEqual({ answer: { id: "pool", answer: "0x0a" } });
  expect(condemned).toEqual([]);
});
