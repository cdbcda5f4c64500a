import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Address, type Hex, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { Token } from "../../../src/domain/token.ts";
import { FRACTION_ONE, type PriceAnswer, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld } from "../../support/worlds/swap-world.ts";
import { MISFIT, misfitsOn, SHARES } from "../blocks/misfits.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const UNIT = 10n ** 18n;
const USD = 10n ** 6n;

let world: SwapWorld;
let misfits: ReturnType<typeof misfitsOn>;
let state: Hex;

beforeAll(async () => {
  world = await startSwapWorld({ everyTokenIsHop: true });
  misfits = misfitsOn(world.devnet);
});
afterAll(() => world?.stop());
beforeEach(async () => {
  state = await world.devnet.snapshot();
});
afterEach(async () => {
  await world.devnet.revert(state);
  await world.devnet.mine();
  await world.follow();
});

const listed = (symbol: string): Token => world.devnet.tokens.find((token) => token.symbol === symbol)!;

function tokenAt(address: Address, symbol: string): Token {
  return { address, symbol, name: symbol, decimals: 18 };
}

function sale(sellToken: Token, buyToken: Token, sellAmount: bigint): SwapRequest {
  return {
    ...{ sellToken, buyToken, slippage: FRACTION_ONE / 100n, sources: { kind: "all" }, skipValidation: true },
    amount: { kind: "exactIn", sellAmount },
  };
}

const overDollars = () => sale(listed("USDH"), listed("DSD"), 50_000n * USD);

/** Pairs of a token with USDH and DSD, so deep and so cheap that no other way between the two pays as much. */
async function openShortcut(token: Address): Promise<readonly Address[]> {
  const pools = [
    await misfits.pair(listed("USDH").address, 5_000_000n * USD, token, 5_000_000n * UNIT),
    await misfits.pair(token, 5_000_000n * UNIT, listed("DSD").address, 5_500_000n * UNIT),
  ];
  await world.follow();
  return pools;
}

const poolsOf = ({ route }: PriceAnswer) => route.fills.map(({ pool }) => pool);

async function refusalOf(call: Promise<unknown>): Promise<SwapError> {
  return call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error) => error,
  );
}

const verdictOn = (token: Address) => world.chain.verdicts.keptOut().get(token);

