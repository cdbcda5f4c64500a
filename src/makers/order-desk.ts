import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Logger } from "../ops/logger.ts";
import type { Pool } from "../pools/pool.ts";
import type { FirmOrderContext, FirmOrderRequest } from "../quoting/maker-ports.ts";
import { levelToMeet } from "./level-to-meet.ts";
import type { Maker } from "./maker.ts";
import type { AskOutcome } from "./score.ts";
import { SeenNonces } from "./seen-nonces.ts";
import { askMaker, type GoodOrder, type OrderCheck } from "./signed-orders.ts";

export interface DeskOptions {
  readonly check: OrderCheck;
  /** Milliseconds that makers have for a firm order. */
  readonly deadlineMs: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Told how long each question took, in seconds. */
  readonly onAnswer?: (maker: SourceId, outcome: AskOutcome, seconds: number) => void;
}

/** Time limit of a maker's answer. */
interface Patience {
  readonly signal: AbortSignal;
  /** Whether the maker has all the time that it was promised. */
  readonly fair: boolean;
}

/** Outcome of a request, with the reason for the log. */
interface Judged {
  readonly outcome: AskOutcome;
  readonly reason: string | undefined;
}

/** Asks makers for firm orders, and scores what they answer. */
export class OrderDesk {
  readonly #makers: ReadonlyMap<SourceId, Maker>;
  readonly #options: DeskOptions;
  readonly #nonces = new SeenNonces();
  readonly #ownerOf = new Map<PoolId, Maker>();

  constructor(makers: ReadonlyMap<SourceId, Maker>, options: DeskOptions) {
    this.#makers = makers;
    this.#options = options;
  }

  /** The good orders among what is asked for. */
  async ask(asks: readonly FirmOrderRequest[], occasion: FirmOrderContext): Promise<readonly Pool[]> {
    const { deadlineMs, now } = this.#options;
    const timeoutMs = Math.min(deadlineMs, occasion.deadlineMs - now());
    if (timeoutMs <= 0) return [];
    const signal = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), occasion.signal]);
    const patience = { signal, fair: timeoutMs >= deadlineMs };
    const answers = await Promise.all(asks.map((question) => this.#askOne(question, occasion, patience)));
    return withinFunds(answers.filter((answer) => answer !== undefined)).map(({ pool }) => pool);
  }

  /** Scores orders by the simulation of a quote with them. */
  settled(orders: readonly PoolId[], outcome: "filled" | "failed"): void {
    for (const id of orders) this.#ownerOf.get(id)?.score.simulated(outcome);
  }

  async #askOne(
    question: FirmOrderRequest,
    occasion: FirmOrderContext,
    { signal, fair }: Patience,
  ): Promise<GoodOrder | undefined> {
    const maker = this.#makers.get(question.source);
    if (maker === undefined || !maker.score.open) return undefined;
    // A maker's request to itself is no trade, and says nothing about its orders.
    if (maker.record.accounts.includes(occasion.taker)) return undefined;
    const { check, elapsed } = this.#options;
    const start = elapsed();
    const level = levelToMeet(question, maker.levels(), occasion.at.timestamp);
    const result = await askMaker(maker, { ...question, level }, { ...occasion, signal }, check);
    // A caller that is gone or in a hurry says nothing of the maker, nor does a node that does not answer.
    if (occasion.signal.aborted || result.outcome === "unchecked") return undefined;
    if (result.outcome === "silent" && !fair) return undefined;
    let { outcome, good, reason } = result;
    if (good !== undefined && !this.#nonces.isFresh(question.source, good.order)) {
      [outcome, good, reason] = ["invalid", undefined, "its nonce was used in another order"];
    }
    // A maker without levels has promised nothing.
    if (outcome === "refused" && level === undefined) outcome = "good";
    this.#score(maker, { outcome, reason }, elapsed() - start);
    if (good !== undefined) this.#ownerOf.set(good.pool.id, maker);
    return good;
  }

  #score({ record: { name }, score }: Maker, { outcome, reason }: Judged, tookMs: number): void {
    const { logger, onAnswer } = this.#options;
    const before = score.open;
    score.asked(outcome);
    onAnswer?.(name, outcome, tookMs / 1_000);
    if (outcome !== "good") logger.info({ maker: name, outcome, reason }, "a maker's order is of no use");
    if (before && !score.open) logger.warn({ maker: name, reason }, "a maker is left alone for a while");
  }
}

/**
 * The orders that their makers can pay together, the first of the questions first: each by itself says nothing of the others that sell
 * the same token of the same account. No maker is to blame for one left out, since it was asked for each alone.
 */
function withinFunds(orders: readonly GoodOrder[]): readonly GoodOrder[] {
  const promised = new Map<string, bigint>();
  return orders.filter(({ order: { maker, makerToken, makerAmount }, funds }) => {
    const account = `${maker} ${makerToken}`;
    const together = (promised.get(account) ?? 0n) + makerAmount;
    if (together > funds) return false;
    promised.set(account, together);
    return true;
  });
}
