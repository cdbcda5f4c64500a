import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { Token } from "../../../src/domain/token.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute, outfit } from "../../promise/execute.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";
import { misfitsOn, SHARES } from "../blocks/misfits.ts";

/** A token that keeps shares, as stETH does, and its wrapper: sold to the wei by way of that, and nothing else. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const UNIT = 10n ** 18n;
const USD = 10n ** 6n;
const TAKER = testAccount(41);
/** Units that a transfer of shares may miss. */
const MAX_ROUNDED = 4n;

let world: SwapWorld;
let [share, wrapper]: Address[] = [];

beforeAll(async () => {
  world = await startSwapWorld({
    everyTokenIsHop: true,
    async record(record, devnet) {
      const misfits = misfitsOn(devnet);
      share = await misfits.shareToken("SHARE");
      wrapper = await misfits.shareWrapper(share);
      const tokens = [{ token: wrapper, underlying: share, totals: share, keepsShares: true as const }];
      const venue = { protocol: "rate-token", source: "Share_Tokens", fromBlock: 0n, tokens } as const;
      return { ...record, venues: [...record.venues, venue] };
    },
  });
  const { devnet, settlement } = world;
  const misfits = misfitsOn(devnet);
  await misfits.call(share!, SHARES, "fill", 234_567_890_123_456_789_012_345_678n, 0n);
  await misfits.call(share!, SHARES, "back", 98_765_432_109_876_543_210_987n);
  await misfits.call(share!, SHARES, "approve", wrapper, 2n ** 255n);
  await misfits.wrap(wrapper!, 5_000_000n * UNIT);
  const usdh = devnet.tokens.find(({ symbol }) => symbol === "USDH")!;
  await misfits.pair(usdh.address, 2_000_000n * USD, wrapper!, 1_000_000n * UNIT);
  // A pair that would pay more for the shares themselves, by its own word.
  await misfits.pair(usdh.address, 9_000_000n * USD, share!, 1_000_000n * UNIT);
  await outfit(world, [TAKER]);
  await devnet.fund(share!, TAKER, 10_000n * UNIT);
  await devnet.approve(share!, TAKER, settlement.allowanceTarget, 2n ** 256n - 1n);
  await devnet.mine();
  await world.follow();
});
afterAll(() => world?.stop());

const listed = (symbol: string): Token => world.devnet.tokens.find((token) => token.symbol === symbol)!;
const shares = (): Token => ({ address: share!, symbol: "SHARE", name: "SHARE", decimals: 18 });
const wrapped = (): Token => ({ address: wrapper!, symbol: "wSHARE", name: "Wrapped shares", decimals: 18 });

function sale(sellToken: Token, buyToken: Token, sellAmount: bigint): SwapRequest {
  return {
    ...{ sellToken, buyToken, slippage: FRACTION_ONE / 100n, sources: { kind: "all" }, skipValidation: false },
    ...{ amount: { kind: "exactIn", sellAmount }, taker: TAKER },
  };
}

const refusalOf = (call: Promise<unknown>): Promise<SwapError> =>
  call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error) => error,
  );

it("is sold to the wei into its wrapper and beyond, whatever its transfers miss", async () => {
  const seen = { missed: 0, beyond: 0 };
  for (let index = 0; index < 12; index++) {
    const amount = UNIT + 1_234_567_890_123n * BigInt(index) ** 3n + BigInt(index);
    const buyToken = index % 2 === 0 ? wrapped() : listed("USDH");
    const quote = await world.quote(sale(shares(), buyToken, amount));
    expect(quote.issues.simulationIncomplete).toBe(false);
    expect(quote.route.tokens.map(({ address }) => address).slice(0, 2)).toEqual([share, wrapper]);
    // Somebody's shares lie with the executor.
    if (index === 6) await world.devnet.fund(share!, world.settlement.contracts[1]!, 3n);
    const done = await execute(world, quote, TAKER);
    expect(done.receipt.succeeded, done.receipt.revertData).toBe(true);
    expect(done.bought).toBe(quote.buyAmount);
    expect(done.sold).toBeLessThanOrEqual(amount);
    expect(amount - done.sold).toBeLessThanOrEqual(MAX_ROUNDED);
    if (done.sold < amount) seen.missed++;
    if (buyToken.address !== wrapper) seen.beyond++;
  }
  expect(Math.min(seen.missed, seen.beyond)).toBeGreaterThan(0);
});

it("is not bought, nor on the way of anything else: what arrives depends on the receiver's shares", async () => {
  for (const sellToken of [wrapped(), listed("USDH")]) {
    for (const call of [world.price, world.quote]) {
      const { violations } = await refusalOf(call(sale(sellToken, shares(), USD)));
      expect(violations).toMatchObject([{ field: "buyToken", reason: "TOKEN_NOT_SUPPORTED" }]);
      expect(violations[0]?.description).toMatch(/SHARE .* is not exact: a transfer of \d+ base units/);
    }
  }
  const { route } = await world.price(sale(wrapped(), listed("USDH"), UNIT));
  expect(route.tokens.map(({ address }) => address)).not.toContain(share);
});

it("has no fee of the sold shares and no transfer by Permit2, and says what to send", async () => {
  const selling = sale(shares(), listed("USDH"), UNIT);
  const fee = { recipient: testAccount(42), ratePpm: 1_000n };
  const refusals = [
    await refusalOf(world.quote({ ...selling, fee: { ...fee, fromSold: true } })),
    await refusalOf(world.quote({ ...selling, approvalMode: "permit2" as const })),
  ];
  expect(refusals.map(({ violations }) => violations[0]?.field)).toEqual(["swapFeeToken", "approvalMode"]);
  for (const { violations } of refusals)
    expect(violations[0]?.description).toMatch(/SHARE .* rounds what is transferred/);
  const quote = await world.quote({ ...selling, fee });
  expect((await execute(world, quote, TAKER)).bought).toBe(quote.buyAmount);
});
