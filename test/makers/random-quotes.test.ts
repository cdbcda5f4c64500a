import { afterAll, beforeAll, expect, it } from "vitest";
import { createRandom } from "../../fixtures/random.ts";
import type { DevnetToken } from "../../src/devnet/plan/layout.ts";
import { SwapError } from "../../src/domain/errors/swap-error.ts";
import type { QuoteAnswer, SwapRequest } from "../../src/quoting/answer/types.ts";
import { executeToTheWei } from "../promise/execute.ts";
import { DEVNET_TOKENS, randomRequest } from "../promise/random/random-request.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { type MakerWorld, startMakerWorld, TAKER } from "./maker-world.ts";

/**
 * Random quotes in a market of pools, makers with levels and makers without, executed at the quoted state, do to the wei
 * what was quoted. CASES and SEED in the environment change the run; TRIBUTARY_LONG=1 makes it 2,000 cases.
 */
const CASES = Number(process.env.CASES ?? (process.env.TRIBUTARY_LONG === "1" ? 2_000 : 24));
const SEED = Number(process.env.SEED ?? 4_100);
const SHOWN = [
  ["WETH", "USDH"],
  ["WBT", "WETH"],
  ["USDH", "DSD"],
  ["LOCK", "WETH"],
] as const;
const ASKED = [
  ["DAM", "WETH"],
  ["MILL", "WETH"],
  ["TIDE", "WETH"],
  ["WETH", "USDH"],
] as const;
const SYMBOLS = ["ETH", "WETH", "USDH", "USDR", "WBT", "DSD", "LOCK", "DAM", "MILL", "TIDE", "REED"];
/** Every maker answers, if late on a busy machine. */
const EVERY_ANSWER_MS = 10_000;

let world: MakerWorld;
beforeAll(async () => {
  world = await startMakerWorld(["Alpha", "Beta", "RfqGamma"], ASKED, EVERY_ANSWER_MS);
}, 120_000);
afterAll(() => world?.stop());

it(`executes ${CASES} random quotes with makers to the wei`, { timeout: 120_000 + CASES * 2_000 }, async () => {
  await world.show({
    Alpha: await world.scripted.books(SHOWN, 12n),
    Beta: await world.scripted.books(SHOWN.slice(0, 2), -15n),
  });
  world.maker("RfqGamma").books = await world.scripted.books(ASKED, 5n);
  const tokens = DEVNET_TOKENS.filter(({ symbol }) => SYMBOLS.includes(symbol));
  const seen = { executed: 0, makers: 0, rfq: 0, withPools: 0, severalMakers: 0, exactOut: 0, native: 0, fee: 0 };
  for (let seed = SEED; seen.executed < CASES; seed += 1) {
    expect(seed, JSON.stringify(seen)).toBeLessThan(SEED + 10 * CASES);
    const request = requestOf(seed, tokens);
    const answer = await quoteOf(request);
    if (answer === undefined) continue;
    await executeToTheWei(world, answer, TAKER, seed);
    const fixed = request.amount.kind === "exactIn" ? answer.sellAmount : answer.buyAmount;
    const asked = request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount;
    expect(fixed, `seed ${seed}`).toBe(asked);
    seen.executed += 1;
    const orders = answer.orders.filter(({ type }) => type === 1 || type === 2);
    if (orders.length === 0) continue;
    if (orders.some(({ type }) => type === 1)) seen.makers += 1;
    if (orders.some(({ type }) => type === 2)) seen.rfq += 1;
    if (orders.length > 1) seen.severalMakers += 1;
    if (answer.orders.some(({ type }) => type === 0)) seen.withPools += 1;
    if (request.amount.kind === "exactOut") seen.exactOut += 1;
    if (answer.orders.some(({ type }) => type === 3)) seen.native += 1;
    if (answer.fees.length > 0) seen.fee += 1;
  }
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  // Every order that was asked for came, and was as good as the levels.
  for (const maker of world.makers.figures()) expect(maker).toMatchObject({ answerRate: 1, keptRate: 1 });
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThanOrEqual(CASES / 40);
});

/** A request as others might be; one in three for a pair that is only asked about, and of a size that is dealt in. */
function requestOf(seed: number, tokens: readonly DevnetToken[]): SwapRequest {
  const random = createRandom(seed);
  const parties = { taker: TAKER, feeRecipient: testAccount(2) };
  const request: SwapRequest = { ...randomRequest(random, tokens, parties), sources: { kind: "all" } };
  if (random.chance(0.67)) return request;
  const pair = random.pick(ASKED.slice(0, 3)).map((symbol) => world.layout.token(symbol));
  const [sellToken, buyToken] = (random.chance(0.5) ? pair : pair.reverse()) as [DevnetToken, DevnetToken];
  const worth = (token: DevnetToken) =>
    (BigInt(random.below(5_000) + 1) * 10n ** 12n * 10n ** BigInt(token.decimals)) / token.picoUsd;
  const amount =
    request.amount.kind === "exactIn"
      ? ({ kind: "exactIn", sellAmount: worth(sellToken) } as const)
      : ({ kind: "exactOut", buyAmount: worth(buyToken) } as const);
  return { ...request, sellToken, buyToken, amount };
}

/** The quote, or undefined when there is honestly none for these amounts. */
async function quoteOf(request: SwapRequest): Promise<QuoteAnswer | undefined> {
  try {
    const answer = await world.quote(request);
    expect(answer.issues.simulationIncomplete).toBe(false);
    return answer.issues.balance === null ? answer : undefined;
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    const reason = error.violations[0]?.reason ?? error.reason;
    expect(["INSUFFICIENT_ASSET_LIQUIDITY", "SELL_AMOUNT_TOO_SMALL"]).toContain(reason);
    return undefined;
  }
}
