import type { AuditEngine } from "../../compose/audit.ts";
import type { Address } from "../../domain/address.ts";
import { SwapError } from "../../domain/errors/swap-error.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { FRACTION_ONE, type SwapRequest } from "../../quoting/answer/types.ts";
import { columns } from "../view/table.ts";
import { type CheckedQuote, checkQuote, isMiss } from "./check-quote.ts";
import { type SettledSwap, settledSwaps } from "./settled-swaps.ts";

/** A swap that was made, and what the service would have paid at the block before. */
export interface ComparedSwap extends SettledSwap {
  readonly block: bigint;
  readonly outcome: "won" | "equal" | "lost" | "not covered";
  /** Base units of the bought token. */
  readonly ours?: bigint;
  /** Why it is not covered. */
  readonly reason?: string;
  /** The request and its quote, which was run on the node. */
  readonly request?: SwapRequest;
  readonly checked?: CheckedQuote;
}

const OUTCOMES = ["won", "equal", "lost", "not covered"] as const;

/** Compares the swaps of a snapshot's block with quotes over the snapshot before, each run at that block. */
export async function compareSettled(
  engine: AuditEngine,
  before: Snapshot,
  { block }: Snapshot,
): Promise<readonly ComparedSwap[]> {
  const { chain, record } = engine;
  const swaps = await settledSwaps(block, { provider: chain.provider, wrappedNative: record.wrappedNative });
  const compared: ComparedSwap[] = [];
  for (const swap of swaps) compared.push({ ...swap, block: block.number, ...(await compare(engine, before, swap)) });
  return compared;
}

async function compare(
  engine: AuditEngine,
  before: Snapshot,
  swap: SettledSwap,
): Promise<Pick<ComparedSwap, "outcome" | "ours" | "reason" | "checked" | "request">> {
  const request = await requestOf(engine, swap).catch((error: unknown) => {
    if (error instanceof SwapError) return undefined;
    throw error;
  });
  if (request === undefined) return { outcome: "not covered", reason: "a token is no usable ERC-20" };
  const checked = await checkQuote(engine, before, request);
  const { quote, verdict } = checked;
  if (verdict.kind === "refused") return { outcome: "not covered", reason: verdict.says };
  if (quote === undefined || isMiss(verdict)) {
    const reason = "reason" in verdict ? verdict.reason : "the quote differs on the node";
    return { outcome: "not covered", reason, request, checked };
  }
  const ours = quote.buyAmount;
  const outcome = ours > swap.buyAmount ? "won" : ours < swap.buyAmount ? "lost" : "equal";
  return { outcome, ours, request, checked };
}

async function requestOf({ chain }: AuditEngine, swap: SettledSwap): Promise<SwapRequest | undefined> {
  const find = (token: Address) => chain.registry.find(token, "audit");
  const [sellToken, buyToken] = await Promise.all([find(swap.sellToken), find(swap.buyToken)]);
  if (sellToken === undefined || buyToken === undefined) return undefined;
  return {
    ...{ sellToken, buyToken, slippage: FRACTION_ONE / 100n, sources: { kind: "all" }, skipValidation: true },
    amount: { kind: "exactIn", sellAmount: swap.sellAmount },
  };
}

/** Table of settled swaps: the count of each outcome, and the median difference to ours in basis points. */
export function settledLines(swaps: readonly ComparedSwap[]): readonly string[] {
  const rows = OUTCOMES.map((outcome) => {
    const such = swaps.filter((swap) => swap.outcome === outcome);
    const apart = such.flatMap(({ ours, buyAmount }) => (ours === undefined ? [] : [bpsBetween(ours, buyAmount)]));
    const middle = apart.sort((a, b) => a - b)[Math.floor(apart.length / 2)];
    return [outcome, String(such.length), middle === undefined ? "" : `median ${middle.toFixed(2)} bps`];
  });
  const reasons = Map.groupBy(
    swaps.filter(({ outcome }) => outcome === "not covered"),
    ({ reason = "" }) => reason,
  );
  return [
    ...columns([["settled swaps", "", ""], ...rows], [1]),
    ...[...reasons].map(([reason, such]) => `  not covered: ${such.length} × ${reason}`),
  ];
}

/** A compared swap as JSON tells it. */
export function settledJson({ checked, request: _, ...swap }: ComparedSwap) {
  return { ...swap, verdict: checked?.verdict };
}

function bpsBetween(ours: bigint, theirs: bigint): number {
  return Number(((ours - theirs) * 1_000_000n) / theirs) / 100;
}
