import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { addChainMetrics } from "../../src/ops/chain-metrics.ts";

it("tells with every scrape how the chain is followed", async () => {
  const registry = new Registry();
  let headBlock = 7;
  addChainMetrics(registry, () => ({
    headBlock,
    lagBlocks: 1,
    pools: 40,
    quarantinedPools: 2,
    keptOutTokens: 5,
    resyncs: 3,
    auditCompared: 90,
    auditMismatched: 1,
    leftOut: () => [{ source: "Uniswap_V4", reason: "UNKNOWN_HOOKS", pools: 12 }],
    available: true,
    nodes: [{ name: "node 1", well: false, lying: true, followed: true, latencyMs: 12, errorRate: 0.25 }],
  }));
  const first = await registry.metrics();
  expect(first).toContain("tributary_chain_head_block 7");
  expect(first).toContain("tributary_chain_audit_mismatched_total 1");
  expect(first).toContain("tributary_chain_kept_out_tokens 5");
  expect(first).toContain('tributary_node_well{node="node 1"} 0');
  expect(first).toContain('tributary_node_lying{node="node 1"} 1');
  expect(first).toContain('tributary_node_error_ratio{node="node 1"} 0.25');
  expect(first).toContain('tributary_chain_left_out_pools{source="Uniswap_V4",reason="UNKNOWN_HOOKS"} 12');
  headBlock = 8;
  const second = await registry.metrics();
  expect(second).toContain("tributary_chain_head_block 8");
  expect(second).toContain("tributary_chain_resyncs_total 3");
});
