import { Gauge, type Registry } from "prom-client";
import { addCounters, addGauges } from "./figures.ts";

/** Figures of following the chain, for the metrics. */
export interface ChainFigures {
  readonly headBlock: number;
  readonly lagBlocks: number;
  readonly pools: number;
  readonly quarantinedPools: number;
  readonly keptOutTokens: number;
  readonly resyncs: number;
  readonly auditCompared: number;
  readonly auditMismatched: number;
  /** Pools that take no part in routes, or not in all, by source and reason. */
  readonly leftOut: () => readonly { readonly source: string; readonly reason: string; readonly pools: number }[];
  /** Whether quotes can be given. */
  readonly available: boolean;
  readonly nodes: readonly {
    readonly name: string;
    readonly well: boolean;
    readonly lying: boolean;
    readonly followed: boolean;
    readonly latencyMs: number;
    readonly errorRate: number;
  }[];
}

type ChainGauge = "headBlock" | "lagBlocks" | "pools" | "quarantinedPools" | "keptOutTokens";
type ChainCounter = "resyncs" | "auditCompared" | "auditMismatched";

const GAUGES: Readonly<Record<ChainGauge, readonly [string, string]>> = {
  headBlock: ["tributary_chain_head_block", "Number of the block that is quoted from"],
  lagBlocks: ["tributary_chain_lag_blocks", "Blocks that the followed node was ahead when it was last seen"],
  pools: ["tributary_chain_pools", "Pools that were announced on the chain"],
  quarantinedPools: ["tributary_chain_quarantined_pools", "Pools that are not quoted from; /status tells why"],
  keptOutTokens: ["tributary_chain_kept_out_tokens", "Tokens that no route uses; /status tells why"],
};

const COUNTERS: Readonly<Record<ChainCounter, readonly [string, string]>> = {
  resyncs: ["tributary_chain_resyncs_total", "Times that the state of the chain was read anew"],
  auditCompared: ["tributary_chain_audit_compared_total", "Pools that were read again and compared"],
  auditMismatched: ["tributary_chain_audit_mismatched_total", "Pools that differed from the chain when compared"],
};

/** Measures the following of a chain, asked for with every scrape. */
export function addChainMetrics(registry: Registry, read: () => ChainFigures): void {
  const registers = [registry];
  addGauges(registry, GAUGES, read);
  addCounters(registry, COUNTERS, read);
  new Gauge({
    name: "tributary_chain_available",
    help: "1 while quotes can be given, 0 while they are answered with 503",
    registers,
    collect() {
      this.set(read().available ? 1 : 0);
    },
  });
  new Gauge({
    name: "tributary_chain_left_out_pools",
    help: "Pools that were seen and take no part in routes, or not in all, by source and reason",
    labelNames: ["source", "reason"],
    registers,
    collect() {
      this.reset();
      for (const { source, reason, pools } of read().leftOut()) this.set({ source, reason }, pools);
    },
  });
  const perNode = [
    ["tributary_node_well", "1 while the node may be used", (node: Node) => (node.well ? 1 : 0)],
    ["tributary_node_lying", "1 while most nodes contradict what the node says", (node: Node) => (node.lying ? 1 : 0)],
    ["tributary_node_followed", "1 for the node whose blocks are followed", (node: Node) => (node.followed ? 1 : 0)],
    ["tributary_node_latency_seconds", "Weighted mean of the node's answers", (node: Node) => node.latencyMs / 1_000],
    ["tributary_node_error_ratio", "Weighted part of requests without a good answer", (node: Node) => node.errorRate],
  ] as const;
  for (const [name, help, value] of perNode) {
    new Gauge({
      name,
      help,
      labelNames: ["node"],
      registers,
      collect() {
        for (const node of read().nodes) this.set({ node: node.name }, value(node));
      },
    });
  }
}

type Node = ChainFigures["nodes"][number];
