import { encodeAbiParameters, erc20Abi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { FAR, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { SwapTerms } from "../../../src/quoting/ports.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { rawSwap } from "../chain/direct.ts";

const token = compiled("PlainToken");
const AMOUNT = 100n * UNIT;
const LOTS = 2n ** 256n - 1n;

let world: World;
let gateway: Address;
let executor: Address;
beforeAll(async () => {
  world = await startWorld();
  const contracts = settlementContracts(world.weth);
  gateway = contracts.gateway.address;
  executor = contracts.executor.address;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const oneHop = () => exactIn(world, world.usd, world.dai, AMOUNT, [[world.venues.usdDai, world.usd, world.dai]]);
const wrapping = () =>
  exactIn(world, NATIVE_TOKEN, world.usd, UNIT, [
    [world.weth, NATIVE_TOKEN, world.weth],
    [world.venues.usdWeth, world.weth, world.usd],
  ]);

/** Why the contracts refuse a route under these terms. */
async function refusal(route: Route, changes: Partial<SwapTerms> = {}, value?: bigint): Promise<string> {
  const transaction = world.settlement.encode(route, termsFor(route, changes), world.actionOf);
  const call = { from: world.taker, ...transaction, ...(value === undefined ? {} : { value }) };
  return revertReason(await world.node.revertOf(call));
}

async function refusalOf(data: Hex, from = world.taker, value = 0n): Promise<string> {
  return revertReason(await world.node.revertOf({ from, to: gateway, data, value }));
}

describe("terms that the gateway holds", () => {
  it("pays exactly the minimum and not one wei less", async () => {
    const route = oneHop();
    expect(await refusal(route, { minBuyAmount: route.buyAmount + 1n })).toBe(
      `InsufficientOutput(${route.buyAmount + 1n}, ${route.buyAmount})`,
    );
    expect((await run(world, route)).bought).toBe(route.buyAmount);
  });

  it("refuses a minimum of nothing", async () => {
    expect(await refusal(oneHop(), { minBuyAmount: 0n })).toBe("ZeroMinimum()");
  });

  it("lets the deadline's own second pass and none after it", async () => {
    const { timestamp } = await world.node.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", "latest", false);
    const next = BigInt(timestamp) + 100n;
    await world.node.rpc("evm_setNextBlockTimestamp", Number(next));
    await run(world, oneHop(), { deadline: next });
    await world.node.rpc("evm_setNextBlockTimestamp", Number(next + 1n));
    await world.node.rpc("evm_mine");
    expect(await refusal(oneHop(), { deadline: next })).toBe(`DeadlinePassed(${next})`);
  });

  it("spends no more than the maximum on exact-out", async () => {
    const { usd, dai, venues } = world;
    const route = exactOut(world, usd, dai, AMOUNT, [[venues.usdDai, usd, dai]]);
    const most = route.sellAmount - 1n;
    expect(await refusal(route, { maxSellAmount: most })).toBe(`SellAmountExceeded(${most}, ${route.sellAmount})`);
  });

  it("wants exactly the native amount that is sold, and none for a token", async () => {
    expect(await refusal(wrapping(), {}, UNIT + 1n)).toBe(`WrongValue(${UNIT}, ${UNIT + 1n})`);
    expect(await refusal(wrapping(), {}, 0n)).toBe(`WrongValue(${UNIT}, 0)`);
    expect(await refusal(oneHop(), {}, 1n)).toBe("WrongValue(0, 1)");
  });

  it("brings the output to another recipient, but never to a contract of ours", async () => {
    const route = oneHop();
    const { bought, sold } = await run(world, route, { recipient: world.other });
    expect({ bought, sold }).toEqual({ bought: route.buyAmount, sold: AMOUNT });
    for (const recipient of [gateway, executor]) {
      expect((await refusal(oneHop(), { recipient })).toLowerCase()).toBe(`invalidrecipient(${recipient})`);
    }
  });

  it("refuses to sell a token for itself", async () => {
    const { usd } = world;
    expect(await refusalOf(rawSwap({ executor, sellToken: usd, buyToken: usd }, "0x0000"))).toContain("SameToken");
  });

  it("takes no native token outside a swap", async () => {
    const { node, taker } = world;
    const toGateway = await node.revertOf({ from: taker, to: gateway, data: "0x", value: 1n });
    expect(revertReason(toGateway)).toBe("UnexpectedNative()");
    const toExecutor = await node.revertOf({ from: taker, to: executor, data: "0x", value: 1n });
    expect(revertReason(toExecutor)).toContain("UnexpectedNative(");
  });
});

describe("the fee", () => {
  for (const ratePpm of [1n, 1_000n, 100_000n]) {
    it(`of ${ratePpm} ppm is taken from what really came, rounded down`, async () => {
      const { balance, dai, integrator } = world;
      const route = oneHop();
      const before = await balance(dai, integrator);
      const { bought } = await run(world, route, { fee: { ratePpm, recipient: integrator } });
      const fee = (route.buyAmount * ratePpm) / 1_000_000n;
      expect(fee).toBeGreaterThan(0n);
      expect((await balance(dai, integrator)) - before).toBe(fee);
      expect(bought).toBe(route.buyAmount - fee);
      expect(await leftBehind(world)).toBe(0n);
    });
  }

  it("is taken in native token as well", async () => {
    const { usd, weth, venues, balance, integrator } = world;
    const route = exactIn(world, usd, NATIVE_TOKEN, UNIT, [
      [venues.usdWeth, usd, weth],
      [weth, weth, NATIVE_TOKEN],
    ]);
    const before = await balance(NATIVE_TOKEN, integrator);
    const { bought } = await run(world, route, { fee: { ratePpm: 1_000n, recipient: integrator } });
    const fee = route.buyAmount / 1_000n;
    expect((await balance(NATIVE_TOKEN, integrator)) - before).toBe(fee);
    expect(bought).toBe(route.buyAmount - fee);
    expect(await leftBehind(world)).toBe(0n);
  });

  it("counts before the minimum does", async () => {
    const route = oneHop();
    const net = route.buyAmount - route.buyAmount / 1_000n;
    const fee = { ratePpm: 1_000n, recipient: world.integrator };
    expect(await refusal(route, { fee, minBuyAmount: net + 1n })).toBe(`InsufficientOutput(${net + 1n}, ${net})`);
  });

  it("never exceeds 10 %, and always has somebody to go to", async () => {
    const { usd, dai, integrator } = world;
    const terms = { executor, sellToken: usd, buyToken: dai };
    const odd = [
      { feeRatePpm: 100_001n, feeRecipient: integrator },
      { feeRatePpm: LOTS, feeRecipient: integrator },
      { feeRatePpm: 1_000n, feeRecipient: ZERO_ADDRESS },
      { feeRatePpm: 1_000n, feeRecipient: gateway },
      { feeRatePpm: 1_000n, feeRecipient: executor },
      { feeRatePpm: 0n, feeRecipient: integrator },
    ];
    for (const fee of odd) expect(await refusalOf(rawSwap({ ...terms, ...fee }, "0x0000"))).toContain("InvalidFee(");
  });
});

describe("odd tokens", () => {
  async function oddToken(
    name: "OddToken" | "ReturnlessToken" | "SayingToken",
  ): Promise<{ odd: Address; pair: Address }> {
    const { node, owner, taker, usd, give } = world;
    const odd = await node.deploy(compiled(name));
    const pair = await world.newPair(odd, usd);
    await give(odd, taker, 1_000n * UNIT);
    await node.write(taker, odd, token.abi, "approve", gateway, LOTS);
    expect(owner).not.toBe(taker);
    return { odd, pair };
  }

  async function routeOver(pair: Address, sellToken: Address, buyToken: Address) {
    const states = new Map([...world.states, [pair, await world.poolAt(pair)]]);
    return exactIn({ ...world, states }, sellToken, buyToken, AMOUNT, [[pair, sellToken, buyToken]]);
  }

  it("that return nothing are sold and bought, with and without fee", async () => {
    const { odd, pair } = await oddToken("ReturnlessToken");
    expect((await run(world, await routeOver(pair, odd, world.usd))).sold).toBe(AMOUNT);
    const route = await routeOver(pair, world.usd, odd);
    const fee = { ratePpm: 1_000n, recipient: world.integrator };
    expect((await run(world, route, { fee })).bought).toBe(route.buyAmount - route.buyAmount / 1_000n);
  });

  it("that return false move nothing", async () => {
    const { odd, pair } = await oddToken("OddToken");
    const route = await routeOver(pair, odd, world.usd);
    await world.node.write(world.owner, odd, compiled("OddToken").abi, "refuse");
    expect((await refusal(route)).toLowerCase()).toBe(`transferfailed(${odd})`);
  });

  it("are believed by the one word that means yes, with whatever behind it, and by nothing else", async () => {
    const { odd, pair } = await oddToken("SayingToken");
    const { abi } = compiled("SayingToken");
    const route = await routeOver(pair, odd, world.usd);
    const say = (words: Hex, reverts = false, after = 0n) =>
      world.node.write(world.owner, odd, abi, "say", words, reverts, after);
    const word = (value: string) => value.padStart(64, "0");
    const refused: Readonly<Record<string, Hex>> = {
      "another number": `0x${word("2")}`,
      "a number that ends like it": `0x${"1".padEnd(32, "0")}${word("1").slice(32)}`,
      "one byte": "0x01",
      "a word that is a byte short": `0x${word("1").slice(2)}`,
      "a word behind it": `0x${word("0")}${word("1")}`,
    };
    for (const [name, words] of Object.entries(refused)) {
      await say(words);
      expect((await refusal(route)).toLowerCase(), name).toBe(`transferfailed(${odd})`);
    }
    // Less than a word is none, even where what the token said before stands behind it: it has paid the gateway and the fee.
    const fee = { ratePpm: 1_000n, recipient: world.integrator };
    await say(`0x${word("0").slice(2)}`, false, 2n);
    expect((await refusal(await routeOver(pair, world.usd, odd), { fee })).toLowerCase()).toBe(
      `transferfailed(${odd})`,
    );
    await say("0x", true);
    expect((await refusal(route)).toLowerCase()).toBe(`transferfailed(${odd})`);
    await say(`0x${word("1")}${"ff".repeat(3_000)}`);
    expect((await run(world, route)).bought).toBe(route.buyAmount);
  });

  it("that revert have their reason told, and no more than the first 1,024 bytes of it", async () => {
    const { odd, pair } = await oddToken("SayingToken");
    const route = await routeOver(pair, odd, world.usd);
    const { to, data } = world.settlement.encode(route, termsFor(route), world.actionOf);
    for (const length of [1, 68, 1_024, 3_000]) {
      const words = `0x${"5a".repeat(length)}` as Hex;
      await world.node.write(world.owner, odd, compiled("SayingToken").abi, "say", words, true, 0n);
      const reason = await world.node.revertOf({ from: world.taker, to, data });
      expect(reason).toBe(`0x${"5a".repeat(Math.min(length, 1_024))}`);
    }
  });

  it("that keep a part of each transfer cannot undercut the minimum, with and without fee", async () => {
    const { odd, pair } = await oddToken("OddToken");
    const route = await routeOver(pair, world.usd, odd);
    await world.node.write(world.owner, odd, compiled("OddToken").abi, "keep", 10_000n);
    expect(await refusal(route)).toContain(`InsufficientOutput(${route.buyAmount}, `);
    const fee = { ratePpm: 1_000n, recipient: world.integrator };
    expect(await refusal(route, { fee })).toContain("InsufficientOutput(");
    const arrived = route.buyAmount - (route.buyAmount * 10_000n) / 1_000_000n;
    expect((await run(world, route, { minBuyAmount: arrived })).bought).toBe(arrived);
  });

  it("without code are no tokens", async () => {
    const nobody = "0x00000000000000000000000000000000000000aa" as Address;
    const evil = await world.node.deploy(compiled("EvilExecutor"));
    const payload = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, 0n]);
    const sold = rawSwap({ executor: evil, sellToken: nobody, buyToken: world.dai }, payload);
    expect(await refusalOf(sold)).toContain("TransferFailed(");
    const bought = rawSwap({ executor: evil, sellToken: world.usd, buyToken: nobody }, payload);
    expect(await refusalOf(bought)).toBe("reverted without a reason");
  });

  it("a recipient or a caller that refuses native token stops the swap", async () => {
    const { usd, weth, venues, node } = world;
    const refuser = await node.deploy(compiled("Refuser"));
    const out = exactIn(world, usd, NATIVE_TOKEN, UNIT, [
      [venues.usdWeth, usd, weth],
      [weth, weth, NATIVE_TOKEN],
    ]);
    expect((await refusal(out, { recipient: refuser })).toLowerCase()).toBe(`nativetransferfailed(${refuser})`);
  });
});

describe("addresses and calldata", () => {
  it("an address with dirty upper bytes is refused in every place", async () => {
    const route = oneHop();
    const { data, to } = world.settlement.encode(route, termsFor(route), world.actionOf);
    const addressWords = [0, 1, 3, 5, 8];
    for (const word of addressWords) {
      const at = 2 + 8 + word * 64;
      const dirty = `${data.slice(0, at)}01${data.slice(at + 2)}` as Hex;
      expect(await world.node.revertOf({ from: world.taker, to, data: dirty })).toBe("0x");
    }
  });

  it("a payload that lies elsewhere, or is longer than all there is, is refused", async () => {
    const route = oneHop();
    const { data, to } = world.settlement.encode(route, termsFor(route), world.actionOf);
    const [OFFSET, LENGTH] = [9, 10];
    const withWord = (word: number, value: bigint): Hex => {
      const at = 2 + 8 + word * 64;
      return `${data.slice(0, at)}${value.toString(16).padStart(64, "0")}${data.slice(at + 64)}` as Hex;
    };
    const most = 2n ** 256n - 1n;
    const offsets = [0n, 32n, 4n * 32n, 319n, 11n * 32n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, most, most - 31n];
    const lengths = [0n, 1n, 63n, 97n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, most, most - 31n];
    const refused = /without a reason|out of bounds|InvalidPayload|Unspent/;
    for (const [word, values] of [
      [OFFSET, offsets],
      [LENGTH, lengths],
    ] as const) {
      for (const value of values) {
        const reason = await world.node.revertOf({ from: world.taker, to, data: withWord(word, value) });
        expect(revertReason(reason), `word ${word} of ${value}`).toMatch(refused);
      }
    }
    // It may stand further on, where it is the same payload.
    const moved = `${withWord(OFFSET, 11n * 32n).slice(0, 2 + 8 + 10 * 64)}${"00".repeat(32)}${data.slice(2 + 8 + 10 * 64)}`;
    await world.node.send({ from: world.taker, to, data: moved as Hex });
  });

  it("a payload that is cut, stretched or of no known kind is refused", async () => {
    const { usd, dai } = world;
    const route = oneHop();
    const whole = world.settlement.encode(route, termsFor(route), world.actionOf).data;
    const payload = `0x${whole.slice(2 + 8 + 11 * 64, 2 + 8 + 11 * 64 + 2 * 32)}` as Hex;
    const terms = { executor, sellToken: usd, maxSellAmount: AMOUNT, buyToken: dai, deadline: FAR };
    await world.node.send({ from: world.taker, to: gateway, data: rawSwap(terms, payload) });
    const broken: Hex[] = ["0x", "0x00", "0x02", "0x01", payload.slice(0, -2) as Hex, `${payload}00`];
    for (const bad of broken) {
      expect(await refusalOf(rawSwap(terms, bad))).toMatch(/without a reason|out of bounds|InvalidPayload|Unmade/);
    }
    expect(await refusalOf(rawSwap(terms, "0x0000"))).toContain("Unspent(");
  });

  it("a plan that the layout allows and sense does not is refused", async () => {
    const { usd, dai, weth, venues } = world;
    const fill = (first: number, sold: number, bought: number, pool: Address) =>
      `${[first, sold, bought].map((byte) => byte.toString(16).padStart(2, "0")).join("")}3b9aca00000bb8${pool.slice(2)}`;
    const terms = { executor, sellToken: usd, maxSellAmount: AMOUNT, buyToken: dai };
    const toNext = fill(0x80, 0, 2, venues.usdWeth);
    const plans: Record<string, string> = {
      "an unknown venue": `00${fill(0x7f, 0, 1, venues.usdDai)}`,
      "an unknown destination": `00${fill(0xc0, 0, 1, venues.usdDai)}`,
      "another token than the bought one for the payee": `01${weth.slice(2)}${fill(0x40, 0, 2, venues.usdWeth)}`,
      "a V3 pool that was paid ahead": `01${weth.slice(2)}${toNext}${fill(0x41, 2, 1, venues.usdWethV3)}`,
      "a wrapper between two tokens": `00${fill(0x42, 0, 1, ZERO_ADDRESS)}`,
      "a fill cut short": `00${fill(0x40, 0, 1, venues.usdDai)}00`,
    };
    for (const [plan, payload] of Object.entries(plans)) {
      expect(await refusalOf(rawSwap(terms, `0x00${payload}`)), plan).toBe("InvalidPayload()");
    }
    await world.give(weth, world.taker, AMOUNT);
    await world.node.write(world.taker, weth, erc20Abi, "approve", gateway, AMOUNT);
    const wrap = `0x0000${fill(0x42, 0, 1, ZERO_ADDRESS)}` as Hex;
    for (const pair of [
      { sellToken: weth, buyToken: dai },
      { sellToken: usd, buyToken: NATIVE_TOKEN },
      { sellToken: usd, buyToken: weth },
    ]) {
      expect(await refusalOf(rawSwap({ ...terms, ...pair }, wrap)), JSON.stringify(pair)).toBe("InvalidPayload()");
    }
    const v3 = `0x0000${fill(0x41, 0, 1, venues.usdDaiV3)}` as Hex;
    const enormous = { ...terms, maxSellAmount: 2n ** 255n };
    expect(await refusalOf(rawSwap(enormous, v3))).toBe(`AmountTooLarge(${2n ** 255n})`);
  });

  it("a plan of a purchase that the layout allows and sense does not is refused", async () => {
    const { usd, dai, weth, venues } = world;
    const fill = (first: number, sold: number, bought: number, pool: Address, share = "3b9aca00") =>
      `${[first, sold, bought].map((byte) => byte.toString(16).padStart(2, "0")).join("")}${share}000bb8${pool.slice(2)}`;
    const terms = { executor, sellToken: usd, maxSellAmount: 2n * AMOUNT, buyToken: dai };
    const made = `01${UNIT.toString(16).padStart(64, "0")}`;
    const last = fill(0x00, 0, 1, venues.usdDai);
    const toWeth = fill(0x00, 0, 2, venues.usdWeth);
    const invalid: Record<string, string> = {
      "an unknown venue": fill(0x3f, 0, 1, venues.usdDai),
      "a venue without exact outputs": fill(0x04, 0, 1, venues.usdDai),
      "a way of being paid that there is none": fill(0x80, 2, 1, venues.usdDai),
      "a wrapper that is paid straight": fill(0x42, 2, 1, ZERO_ADDRESS),
      "the sold token, straight": fill(0x40, 0, 1, venues.usdDai),
      "the sold token, straight to a V3 pool": fill(0x41, 0, 1, venues.usdDaiV3),
      "a fill that makes the sold token": fill(0x00, 2, 0, venues.usdWeth),
      "a fill that takes the bought token": fill(0x00, 1, 2, venues.usdWeth),
      "a token of no such number": fill(0x00, 3, 1, venues.usdDai),
      "a token of no such number, made": fill(0x00, 0, 3, venues.usdDai),
    };
    for (const [plan, fills] of Object.entries(invalid)) {
      const payload = `0x${made}01${weth.slice(2)}${fills}` as Hex;
      expect(await refusalOf(rawSwap(terms, payload)), plan).toBe("InvalidPayload()");
    }
    const others: Record<string, readonly [string, RegExp]> = {
      "of no kind": [`02${made.slice(2)}00${last}`, /^InvalidPayload\(\)$/],
      "cut short": [`${made}00${last.slice(0, -2)}`, /^reverted without a reason$/],
      "with a byte too many": [`${made}00${last}00`, /^reverted without a reason$/],
      "more of a part than there is": [`${made}00${fill(0x00, 0, 1, venues.usdDai, "3b9aca01")}`, /out of range/],
      "nothing that makes it": [`${made}00`, /^Unmade\(/],
      "a part of it": [`${made}00${fill(0x00, 0, 1, venues.usdDai, "3b9ac9ff")}`, /^Unmade\(/],
      "what makes a token before what takes it": [
        `${made}01${weth.slice(2)}${toWeth}${fill(0x00, 2, 1, venues.usdDai)}`,
        /^Unmade\(|a V2 pair would pay out nothing/,
      ],
      "nothing that makes what a V3 pool takes": [
        `${made}01${weth.slice(2)}${fill(0x41, 2, 1, venues.usdDaiV3)}`,
        /^Unmade\(|out of bounds|without a reason/,
      ],
      "more than there is of numbers": [
        `01${(2n ** 255n).toString(16)}00${fill(0x01, 0, 1, venues.usdDaiV3)}`,
        /^AmountTooLarge\(/,
      ],
    };
    for (const [plan, [payload, reason]] of Object.entries(others)) {
      expect(await refusalOf(rawSwap(terms, `0x${payload}` as Hex)), plan).toMatch(reason);
    }
    await world.node.send({ from: world.taker, to: gateway, data: rawSwap(terms, `0x${made}00${last}` as Hex) });
  });

  it("a V3 pool that runs dry is not half a swap", async () => {
    const { usd, dai, venues, taker, give } = world;
    const plenty = 10n ** 9n * UNIT;
    await give(usd, taker, plenty);
    const terms = { executor, sellToken: usd, maxSellAmount: plenty, buyToken: dai };
    const pool = venues.usdDaiV3.slice(2);
    const sell = `0x0000410001${"3b9aca00"}000000${pool}` as Hex;
    expect(await refusalOf(rawSwap(terms, sell))).toContain("PartialFill(");
    const most = plenty.toString(16).padStart(64, "0");
    const buy = `0x01${most}00${"010001"}${"3b9aca00"}000000${pool}` as Hex;
    expect(await refusalOf(rawSwap(terms, buy))).toContain("PartialFill(");
  });

  it("a V2 pair is asked for less than all that it has", async () => {
    const { usd, dai, venues, balance } = world;
    const terms = { executor, sellToken: usd, maxSellAmount: LOTS, buyToken: dai };
    const reserve = await balance(dai, venues.usdDai);
    for (const amount of [reserve, reserve + 1n]) {
      const made = amount.toString(16).padStart(64, "0");
      const buy = `0x01${made}00${"000001"}${"3b9aca00"}${"000bb8"}${venues.usdDai.slice(2)}` as Hex;
      const reason = await refusalOf(rawSwap(terms, buy));
      expect(reason.toLowerCase()).toBe(`insufficientliquidity(${venues.usdDai})`);
    }
  });
});
