import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { Decimal } from "../../domain/decimal.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import type { Ratio } from "../../domain/ratio.ts";
import { nameOf, type Token } from "../../domain/token.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { CallContext, PriceAnswer, Quoting, SwapRequest } from "../answer/types.ts";
import type { MarketView } from "../ports.ts";
import { amountField } from "../search/trade.ts";
import type { GuardRecord } from "./guard-file.ts";
import type { Reference, ReferenceFeed } from "./reference.ts";

/**
 * Outcomes of a check. "unmapped": one of the tokens has no feed. "missing": one of the feeds has no fresh price.
 * "past": the price is at a block before the newest, and one of the feeds tells of now alone.
 */
export const CHECK_ENDS = ["passed", "refused", "missing", "unmapped", "past"] as const;
export type CheckEnd = (typeof CHECK_ENDS)[number];

/** One feed as status and metrics tell of it. */
export interface FeedReading {
  readonly token: Address;
  readonly source: string;
  readonly state: "fresh" | "stale" | "missing";
  /** Seconds; null where there is no price. */
  readonly ageSeconds: number | null;
  /** Why it could not be asked last, without secrets; null where it could. */
  readonly trouble: string | null;
}

const BPS = 10_000n;
const PRICE_DECIMALS = 18;
/** Digits behind the point of percents. */
const PERCENT_DECIMALS = 2;

/** Holds what is quoted against reference prices, and refuses what is too far off them, either way. */
export class PriceGuard {
  readonly #record: Pick<GuardRecord, "maxDeviationBps" | "refusesWhenMissing">;
  readonly #feeds: ReadonlyMap<Address, ReferenceFeed>;
  readonly #wrappedNative: Address;
  readonly #ended: (end: CheckEnd) => void;

  constructor(
    record: Pick<GuardRecord, "maxDeviationBps" | "refusesWhenMissing">,
    feeds: readonly ReferenceFeed[],
    options: { readonly wrappedNative: Address; readonly ended: (end: CheckEnd) => void },
  ) {
    this.#record = record;
    this.#wrappedNative = options.wrappedNative;
    this.#ended = options.ended;
    this.#feeds = new Map(feeds.map((feed) => [this.#keyOf(feed.record.token), feed]));
  }

  /**
   * `isPast`: whether the answer is of a block before the newest, on purpose.
   * @throws SwapError PRICE_OFF_REFERENCE with both numbers, or REFERENCE_UNAVAILABLE where that is configured
   */
  async check(answer: PriceAnswer, field: Violation["field"], isPast = false): Promise<void> {
    const { sellToken, buyToken, block } = answer;
    const [sold, bought] = [sellToken, buyToken].map(({ address }) => this.#feeds.get(this.#keyOf(address)));
    // The native token and its wrapper are the same.
    if (sold === undefined || bought === undefined || sold === bought) return this.#ended("unmapped");
    if (isPast && (isLatestOnly(sold) || isLatestOnly(bought))) return this.#ended("past");
    const [sell, buy] = await Promise.all([sold.at(block), bought.at(block)]);
    const stale = [isFresh(sold, sell) ? [] : [sellToken], isFresh(bought, buy) ? [] : [buyToken]].flat();
    if (sell === undefined || buy === undefined || stale.length > 0) return this.#goOnWithout(stale);
    const quoted = quotedRate(answer);
    const reference = { num: sell.price.num * buy.price.den, den: sell.price.den * buy.price.num };
    const { maxDeviationBps } = this.#record;
    if (isWithin(quoted, reference, BigInt(maxDeviationBps))) return this.#ended("passed");
    this.#ended("refused");
    const description = `${offReference({ sellToken, buyToken, quoted, reference }, maxDeviationBps)}; ${isWorse(quoted, reference) ? "send a smaller amount, or try again later" : "try again later"}`;
    throw refuse("PRICE_OFF_REFERENCE", description, {
      violations: [{ field, reason: "PRICE_OFF_REFERENCE", description }],
    });
  }

  readings(): readonly FeedReading[] {
    return [...this.#feeds.values()].map((feed) => {
      const last = feed.last();
      return {
        token: feed.record.token,
        source: feed.record.from.kind,
        state: last === undefined ? "missing" : isFresh(feed, last) ? "fresh" : "stale",
        ageSeconds: last === undefined ? null : Math.round(last.ageSeconds),
        trouble: feed.trouble() ?? null,
      };
    });
  }

