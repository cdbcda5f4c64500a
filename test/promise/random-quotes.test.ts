import { afterAll, beforeAll, expect, it } from "vitest";
import { SwapError } from "../../src/domain/swap-error.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import type { QuoteAnswer, SwapRequest } from "../../src/quoting/answers.ts";
import { createRandom } from "../support/random.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/swap-world.ts";
import { type Coverage, cover, noCoverage } from "./coverage.ts";
import { execute, outfit } from "./execute.ts";
import { devnetTokens, randomRequest } from "./random-request.ts";

/**
 * The promise: random quotes, executed at the quoted state, do to the wei what was quoted. CASES and SEED in the
 * environment change the run; TRIBUTARY_LONG=1 makes it 20,000 cases.
 */
const CASES = Number(process.env.CASES ?? (process.env.TRIBUTARY_LONG === "1" ? 20_000 : 320));
const SEED = Number(process.env.SEED ?? 20_261_120);
const TAKER = testAccount(1);
const FEE_RECIPIENT = testAccount(2);
/** So many cases are enough for every source of the devnet to have a part in one. */
const ENOUGH_FOR_ALL = 320;
/** Part of all cases that each kind has to make up. */
const LEAST_PART = 0.15;

let world: SwapWorld;
let snapshot: Snapshot;

beforeAll(async () => {
  world = await startSwapWorld();
  await outfit(world, TAKER);
  snapshot = await world.follow();
});
afterAll(() => world?.stop());

it(`executes ${CASES} random quotes to the wei`, { timeout: 120_000 + CASES * 500 }, async () => {
  const tokens = devnetTokens();
  const coverage: Coverage = noCoverage();
  const refused = new Map<string, number>();
  const used = new Map<string, number>();
  const gasErrors: number[] = [];
  let executed = 0;
  for (let attempt = 0; executed < CASES; attempt += 1) {
    const seed = SEED + attempt;
    const request = randomRequest(createRandom(seed), tokens, { taker: TAKER, feeRecipient: FEE_RECIPIENT });
    const answer = await quoteOf(request, seed, refused);
    if (answer === undefined) continue;
    const done = await execute(world, answer, TAKER);
    const gross = answer.grossBuyAmount;
    expect({ seed, ...done }).toMatchObject({
      receipt: { succeeded: true },
      sold: answer.sellAmount,
      bought: answer.buyAmount,
      fee: answer.fee?.amount ?? 0n,
      leftBehind: [],
    });
    expect(gross - (answer.fee?.amount ?? 0n)).toBe(answer.buyAmount);
    expect(request.amount.kind === "exactIn" ? answer.sellAmount : answer.buyAmount, `seed ${seed}`).toBe(
      request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount,
    );
    const valued = (await world.price({ ...without(request, "taker"), skipValidation: true })).estimatedGas;
    gasErrors.push(Number(valued) / Number(done.receipt.gasUsed) - 1);
    cover(coverage, request, answer, snapshot.graph);
    for (const source of new Set(answer.route.fills.map((fill) => fill.source))) count(used, source);
    executed += 1;
  }
  gasErrors.sort((a, b) => a - b);
  const at = (part: number) =>
    `${(100 * (gasErrors[Math.floor(part * (gasErrors.length - 1))] as number)).toFixed(1)} %`;
  process.stdout.write(
    `${JSON.stringify({ executed, ...coverage, refused: Object.fromEntries(refused), used: Object.fromEntries(used) })}\n` +
      `model gas against used gas: least ${at(0)}, 5th percentile ${at(0.05)}, median ${at(0.5)}, 95th ${at(0.95)}, most ${at(1)}\n`,
  );
  if (CASES >= ENOUGH_FOR_ALL) expect([...used.keys()].sort()).toEqual([...world.sources.keys()].sort());
  for (const [kind, count] of Object.entries(coverage)) expect(count, kind).toBeGreaterThanOrEqual(CASES * LEAST_PART);
});

/** The quote, or undefined when there is honestly none for these amounts. */
async function quoteOf(
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

function without<T, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
