import { randomInt } from "node:crypto";
import type { ChainRecord } from "../../chain/chains/chain-record.ts";
import { RUN_METHODS, type RunMethod } from "../../chain/simulation/trade-runner.ts";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import { type Invocation, UsageError } from "../command.ts";
import { AUDIT_METHODS, DEFAULT_AUDIT_BLOCKS, DEFAULT_AUDIT_COUNT } from "../command-options.ts";
import { tokenBookOf } from "../connection/token-book.ts";
import type { TokenPair } from "./trade-cases.ts";

/** Options of an audit. */
export interface AuditOptions {
  /** Trades are random, settled ones of new blocks, or none and the pools of one source are followed. */
  readonly kind:
    | { readonly name: "trades" }
    | { readonly name: "settled" }
    | { readonly name: "states"; readonly source: string };
  readonly count: number;
  readonly blocks: number;
  readonly seed: number;
  readonly pairs: readonly TokenPair[] | undefined;
  readonly included: readonly string[];
  readonly methods: readonly RunMethod[];
  /** Path of the report; undefined: a report is written only if there is something to report. */
  readonly report: string | undefined;
}

const MAX_SEED = 2 ** 31;

/** @throws UsageError for what makes no sense */
export function auditOptions(
  given: Invocation,
  {
    record,
    tokens,
    sources,
  }: { readonly record: ChainRecord; readonly tokens: readonly Token[]; readonly sources: readonly string[] },
): AuditOptions {
  if (given.positionals.length > 0)
    throw new UsageError(`audit takes options only, not ${given.positionals.join(" ")}`);
  const source = given.text("source");
  if (source !== undefined && given.has("settled"))
    throw new UsageError("--source and --settled are two audits: choose one");
  const method = given.text("method");
  return {
    kind:
      source !== undefined
        ? { name: "states", source: sourceNamed(source, "--source", sources) }
        : { name: given.has("settled") ? "settled" : "trades" },
    count: wholeOf(given, "count", DEFAULT_AUDIT_COUNT),
    blocks: wholeOf(given, "blocks", DEFAULT_AUDIT_BLOCKS),
    seed: given.text("seed") === undefined ? randomInt(1, MAX_SEED) : wholeOf(given, "seed", "1"),
    pairs: given
      .text("pairs")
      ?.split(",")
      .map((pair) => pairOf(pair, record, tokens)),
    included: (given.text("include") ?? "")
      .split(",")
      .flatMap((name) => (name.trim() === "" ? [] : [sourceNamed(name.trim(), "--include", sources)])),
    methods: method === undefined ? RUN_METHODS : [methodNamed(method)],
    report: given.text("report"),
  };
}

function wholeOf(given: Invocation, name: string, standard: string): number {
  const text = given.text(name) ?? standard;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name}: ${text} is not a whole number above zero`);
}

function sourceNamed(name: string, option: string, sources: readonly string[]): string {
  const found = sources.find((source) => source.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`${option}: there is no source ${name}: give one of ${sources.join(", ")}`);
}

function methodNamed(name: string): RunMethod {
  const at = AUDIT_METHODS.indexOf(name as (typeof AUDIT_METHODS)[number]);
  if (at >= 0) return RUN_METHODS[at]!;
  throw new UsageError(`--method: ${name} is not a method: give one of ${AUDIT_METHODS.join(", ")}`);
}

function pairOf(text: string, record: ChainRecord, tokens: readonly Token[]): TokenPair {
  const names = text.split("/").map((name) => name.trim());
  if (names.length !== 2)
    throw new UsageError(`--pairs: ${text} is not a pair: give two tokens with a slash between them, like WETH/USDC`);
  const native = { address: NATIVE_TOKEN, symbol: record.native.symbol, decimals: 18 };
  const book = tokenBookOf([native, ...tokens], "the token list (TOKEN_LIST)");
  const [first, second] = names.map((name): Address => book.find(name).address);
  if (first === second) throw new UsageError(`--pairs: ${text} has one token twice: give two tokens`);
  return [first!, second!];
}
