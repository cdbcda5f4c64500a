import { afterAll, beforeAll, expect, it } from "vitest";
import { createRandom } from "../../fixtures/random.ts";
import type { SwapRequest } from "../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { withEveryVenue } from "../support/worlds/venues/every-venue.ts";
import { executeToTheWei, outfit } from "./execute.ts";
import { count, quoteOf } from "./random/random-quote.ts";
import { DEVNET_TOKENS, randomRequest } from "./random/random-request.ts";

/** The promise over venues that the devnet has no pools of. CASES and SEED change the run; TRIBUTARY_LONG=1 makes it 20,000 cases. */
const CASES = Number(process.env.CASES ?? (process.env.TRIBUTARY_LONG === "1" ? 20_000 : 24));
const SEED = Number(process.env.SEED ?? 37_000);
const TAKER = testAccount(11);
const FEE_RECIPIENT = testAccount(12);

let world: SwapWorld;
/** Sources beside the devnet's own. */
let added: readonly string[];

beforeAll(async () => {
  let own: readonly string[] = [];
  world = await startSwapWorld({
    record: (record, devnet) => {
      own = record.venues.map(({ source }) => source);
      return withEveryVenue(record, devnet);
    },
  });
  added = [...world.sources.keys()].filter((source) => !own.includes(source));
  await outfit(world, [TAKER, FEE_RECIPIENT]);
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

it(`executes ${CASES} random quotes to the wei`, { timeout: 120_000 + CASES * 1_500 }, async () => {
  const used = new Map<string, number>();
  const [refused, mixed] = [new Map<string, number>(), { all: 0, exactOut: 0 }];
  let executed = 0;
  for (let seed = SEED; executed < CASES; seed += 1) {
    const request = drawn(seed);
    const answer = await quoteOf(world, request, seed, refused);
    if (answer === undefined) continue;
    // Fluid pays a token of eighteen decimals in units of twelve.
    const isRounded = request.amount.kind === "exactOut" && answer.route.fills.some(({ source }) => source === "Fluid");
    await executeToTheWei(world, answer, TAKER, seed, isRounded ? 999_999n : 0n);
    executed += 1;
    const sources = new Set(answer.route.fills.map(({ source }) => source));
    for (const source of sources) count(used, source);
    if (sources.size > 1) mixed.all += 1;
    if (request.amount.kind === "exactOut") mixed.exactOut += 1;
  }
  process.stdout.write(`${JSON.stringify({ executed, ...mixed, used: [...used], refused: [...refused] })}\n`);
  expect(added.filter((source) => !used.has(source))).toEqual([]);
  expect(mixed.all).toBeGreaterThan(CASES / 4);
  expect(mixed.exactOut).toBeGreaterThan(CASES / 6);
});

it("buys any amount of Fluid's pools for the taker itself, who keeps what their twelve decimals bring beyond", async () => {
  const token = (symbol: string) => DEVNET_TOKENS.find((each) => each.symbol === symbol)!;
  const asked = {
    ...{ sellToken: token("USDH"), buyToken: token("DSD"), taker: TAKER, slippage: 10n ** 16n, skipValidation: false },
    sources: { kind: "only", ids: ["Fluid"] },
  } as const;
  for (const [buyAmount, more] of [
    [1_234_567_890_123_456_789_012n, 210_988n],
    [999_999_999_999_999_999_999n, 1n],
    [10n ** 21n, 0n],
  ] as const) {
    const answer = await world.quote({ ...asked, amount: { kind: "exactOut", buyAmount } });
    const { bought } = await executeToTheWei(world, answer, TAKER, 0, more);
    expect(bought - buyAmount).toBe(more);
  }
});

/** A request between tokens that these pools have, over all sources, or over these pools and one more. */
function drawn(seed: number): SwapRequest {
  const random = createRandom(seed);
  const request = randomRequest(random, DEVNET_TOKENS, { taker: TAKER, feeRecipient: FEE_RECIPIENT });
  const isOnly = random.chance(0.75);
  return { ...request, sources: isOnly ? { kind: "only", ids: [...added, "Uniswap_V2"] } : { kind: "all" } };
}
