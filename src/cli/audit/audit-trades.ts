import type { AuditEngine } from "../../compose/audit.ts";
import type { Address } from "../../domain/address.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { AuditOptions } from "./audit-options.ts";
import { type CheckedQuote, checkQuote, isMiss } from "./check-quote.ts";
import { missesOf, reasonLines, Tally, tallyJson, tallyLines } from "./tally.ts";
import { tokenKinds } from "./token-kinds.ts";
import { type TradeCase, tradeCase } from "./trade-cases.ts";

/** Findings of an audit, for people and for programs. */
export interface Findings {
  readonly lines: readonly string[];
  readonly json: object;
  /** Broken promises, each as the report has it. */
  readonly misses: readonly object[];
  /** Whether anything at all was compared. */
  readonly compared: boolean;
}

/** Turns that may pass without a trade for each that is asked for: pools may be paused, or too small. */
const TURNS_PER_TRADE = 4;

/** Quotes so many trades over the newest block each, and runs them there. */
export async function auditTrades(
  engine: AuditEngine,
  options: AuditOptions,
  listed: ReadonlySet<Address>,
  onMiss: (line: string) => void,
): Promise<Findings> {
  const { record, chain, sources } = engine;
  const kindOf = tokenKinds(engine, listed);
  const [bySource, byKind] = [new Tally(), new Tally()];
  const misses: object[] = [];
  const cases = {
    ...{ seed: options.seed, pairs: options.pairs, included: options.included, sources },
    wrappedNative: record.wrappedNative,
    describe: (token: Address) => chain.registry.describe(token),
  };
  let made = 0;
  for (let index = 0; made < options.count && index < TURNS_PER_TRADE * options.count; index++) {
    const snapshot = engine.newest();
    const trade = await tradeCase(index, snapshot, cases);
    if (trade === undefined) continue;
    made += 1;
    const checked = await checkQuote(engine, snapshot, trade.request);
    bySource.add(sourcesOf(trade, checked), checked);
    byKind.add(
      tradedTokens(trade, checked).map((token) => kindOf(token, snapshot)),
      checked,
    );
    if (!isMiss(checked.verdict)) continue;
    const miss = missOf(trade, checked, snapshot, options.seed);
    misses.push(miss);
    onMiss(missLine(trade, checked, snapshot, options.seed));
  }
  for (const miss of unservedSources(engine, options)) {
    misses.push(miss);
    onMiss(`MISS  ${miss.source}, block ${miss.block.number} ${miss.block.hash}: ${miss.verdict.reason}`);
  }
  const rows = bySource.rows();
  return {
    lines: [...tallyLines("source", rows), "", ...tallyLines("tokens", byKind.rows()), ...reasonsOf(bySource)],
    json: { quotes: made, sources: rows.map(tallyJson), tokens: byKind.rows().map(tallyJson) },
    misses,
    compared: rows.some((row) => row.exact + row.inTime + missesOf(row) > 0),
  };
}

/** Sources that the chain's record lists pools of, none of which is served, and not since somebody may change its terms. */
function unservedSources(engine: AuditEngine, { included, seed }: AuditOptions) {
  const { graph, block, sources: states } = engine.newest();
  const served = new Set(graph.all().map(({ source }) => source));
  return [...engine.sources.values()].flatMap(({ id, fixed }) => {
    const listed = fixed?.().length ?? 0;
    const leftOut =
      states
        .get(id)
        ?.leftOut?.()
        .some(({ reason }) => reason === "CONTROLLER_NOT_ALLOWED") ?? false;
    if (listed === 0 || served.has(id) || leftOut || (included.length > 0 && !included.includes(id))) return [];
    const reason = `none of its ${listed} listed pools is what the record and the maths say: they are not quoted from`;
    return [{ seed, source: id, block, verdict: { kind: "fails", reason } }];
  });
}

function reasonsOf(bySource: Tally): readonly string[] {
  const lines = reasonLines(bySource.rows());
  return lines.length === 0 ? [] : ["", "refused and not run", ...lines];
}

/** The sources that a quote counts for: those on its route, else the one that was asked. */
function sourcesOf({ source }: TradeCase, { quote }: CheckedQuote): readonly string[] {
  const used = quote?.route.fills.map((fill) => fill.source) ?? [];
  return used.length > 0 ? used : [source ?? (quote === undefined ? "(any)" : "(wrap)")];
}

function tradedTokens({ request }: TradeCase, { quote }: CheckedQuote) {
  return [request.sellToken, request.buyToken, ...(quote?.route.tokens ?? [])];
}

function missLine(
  { index, request }: TradeCase,
  { verdict, quote }: CheckedQuote,
  { block }: Snapshot,
  seed: number,
): string {
  const what =
    verdict.kind === "differs"
      ? `pays ${verdict.boughtOff} and takes ${verdict.soldOff} wei more than quoted`
      : `${verdict.kind}: ${"reason" in verdict ? verdict.reason : ""}`;
  const { amount, sellToken, buyToken } = request;
  const asked = amount.kind === "exactIn" ? `sell ${amount.sellAmount}` : `buy ${amount.buyAmount}`;
  const route = quote?.route.fills.map(({ source, pool }) => `${source} ${pool}`).join(", ") ?? "none";
  return [
    `MISS  seed ${seed}, case ${index}, block ${block.number} ${block.hash}`,
    `      ${asked}, ${sellToken.address} for ${buyToken.address}, over ${route}: ${what}`,
    `      ${quote === undefined ? "no calldata" : `to ${quote.to} value ${quote.value} data ${quote.data}`}`,
  ].join("\n");
}

/** All that it takes to run a miss again, and nothing that names the node. */
export function missOf(
  { index, request }: Pick<TradeCase, "index" | "request">,
  { verdict, quote, wrongStates }: CheckedQuote,
  { block, graph }: Snapshot,
  seed: number,
): object {
  const pools = [...new Set(quote?.route.fills.map(({ pool }) => pool) ?? [])];
  return {
    ...{ seed, index, block, verdict, wrongStates },
    request: { ...request, sellToken: request.sellToken.address, buyToken: request.buyToken.address },
    ...(quote && {
      quoted: { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, minBuyAmount: quote.minBuyAmount },
      transaction: { to: quote.to, value: quote.value, data: quote.data },
      fills: quote.route.fills,
      pools: pools.map((id) => graph.pool(id)),
    }),
  };
}
