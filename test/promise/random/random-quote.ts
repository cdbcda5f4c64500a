import { expect } from "vitest";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { QuoteAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { SwapWorld } from "../../support/worlds/swap-world.ts";

/** A quote, or undefined where there is honestly none for these amounts, which is counted. */
export async function quoteOf(
  world: SwapWorld,
  request: SwapRequest,
  seed: number,
  refused: Map<string, number>,
): Promise<QuoteAnswer | undefined> {
  try {
    const answer = await world.quote(request);
    expect(answer.issues, `seed ${seed}`).toMatchObject({ allowance: null, simulationIncomplete: false });
    if (answer.issues.balance === null) return answer;
    count(refused, "more than the taker has");
    return undefined;
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    const reason = error.violations[0]?.reason ?? error.reason;
    expect(["INSUFFICIENT_ASSET_LIQUIDITY", "SELL_AMOUNT_TOO_SMALL"], `seed ${seed}: ${error.message}`).toContain(
      reason,
    );
    count(refused, reason);
    return undefined;
  }
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
