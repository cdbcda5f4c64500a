import type { AuditEngine } from "../../compose/audit.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { SwapError } from "../../domain/errors/swap-error.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";
import type { QuoteAnswer, SwapRequest } from "../../quoting/answer/types.ts";
import type { SwapTerms, TradeRun } from "../../quoting/ports.ts";
import { deviatingSide, mostBeyond } from "../../quoting/quote/deviations.ts";

/** Outcome of a quote on the node. */
export type Verdict =
  /** To the wei. `gasOff`: by which part of the gas used the estimate is above it, where the node tells gas. */
  | { readonly kind: "exact"; readonly gasOff?: number }
  /** Not further off than time alone may bring it, run a second later as the node insists, or more for a donation to a pool. */
  | { readonly kind: "inTime"; readonly gasOff?: number }
  /** Base units that it pays or takes more than was quoted. */
  | { readonly kind: "differs"; readonly boughtOff: bigint; readonly soldOff: bigint }
  | { readonly kind: "reverts"; readonly reason: string }
  /** The quote could not be made, for a defect of ours. */
  | { readonly kind: "fails"; readonly reason: string }
  /** The service would have refused, for this reason. */
  | { readonly kind: "refused"; readonly reason: string; readonly says: string }
  /** The node could not run it. */
  | { readonly kind: "notRun"; readonly reason: string };

/** A quote that was run, or why not. */
export interface CheckedQuote {
  readonly quote: QuoteAnswer | undefined;
  readonly verdict: Verdict;
  /** Pools of a missed quote whose state differed from the chain. Empty if only the maths was wrong. */
  readonly wrongStates: readonly PoolId[];
}

/** Verdicts that break the promise. */
export function isMiss({ kind }: Verdict): boolean {
  return kind === "differs" || kind === "reverts" || kind === "fails";
}

/** Quotes a request over a snapshot, and runs the quote's transaction on the node at the snapshot's block. */
export async function checkQuote(engine: AuditEngine, snapshot: Snapshot, request: SwapRequest): Promise<CheckedQuote> {
  let quote: QuoteAnswer;
  try {
    quote = await engine.quoteAt(snapshot, request);
  } catch (error) {
    return { quote: undefined, verdict: refusalOf(error), wrongStates: [] };
  }
  const run = await engine.run(transactionOf(quote, snapshot), unwrappedBy(quote));
  const beyond =
    request.amount.kind === "exactIn" ? 0n : mostBeyond(quote.route.fills, quote.buyToken.address, snapshot.graph);
  const verdict = verdictOf(run, quote, {
    beyond,
    sources: engine.sources,
    graph: snapshot.graph,
  });
  return { quote, verdict, wrongStates: isMiss(verdict) ? await wrongStates(engine, quote, snapshot) : [] };
}

function refusalOf(error: unknown): Verdict {
  if (!(error instanceof SwapError)) return { kind: "fails", reason: messageOf(error) };
  return { kind: "refused", reason: error.violations[0]?.reason ?? error.reason, says: error.message };
}

function transactionOf(quote: QuoteAnswer, { block }: Snapshot): Parameters<AuditEngine["run"]>[0] {
  const terms: SwapTerms = {
    ...{ sellToken: quote.sellToken.address, buyToken: quote.buyToken.address },
    ...{ maxSellAmount: quote.maxSellAmount, minBuyAmount: quote.minBuyAmount },
    ...{ recipient: ZERO_ADDRESS, deadline: quote.expiry },
  };
  return {
    ...{ transaction: { to: quote.to, data: quote.data, value: quote.value }, terms, at: block },
    allowanceTarget: quote.sellToken.address === NATIVE_TOKEN ? ZERO_ADDRESS : quote.allowanceTarget,
    avoidHolders: quote.route.fills.map(({ pool }) => (pool.length === 42 ? (pool as Address) : ZERO_ADDRESS)),
  };
}

/**
 * Upper bound of the wrapped native token that a quote unwraps: routes are shown without wrapping, so that what pools
 * take of the native token counts, or all that is sold for it.
 */
function unwrappedBy({ sellAmount, buyToken, route }: QuoteAnswer): bigint {
  if (buyToken.address === NATIVE_TOKEN) return sellAmount;
  const natively = route.fills.filter(({ from }) => from === NATIVE_TOKEN);
  return natively.reduce((sum, fill) => sum + fill.sellAmount, 0n);
}

function verdictOf(
  run: TradeRun,
  quote: QuoteAnswer,
  { sources, graph, beyond }: Pick<AuditEngine, "sources"> & Pick<Snapshot, "graph"> & { readonly beyond: bigint },
): Verdict {
  if (run.kind === "incomplete") return { kind: "notRun", reason: run.reason };
  if (run.kind === "reverted") return { kind: "reverts", reason: run.reason };
  const { bought, sold, secondsLater, gasUsed } = run;
  const [boughtOff, soldOff] = [bought - quote.buyAmount, sold - quote.sellAmount];
  const moves = quote.route.fills.some(({ pool }) => {
    const state = graph.pool(pool);
    return state !== undefined && movesWithTime(state);
  });
  const gas = gasUsed === undefined ? {} : { gasOff: Number(quote.estimatedGas) / Number(gasUsed) - 1 };
  if (boughtOff === 0n && soldOff === 0n) return { kind: "exact", ...gas };
  const takesDonations = quote.route.fills.some(({ source }) => sources.get(source)?.takesDonations === true);
  const promised = { bought: quote.buyAmount, sold: quote.sellAmount };
  const broken = deviatingSide(run, promised, { secondsLater, moves, takesDonations, beyond });
  return broken === undefined ? { kind: "inTime", ...gas } : { kind: "differs", boughtOff, soldOff };
}

async function wrongStates(
  { chain }: AuditEngine,
  { route }: QuoteAnswer,
  snapshot: Snapshot,
): Promise<readonly PoolId[]> {
  try {
    return await chain.recheck([...new Set(route.fills.map(({ pool }) => pool))], snapshot);
  } catch {
    return [];
  }
}
