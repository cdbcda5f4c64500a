import { type AuditEngine, openAudit } from "../../compose/audit.ts";
import { configuredTokens } from "../../compose/chain-setup.ts";
import type { Address } from "../../domain/address.ts";
import { createLogger } from "../../ops/logger.ts";
import { VERSION } from "../../ops/version.ts";
import { type AuditOptions, auditOptions } from "../audit/audit-options.ts";
import { auditTrades, type Findings, missOf } from "../audit/audit-trades.ts";
import { auditedNodes } from "../audit/audited-nodes.ts";
import { isMiss } from "../audit/check-quote.ts";
import { eachBlock } from "../audit/each-block.ts";
import { comparePools, type WrongState } from "../audit/pool-states.ts";
import { jsonText, withoutSecrets, writeReport } from "../audit/report-file.ts";
import { type ComparedSwap, compareSettled, settledJson, settledLines } from "../audit/settled.ts";
import { configuredSources } from "../checks/configured-sources.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { DEFAULT_AUDIT_REPORT } from "../command-options.ts";
import { withProgress } from "../connection/progress.ts";

export async function audit(given: Invocation): Promise<ExitCode> {
  const nodes = await auditedNodes(given);
  const { config, record } = nodes.followed;
  try {
    const tokens = configuredTokens(config, record)?.tokens ?? [];
    const options = auditOptions(given, { record, tokens, sources: configuredSources(config) });
    const started = performance.now();
    const engine = await withProgress(
      "reading the pools",
      given.note,
      openAudit({
        ...{ config, record, tokens, methods: options.methods, node: nodes.node, runs: nodes.runs },
        logger: createLogger("silent"),
      }),
    );
    try {
      const first = engine.newest().block;
      const listed = new Set(tokens.map(({ address }) => address));
      const told = (text: string) => given.note(withoutSecrets(text, config));
      const findings = await findingsOf(engine, options, listed, told);
      const setting = {
        ...{ version: VERSION, chain: record.name, chainId: record.chainId, audit: options.kind, seed: options.seed },
        ...{ blocks: [first.number, engine.newest().block.number], method: engine.runMethod() ?? null },
        ...{ runOnAnotherNode: nodes.runs !== undefined, requests: nodes.requests() },
        seconds: Math.round((performance.now() - started) / 1_000),
      };
      return tell(given, { options, findings, setting, config });
    } finally {
      await engine.stop();
    }
  } finally {
    nodes.close();
  }
}

function findingsOf(
  engine: AuditEngine,
  options: AuditOptions,
  listed: ReadonlySet<Address>,
  onMiss: (line: string) => void,
): Promise<Findings> {
  const { kind, blocks } = options;
  if (kind.name === "trades") return auditTrades(engine, options, listed, onMiss);
  if (kind.name === "settled") return auditSettled(engine, options, onMiss);
  return auditStates(engine, kind.source, blocks, onMiss);
}

async function auditSettled(
  engine: AuditEngine,
  { blocks, seed }: AuditOptions,
  onMiss: (line: string) => void,
): Promise<Findings> {
  const swaps: ComparedSwap[] = [];
  const misses: object[] = [];
  const done = await eachBlock(engine, blocks, async (before, now) => {
    for (const swap of await compareSettled(engine, before, now)) {
      swaps.push(swap);
      const { checked, request, transaction } = swap;
      if (checked === undefined || request === undefined || !isMiss(checked.verdict)) continue;
      misses.push({ ...missOf({ index: misses.length, request }, checked, before, seed), replayed: transaction });
      onMiss(`MISS  what replays ${transaction} at block ${before.block.number}: ${jsonText(checked.verdict)}`);
    }
  });
  return {
    lines: [`${done} blocks`, ...settledLines(swaps)],
    json: { followed: done, swaps: swaps.map(settledJson) },
    misses,
    compared: done > 0,
  };
}

async function auditStates(
  engine: AuditEngine,
  source: string,
  blocks: number,
  onMiss: (line: string) => void,
): Promise<Findings> {
  const misses: WrongState[] = [];
  let compared = 0;
  const done = await eachBlock(engine, blocks, async (before, now) => {
    const found = await comparePools(engine, source, before, now);
    compared += found.compared;
    for (const wrong of found.wrong) {
      misses.push(wrong);
      onMiss(`MISS  pool ${wrong.pool} at block ${wrong.block.number} ${wrong.block.hash} is not what the chain says`);
    }
  });
  return {
    lines: [`${source}: ${compared} states of pools compared over ${done} blocks, ${misses.length} differ`],
    json: { followed: done, source, compared },
    misses,
    compared: done > 0,
  };
}

function tell(
  given: Invocation,
  {
    options,
    findings,
    setting,
    config,
  }: {
    readonly options: AuditOptions;
    readonly findings: Findings;
    readonly setting: {
      readonly seed: number;
      readonly requests: number;
      readonly seconds: number;
      readonly method: string | null;
    };
    readonly config: Parameters<typeof writeReport>[2];
  },
): ExitCode {
  const { lines, json, misses, compared } = findings;
  const report = { ...setting, ...json, misses };
  const file = options.report ?? (misses.length > 0 ? DEFAULT_AUDIT_REPORT : undefined);
  if (file !== undefined) writeReport(file, report, config);
  if (given.has("json")) given.print(withoutSecrets(jsonText(report), config));
  else {
    const { seed, requests, seconds, method } = setting;
    const ran = `seed ${seed}, run by ${method ?? "nothing"}, ${requests} requests to the node, ${seconds} s`;
    given.print(withoutSecrets([...lines, "", ran, verdictLine(misses.length, compared)].join("\n"), config));
  }
  if (file !== undefined) given.note(`written to ${file}, without URLs and keys: you can publish it`);
  return misses.length > 0 ? EXIT.checkFailed : compared ? EXIT.ok : EXIT.tryAgain;
}

function verdictLine(misses: number, compared: boolean): string {
  if (misses > 0) return `${misses} ${misses === 1 ? "miss" : "misses"}: please report it, see docs/audit.md`;
  return compared ? "no miss" : "nothing was compared: see what was refused and not run";
}