describe("a shortcut over a token", () => {
  it("is taken while the token is plain, and left at the first look when it takes a fee", async () => {
    const plain = await world.price(overDollars());
    for (const ppm of [0n, 10_000n]) {
      const token = await misfits.misfit(`M${ppm}`);
      await misfits.call(token, MISFIT, "keep", ppm, ZERO_ADDRESS);
      const pools = await openShortcut(token);
      const price = await world.price(overDollars());
      for (const pool of pools) expect(poolsOf(price).includes(pool)).toBe(ppm === 0n);
      if (ppm === 0n) expect(price.buyAmount).toBeGreaterThan(plain.buyAmount);
      else expect(verdictOn(token)).toBe("keeps 1 % of what is transferred (100 bps, fee on transfer)");
    }
  });

  it("is left when the fee comes later: a simulation that fails finds it, and no pool is blamed", async () => {
    const token = await misfits.misfit("LATE");
    const pools = await openShortcut(token);
    const before = await world.quote({ ...overDollars(), skipValidation: false });
    expect(poolsOf(before)).toEqual(expect.arrayContaining([...pools]));

    await misfits.call(token, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    await world.follow();
    expect(verdictOn(token)).toBeUndefined();
    const after = await world.quote({ ...overDollars(), skipValidation: false });
    for (const pool of pools) expect(poolsOf(after)).not.toContain(pool);
    expect(after.issues.simulationIncomplete).toBe(false);
    expect(verdictOn(token)).toContain("keeps 1 %");
    expect(poolsOf(await world.price(overDollars()))).toEqual(poolsOf(after));
    for (let block = 0; block < 4; block++) {
      await world.devnet.mine();
      await world.follow();
    }
    expect(world.chain.status().quarantined.size).toBe(0);
  });

  it("is left by a price that is simulated, too", async () => {
    const token = await misfits.misfit("SEEN");
    const pools = await openShortcut(token);
    expect(poolsOf(await world.price(overDollars()))).toContain(pools[0]);
    await misfits.call(token, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    await world.follow();
    const price = await world.price({ ...overDollars(), skipValidation: false });
    for (const pool of pools) expect(poolsOf(price)).not.toContain(pool);
  });

  it("is taken again after the fee is gone", async () => {
    const token = await misfits.misfit("GONE");
    await misfits.call(token, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    const [pool] = await openShortcut(token);
    expect(poolsOf(await world.price(overDollars()))).not.toContain(pool);
    await misfits.call(token, MISFIT, "keep", 0n, ZERO_ADDRESS);
    await world.devnet.rpc("anvil_mine", ["0x19"]);
    await world.follow();
    await expect.poll(() => verdictOn(token)).toBeUndefined();
    expect(poolsOf(await world.price(overDollars()))).toContain(pool);
  });
});

describe("what does not move exactly", () => {
  it.each([
    [
      "keeps shares",
      () => misfits.shareToken("SHARE"),
      (token: Address) => misfits.call(token, SHARES, "fill", 123_456_789_012_345_678_901n, 0n),
      /^is not exact: a transfer of \d+ base units takes \d+ from the sender and gives the receiver \d+ \(balances kept/,
    ],
    [
      "grows with time",
      () => misfits.shareToken("GROW"),
      (token: Address) => misfits.call(token, SHARES, "fill", 0n, UNIT),
      /^(changes balances without a transfer|is not exact)/,
    ],
    [
      "pays only some",
      () => misfits.misfit("CLUB"),
      (token: Address) => misfits.call(token, MISFIT, "payOnly", true, [world.devnet.whale]),
      /^refuses transfers \(the receiver is not listed\)$/,
    ],
    [
      "returns false",
      () => misfits.misfit("FALSE"),
      (token: Address) => misfits.call(token, MISFIT, "refuse", true),
      /^refuses transfers \(it does not return true\)$/,
    ],
  ])("a token that %s is on no route and cannot be asked for", async (_, deploy, spoil, reason) => {
    const token = await deploy();
    const [first, second] = await openShortcut(token);
    await spoil(token);
    await world.follow();
    const price = await world.price(overDollars());
    for (const pool of [first, second]) expect(poolsOf(price)).not.toContain(pool);
    expect(verdictOn(token)).toMatch(reason);

    const odd = tokenAt(token, "ODD");
    for (const ask of [world.price, world.quote]) {
      const sold = await refusalOf(ask(sale(odd, listed("USDH"), UNIT)));
      expect(sold.kind).toBe("INVALID_PARAMETERS");
      expect(sold.violations).toMatchObject([{ field: "sellToken", reason: "TOKEN_NOT_SUPPORTED" }]);
      expect(sold.violations[0]?.description).toContain(`ODD (${token}) ${verdictOn(token)}.`);
      const bought = await refusalOf(ask(sale(listed("USDH"), odd, USD)));
      expect(bought.violations).toMatchObject([{ field: "buyToken", reason: "TOKEN_NOT_SUPPORTED" }]);
    }
  });

  it("is named where it alone stands in the way of a route", async () => {
    const [taxed, far] = [await misfits.misfit("TAXED"), await misfits.misfit("FAR")];
    await misfits.call(taxed, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    await misfits.pair(listed("USDH").address, 1_000_000n * USD, taxed, 1_000_000n * UNIT);
    await misfits.pair(taxed, 1_000_000n * UNIT, far, 1_000_000n * UNIT);
    await world.follow();
    const { kind, violations } = await refusalOf(world.price(sale(listed("USDH"), tokenAt(far, "FAR"), USD)));
    expect(kind).toBe("INSUFFICIENT_ASSET_LIQUIDITY");
    expect(violations[0]?.description).toContain(
      `pools with tokens that do not move exactly are left out: ${taxed} keeps 1 % of what is transferred`,
    );
  });
});

it("a token that returns nothing, and one of many decimals, are traded like others", async () => {
  const odd = [await misfits.returnless("VOID"), await misfits.misfit("WIDE", 36)];
  for (const token of odd) {
    const [pool] = await openShortcut(token);
    const quote = await world.quote({ ...overDollars(), skipValidation: false });
    expect(poolsOf(quote)).toContain(pool);
    expect(quote.issues.simulationIncomplete).toBe(false);
  }
});
