import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import { isSameTax, keptOutReason, type TokenVerdict, taxIn } from "../../domain/token-verdict.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { TokenVerdicts } from "../../quoting/ports.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { RequestOptions } from "../rpc/provider.ts";
import { KnownVerdicts } from "./known-verdicts.ts";
import type { TokenTrial } from "./token-trial.ts";

/** Counts and results of token tests, for operators. */
export interface TokenFigures {
  readonly tested: number;
  /** Tested tokens whose transfers could not be simulated; they are routed like others. */
  readonly untestable: number;
  /** Tokens that no route uses, with the reason. */
  readonly keptOut: ReadonlyMap<Address, string>;
}

export interface TokenTests extends TokenVerdicts {
  /** Tests again what is due, at a snapshot that is the newest. */
  look(snapshot: Pick<Snapshot, "block">): void;
  /** Forgets verdicts that would be looked at again at a block, but for good ones: where nobody looks again by themselves. */
  forgetOld(head: bigint): void;
  figures(): TokenFigures;
  stop(): Promise<void>;
}

/** Blocks after which a verdict is looked at again: sooner where it may have become better, or was none. */
const AGAIN_AFTER_BLOCKS = { plain: 100n, keptOut: 25n, untestable: 10n } as const;
/** Tokens that are tested again per snapshot. */
const TESTED_PER_BLOCK = 2;
/** Tokens that are kept out, asked for and waiting for their test: of more, those stay until it is due by itself. */
const MAX_NAMED = 1_000;
/** Callers wait for the test of a token that is met for the first time, so that a slow node may not take long. */
const REQUEST_LIMITS: RequestOptions = { timeoutMs: 3_000, attempts: 2 };
const MAX_MS = 5_000;

/** Dependencies and limits of token tests. */
interface TokenTestOptions {
  readonly trial: TokenTrial;
  /** A trial with another node's answer as well, if there is another node. */
  readonly confirm: TokenTrial;
  /** The block to test at; undefined while there is none. */
  readonly head: () => BlockRef | undefined;
  readonly memory: BlockMemory;
  /** Tokens that nobody has to test: the native one and its wrapper. */
  readonly trusted: ReadonlySet<Address>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Tests tokens when they are first met, after a route over them has failed, and every now and then from then on. A fault
 * is believed unless a second test, with another node where there is one, finds none.
 */
export function createTokenTests(options: TokenTestOptions): TokenTests {
  const { trusted } = options;
  const known = new KnownVerdicts(options.memory, options.logger);
  const running = new Map<Address, Promise<void>>();
  /** Tokens that are kept out and were asked for since they were last tested. */
  const named = new Set<Address>();
  let rechecking: Promise<void> | undefined;
  let stopped = false;

  /** One test of a token at a time; who asks meanwhile gets that one. */
  function examine(token: Address, first: readonly Address[]): Promise<void> {
    const begun = running.get(token);
    if (begun !== undefined) return begun;
    const at = options.head();
    if (at === undefined || stopped) return Promise.resolve();
    const test = verdictOn(token, at, first, options)
      .then((verdict) => known.remember(token, verdict, at))
      .finally(() => running.delete(token));
    running.set(token, test);
    return test;
  }

  return {
    keptOut: () => known.keptOut,
    taxes: () => known.taxes,
    isUntestable: (token) => known.on(token, options.head())?.kind === "untestable",
    test(tokens) {
      for (const token of tokens) if (known.keptOut.has(token) && named.size < MAX_NAMED) named.add(token);
      const unmet = tokens.filter((token) => !trusted.has(token) && known.on(token, options.head()) === undefined);
      if (unmet.length === 0) return undefined;
      return Promise.all(unmet.map((token) => examine(token, []))).then(() => undefined);
    },
    async testAgain(tokens, holders) {
      const suspected = tokens.filter((token) => !trusted.has(token));
      await Promise.all(suspected.map((token) => examine(token, holders)));
      return suspected.some((token) => known.keptOut.has(token));
    },
    look({ block }) {
      if (rechecking !== undefined || stopped) return;
      const tokens = dueTokens(block.number, known, named);
      if (tokens.length === 0) return;
      rechecking = Promise.all(tokens.map((token) => examine(token, [])))
        .then(() => undefined)
        .finally(() => {
          rechecking = undefined;
        });
    },
    forgetOld: (head) => forgetOld(head, known),
    figures: () => ({
      tested: known.size,
      untestable: [...known.entries()].filter(([, { verdict }]) => verdict.kind === "untestable").length,
      keptOut: known.keptOut,
    }),
    async stop() {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}

/** Verdict of one test, or of two if the first finds a fault. */
async function verdictOn(
  token: Address,
  at: BlockRef,
  first: readonly Address[],
  { trial, confirm, now }: Pick<TokenTestOptions, "trial" | "confirm" | "now">,
): Promise<TokenVerdict> {
  const limits = { ...REQUEST_LIMITS, deadlineMs: now() + MAX_MS };
  try {
    const verdict = await trial(token, at, first, limits);
    if (keptOutReason(verdict) === undefined) return verdict;
    // A second node that cannot say leaves it at the first one's word.
    const second = await confirm(token, at, first, limits).catch(() => verdict);
    if (second.kind !== "plain") return agreed(verdict, second);
    return { kind: "untestable", reason: "two tests at one block did not come to the same" };
  } catch (error) {
    return { kind: "untestable", reason: messageOf(error) };
  }
}

/** A tax is known where two tests have measured the same. */
function agreed(verdict: TokenVerdict, second: TokenVerdict): TokenVerdict {
  const [tax, other] = [taxIn(verdict), taxIn(second)];
  if (verdict.kind !== "fee" || tax === undefined || (other !== undefined && isSameTax(tax, other))) return verdict;
  return { ...verdict, tax: { unknown: "two tests at one block have measured different parts" } };
}

/** Tokens due for another test. Kept-out tokens asked for since come first and leave `named`. */
function dueTokens(head: bigint, known: KnownVerdicts, named: Set<Address>): readonly Address[] {
  const found = [...named].filter((token) => known.keptOut.has(token)).slice(0, TESTED_PER_BLOCK);
  for (const token of found) named.delete(token);
  for (const [token, { at }] of known.entries()) {
    if (found.length >= TESTED_PER_BLOCK) break;
    if (head - at.number >= AGAIN_AFTER_BLOCKS[kindOf(token, known)] && !found.includes(token)) found.push(token);
  }
  return found;
}

function kindOf(token: Address, known: KnownVerdicts): keyof typeof AGAIN_AFTER_BLOCKS {
  if (known.keptOut.has(token)) return "keptOut";
  return known.on(token, undefined)?.kind === "untestable" ? "untestable" : "plain";
}

function forgetOld(head: bigint, known: KnownVerdicts): void {
  for (const [token, { at }] of [...known.entries()]) {
    const kind = kindOf(token, known);
    if (kind !== "plain" && head - at.number >= AGAIN_AFTER_BLOCKS[kind]) known.forget(token);
  }
}
