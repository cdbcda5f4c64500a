import { openReplay } from "../../compose/replay.ts";
import { withStores } from "../../compose/stores.ts";
import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import type { Replay } from "../../quoting/record/replay.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connectToNodes, type NodeConnection } from "../connection/node-connection.ts";
import { withProgress } from "../connection/progress.ts";
import { columns } from "../view/table.ts";

export async function replay(given: Invocation): Promise<ExitCode> {
  const [requestId, ...more] = given.positionals;
  if (requestId === undefined || more.length > 0)
    throw new UsageError("name the request id of a quote: the log has it as requestId");
  const nodes = connectToNodes(given);
  try {
    const { config } = nodes[0]!;
    const quotes = await withStores(config, async (stores) => (await stores.quotes()).find(requestId));
    if (quotes.length === 0)
      throw new UsageError(`no quote has the request id ${requestId}: it may be older than the newest QUOTES_KEPT`);
    const findings: { readonly quote: LoggedQuote; readonly found: Replay }[] = [];
    for (const quote of quotes) {
      const found = await withProgress("running the quote again", given.note, runOnOneOf(nodes, quote));
      findings.push({ quote, found });
    }
    given.print(given.has("json") ? jsonOf(findings) : findings.flatMap(linesOf).join("\n"));
    return findings.every(({ found: { kind } }) => kind === "holds" || kind === "near") ? EXIT.ok : EXIT.checkFailed;
  } finally {
    for (const { provider } of nodes) provider.close();
  }
}

/** Runs a quote on the nodes in turn, until one has the state. Returns the last node's result if none does. */
async function runOnOneOf(nodes: readonly NodeConnection[], quote: LoggedQuote): Promise<Replay> {
  let found: Replay | undefined;
  for (const node of nodes) {
    found = await run(quote, node);
    if (found.kind !== "gone") return found;
  }
  return found!;
}

function run(quote: LoggedQuote, { provider, record }: NodeConnection): Promise<Replay> {
  if (quote.chainId !== record.chainId) {
    throw new UsageError(
      `the quote is of chain ${quote.chainId}, and this configuration of chain ${record.chainId}: give that chain's --config`,
    );
  }
  return openReplay(provider, record)(quote);
}

function linesOf({ quote, found }: { readonly quote: LoggedQuote; readonly found: Replay }): readonly string[] {
  const says = {
    holds: "holds: it pays to the wei what was promised",
    near: "holds, but for what time alone may change",
    differs: "DIFFERS",
    gone: "cannot be run",
  }[found.kind];
  return columns(
    [
      ["quoted", new Date(quote.at).toISOString()],
      ["block", `${quote.block.number} ${quote.block.hash}`],
      ["sell", `${quote.sellAmount} of ${quote.terms.sellToken}`],
      ["buy", `${quote.buyAmount} of ${quote.terms.buyToken}`],
      ["calldata", quote.calldataHash],
      ...quote.route.map(({ source, pool }) => ["through", `${source} ${pool}`]),
      ["replay", "reason" in found ? `${says}: ${found.reason}` : says],
    ],
    [],
  );
}

function jsonOf(findings: readonly object[]): string {
  return JSON.stringify(findings, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2);
}