  stop(): void {
    for (const feed of this.#feeds.values()) feed.stop();
  }

  /** @throws SwapError where quotes are refused then */
  #goOnWithout(tokens: readonly Token[]): void {
    this.#ended("missing");
    if (!this.#record.refusesWhenMissing) return;
    const names = tokens.map(nameOf).join(" and ");
    throw refuse(
      "REFERENCE_UNAVAILABLE",
      `there is no fresh reference price of ${names} to hold this against - try again`,
    );
  }

  #keyOf(token: Address): Address {
    return token === NATIVE_TOKEN ? this.#wrappedNative : token;
  }
}

/** Prices and quotes that are held against reference prices before anybody gets them. */
export function guardPrices(quoting: Quoting, guard: PriceGuard, market: Pick<MarketView, "current">): Quoting {
  const isNewest = ({ block }: Snapshot) => {
    const now = market.current();
    return "snapshot" in now && now.snapshot.block.hash === block.hash;
  };
  const guarded =
    <Answer extends PriceAnswer>(ask: (request: SwapRequest, call: CallContext) => Promise<Answer>) =>
    async (request: SwapRequest, call: CallContext): Promise<Answer> => {
      const isPast = request.at !== undefined && !isNewest(request.at);
      const answer = await ask(request, call);
      // Nobody can trade at a price on top of what may never happen.
      if (request.overrides === undefined) await guard.check(answer, amountField(request), isPast);
      return answer;
    };
  return { ...quoting, price: guarded(quoting.price), quote: guarded(quoting.quote) };
}

/** Whether a feed knows what a token is worth now, and not at the block that it is asked at. */
function isLatestOnly({ record }: ReferenceFeed): boolean {
  return record.from.kind !== "chainlink";
}

function isFresh({ record }: ReferenceFeed, reference: Reference | undefined): boolean {
  return reference !== undefined && reference.ageSeconds <= record.maxAgeSeconds;
}

/** Whole bought tokens per whole sold token, before fees. */
function quotedRate({ sellToken, buyToken, grossBuyAmount, grossSellAmount }: PriceAnswer): Ratio {
  return {
    num: grossBuyAmount * 10n ** BigInt(sellToken.decimals),
    den: grossSellAmount * 10n ** BigInt(buyToken.decimals),
  };
}

/** Whether two rates differ by no more than so many basis points of the second. */
function isWithin(quoted: Ratio, reference: Ratio, bps: bigint): boolean {
  const [one, other] = [quoted.num * reference.den, reference.num * quoted.den];
  const distance = one > other ? one - other : other - one;
  return distance * BPS <= bps * other;
}

function isWorse(quoted: Ratio, reference: Ratio): boolean {
  return quoted.num * reference.den < reference.num * quoted.den;
}

/** Difference that was found and that is allowed, in words. */
function offReference(
  found: Pick<PriceAnswer, "sellToken" | "buyToken"> & { readonly quoted: Ratio; readonly reference: Ratio },
  maxDeviationBps: number,
): string {
  const { sellToken, buyToken, quoted, reference } = found;
  const [one, other] = [quoted.num * reference.den, reference.num * quoted.den];
  const off = new Decimal(((one - other) * BPS) / other, PERCENT_DECIMALS);
  const allowed = new Decimal(BigInt(maxDeviationBps), PERCENT_DECIMALS);
  const rates = `${shownRate(quoted)} ${nameOf(buyToken)} per ${nameOf(sellToken)}, and the reference is ${shownRate(reference)}`;
  return `the trade would pay ${rates}: ${off} % off, where ${allowed} % is allowed`;
}

/** A rate with 18 decimals at most, rounded down. */
function shownRate({ num, den }: Ratio): Decimal {
  return new Decimal((num * 10n ** BigInt(PRICE_DECIMALS)) / den, PRICE_DECIMALS);
}
