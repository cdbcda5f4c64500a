import { expect, it } from "vitest";
import { createRandom, type Random } from "../../fixtures/random.ts";
import { SwapError } from "../../src/domain/errors/swap-error.ts";
import { FRACTION_ONE, type QuoteAnswer, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { revertReason } from "../support/worlds/revert-reason.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { execute } from "./execute.ts";
import { useOutfittedWorld } from "./outfitted-world.ts";
import { DEVNET_TOKENS, randomRequest } from "./random/random-request.ts";

/** Number of cases within the slippage, and as many beyond it. */
const EACH = process.env.TRIBUTARY_LONG === "1" ? 300 : 6;
const LONGEST_MS = 120_000 + EACH * 10_000;
const SEED = 7_000;
const TAKER = testAccount(1);
const RIVAL = testAccount(3);
const FEE_RECIPIENT = testAccount(2);
const SLIPPAGES = [0n, FRACTION_ONE / 1_000n, FRACTION_ONE / 200n, FRACTION_ONE / 50n, FRACTION_ONE / 10n];

/** Counts of cases by outcome. */
const NONE = { within: 0, beyond: 0, impossible: 0 };

const world = useOutfittedWorld([TAKER, RIVAL]);

/**
 * Others trade between quote and execution. What the same route then gives is measured with a slippage of 100 %; the
 * quote's own limit must let it through exactly when that is within it, and else revert with the gateway's own error.
 */
it(`${EACH} quotes within their slippage succeed and ${EACH} beyond it revert`, { timeout: LONGEST_MS }, async () => {
  const tokens = DEVNET_TOKENS;
  const counts = { ...NONE };
  for (let seed = SEED; counts.within < EACH || counts.beyond < EACH; seed += 1) {
    expect(seed, `too few cases: ${JSON.stringify(counts)}`).toBeLessThan(SEED + 40 * EACH);
    const random = createRandom(seed);
    const request = {
      ...randomRequest(random, tokens, { taker: TAKER, feeRecipient: FEE_RECIPIENT }),
      slippage: random.pick(SLIPPAGES),
    };
    const quotes = await quoteTwice(request);
    if (quotes === undefined) continue;
    await world().devnet.rolledBack(async () => {
      if (!(await trade(random, request))) return;
      const kind = await compare(quotes, request, seed);
      counts[kind] += 1;
    });
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
});

interface Quotes {
  readonly answer: QuoteAnswer;
  /** Quote of the route with practically no limit. */
  readonly loose: QuoteAnswer;
}

async function quoteTwice(request: SwapRequest): Promise<Quotes | undefined> {
  try {
    const [answer, loose] = await Promise.all([
      world().quote(request),
      world().quote({ ...request, slippage: FRACTION_ONE }),
    ]);
    expect(loose.orders).toEqual(answer.orders);
    return { answer, loose };
  } catch (error) {
    if (error instanceof SwapError) return undefined;
    throw error;
  }
}

/** A rival trades over the same tokens, in either direction; false when there is no such trade. */
async function trade(random: Random, request: SwapRequest): Promise<boolean> {
  const same = random.chance(0.7);
  const [sellToken, buyToken] = same ? [request.sellToken, request.buyToken] : [request.buyToken, request.sellToken];
  const reference = request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount;
  const exactIn = (request.amount.kind === "exactIn") === same;
  const amount = (reference * BigInt(Math.ceil(random.logUniform(0.01, 3) * 1_000))) / 1_000n || 1n;
  const { fee: _, ...plain } = request;
  try {
    const rival = await world().quote({
      ...plain,
      sellToken,
      buyToken,
      amount: exactIn ? { kind: "exactIn", sellAmount: amount } : { kind: "exactOut", buyAmount: amount },
      taker: RIVAL,
    });
    const { succeeded } = await world().devnet.sendTransaction(RIVAL, { ...pick(rival), gas: rival.gas * 2n });
    return succeeded;
  } catch (error) {
    if (error instanceof SwapError) return false;
    throw error;
  }
}

function pick({ to, data, value }: QuoteAnswer) {
  return { to, data, value };
}

async function compare({ answer, loose }: Quotes, request: SwapRequest, seed: number): Promise<keyof typeof NONE> {
  const gas = answer.gas * 2n;
  const [free, bound] = [
    await execute(world(), { ...loose, gas }, TAKER),
    await execute(world(), { ...answer, gas }, TAKER),
  ];
  const exactIn = request.amount.kind === "exactIn";
  const fits = exactIn ? free.bought >= answer.minBuyAmount : free.sold <= answer.maxSellAmount;
  if (free.receipt.succeeded && fits) {
    expect({ seed, succeeded: bound.receipt.succeeded, sold: bound.sold, bought: bound.bought }).toEqual({
      seed,
      succeeded: true,
      sold: free.sold,
      bought: free.bought,
    });
    expect(bound.bought >= answer.minBuyAmount && bound.sold <= answer.maxSellAmount, `seed ${seed}`).toBe(true);
    expect(bound.leftBehind).toEqual([]);
    return "within";
  }
  expect(bound.receipt.succeeded, `seed ${seed}`).toBe(false);
  // The rival has left pools that cannot serve the route at any price.
  if (!free.receipt.succeeded) return "impossible";
  expect(revertReason(bound.receipt.revertData), `seed ${seed}`).toMatch(
    exactIn ? /^InsufficientOutput\b/ : /^(SellAmountExceeded|ExcessivePayment)\b/,
  );
  return "beyond";
}
