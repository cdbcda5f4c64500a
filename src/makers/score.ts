/** Outcome of one request for a firm order. */
export type AskOutcome =
  /** A good order in time. */
  | "good"
  /** No answer, or none in time. */
  | "silent"
  /** It declined, though its levels had offered it. */
  | "refused"
  /** Worse than its levels said. */
  | "faded"
  /** Something else than what it was asked for, or not signed by whom it should be. */
  | "invalid"
  /** The maker lacks what it sells, or has not approved it. */
  | "unfunded";

/** A maker's recent rates, 0 to 1; 1 without data. */
export interface ScoreFigures {
  /** Answers in time, of all questions. */
  readonly answerRate: number;
  /** Orders no worse than the levels, of all answers. */
  readonly keptRate: number;
  /** Orders that did what they said when simulated, of all that were. */
  readonly fillRate: number;
  /** The product of the three. */
  readonly score: number;
}

/** The record of one maker: rates over its latest questions, and a breaker that leaves it alone when it fails. */
export interface Score {
  /** Whether it may be asked, and its levels be quoted, at this time. */
  readonly open: boolean;
  asked(outcome: AskOutcome): void;
  simulated(outcome: "filled" | "failed"): void;
  figures(): ScoreFigures;
  /** Every outcome since the start, for counting. */
  readonly totals: ReadonlyMap<AskOutcome | "filled" | "failed", number>;
}

/** Questions and simulations that count. */
const WINDOW = 100;
/** Failures in a row after which a maker is left alone, how long at first, and at most as the failures go on. */
const FAILURES = 3;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 10 * 60_000;
/** A maker whose score is below this after enough questions is left alone as well. */
const MIN_SCORE = 0.5;
const ENOUGH = 20;

/** `now`: milliseconds, of a clock that never goes back. */
export function createScore(now: () => number): Score {
  const questions: AskOutcome[] = [];
  const fills: ("filled" | "failed")[] = [];
  const totals = new Map<AskOutcome | "filled" | "failed", number>();
  let inRow = 0;
  let pauses = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;

  function keep<T>(window: T[], outcome: T): void {
    window.push(outcome);
    if (window.length > WINDOW) window.shift();
  }

  function figures(): ScoreFigures {
    const answered = questions.filter((outcome) => outcome !== "silent");
    const kept = answered.filter((outcome) => outcome === "good");
    const filled = fills.filter((outcome) => outcome === "filled");
    const answerRate = rate(answered.length, questions.length);
    const keptRate = rate(kept.length, answered.length);
    const fillRate = rate(filled.length, fills.length);
    return { answerRate, keptRate, fillRate, score: answerRate * keptRate * fillRate };
  }

  /** After a pause a single good answer is enough to be trusted again, and a single failure to wait twice as long. */
  function judge(good: boolean): void {
    if (good) {
      inRow = 0;
      pauses = 0;
      return;
    }
    // Asked before the pause: what closed it once does not close it again.
    if (now() < closedUntil) return;
    inRow += 1;
    const poor = questions.length >= ENOUGH && figures().score < MIN_SCORE;
    if (inRow < FAILURES && pauses === 0 && !poor) return;
    closedUntil = now() + Math.min(FIRST_PAUSE_MS * 2 ** pauses, MAX_PAUSE_MS);
    pauses += 1;
  }

  return {
    get open() {
      return now() >= closedUntil;
    },
    asked(outcome) {
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
      keep(questions, outcome);
      judge(outcome === "good");
    },
    simulated(outcome) {
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
      keep(fills, outcome);
      if (outcome === "failed") judge(false);
    },
    figures,
    totals,
  };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
