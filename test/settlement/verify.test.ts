import fc from "fast-check";
import { decodeFunctionData, encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { termsFor } from "../../fixtures/settlement/swap.ts";
import { type Hex, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../src/domain/address.ts";
import { type ExactInRoute, type Fill, fillsOf, type Route, SHARE_ONE } from "../../src/domain/route.ts";
import { grossFor } from "../../src/quoting/cost/amounts.ts";
import type { SwapTerms } from "../../src/quoting/ports.ts";
import { gatewayArtifact } from "../../src/settlement/artifacts.ts";
import { createSettlement } from "../../src/settlement/settlement.ts";
import { type AnyAction, CODECS } from "../../src/venues/index.ts";
import { census, type RandomRoute, randomRoute, WRAPPED } from "./random/random-routes.ts";

const settlement = createSettlement({ codecs: CODECS, wrappedNative: WRAPPED, deployed: true });
const someone = toAddress(`0x${"5e".repeat(20)}`);
const fee = { ratePpm: 1_500n, recipient: someone };

const encoded = ({ route, action }: RandomRoute, terms: SwapTerms) => settlement.encode(route, terms, action);

describe("encode and verify", () => {
  it("agree on every route", () => {
    const seen: RandomRoute[] = [];
    fc.assert(
      fc.property(randomRoute, fc.boolean(), (random, withFee) => {
        seen.push(random);
        const terms = termsFor(random.route, withFee ? { fee, recipient: someone } : {});
        const transaction = encoded(random, terms);
        settlement.verify(transaction, random.route, terms, random.action);
        const { abi } = gatewayArtifact;
        const call = decodeFunctionData({ abi, data: transaction.data });
        expect(encodeFunctionData({ abi, ...call })).toBe(transaction.data);
      }),
      { seed: 20_26, numRuns: 400 },
    );
    const counts = census(seen);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(60);
  });

  it("agree on every order, and disagree when any byte of it is another", () => {
    const others = [
      { ratePpm: 7n, recipient: WRAPPED },
      { ratePpm: 98_000n, recipient: someone },
    ];
    const signed: readonly SwapTerms["signed"][] = [
      undefined,
      { kind: "eip2612", owner: someone },
      { kind: "permit2", owner: someone, nonce: 2n ** 255n + 7n },
    ];
    const changes = signed.flatMap((by): Partial<SwapTerms>[] => {
      const drawn = by === undefined ? {} : { signed: by };
      return [
        { ...drawn, fee: { ...fee, others } },
        { ...drawn, fee: { ...fee, others, fromSold: true }, recipient: someone },
        { ...drawn, surplus: { quotedBuyAmount: 2n, ratePpm: 500_000n, recipient: someone } },
        ...(by === undefined ? [] : [drawn]),
      ];
    });
    let mutated = 0;
    fc.assert(
      fc.property(randomRoute, fc.constantFrom(...changes), fc.integer({ min: 1, max: 255 }), (random, change, bit) => {
        const { route: plan, action: act } = random;
        const isNative = plan.sellToken === NATIVE_TOKEN;
        fc.pre(!(isNative && change.signed !== undefined));
        // The route sells the rest after a fee on the sold token.
        const most = (amount: bigint) => (change.fee?.fromSold === true ? grossFor(amount, change.fee) : amount);
        const given = termsFor(plan, { ...change, maxSellAmount: most(plan.sellAmount), minBuyAmount: 1n });
        const whole = plan.kind === "exactIn" && !isNative ? { ...given, wholeBalance: true } : given;
        const transaction = settlement.encode(plan, whole, act);
        settlement.verify(transaction, plan, whole, act);
        const bytes = Buffer.from(transaction.data.slice(2), "hex");
        for (let at = 0; at < bytes.length; at += 3) {
          bytes[at]! ^= bit;
          const data = `0x${bytes.toString("hex")}` as Hex;
          expect(() => settlement.verify({ ...transaction, data }, plan, whole, act)).toThrow();
          bytes[at]! ^= bit;
          mutated++;
        }
      }),
      { seed: 20_29, numRuns: 60 },
    );
    expect(mutated).toBeGreaterThan(10_000);
  });

  it("disagree when any byte of the transaction is another", () => {
    let mutated = 0;
    const seen = new Set<string>();
    fc.assert(
      fc.property(randomRoute, fc.integer({ min: 1, max: 255 }), (random, change) => {
        const terms = termsFor(random.route, { fee });
        const transaction = encoded(random, terms);
        for (const fill of fillsOf(random.route)) seen.add(random.action(fill).action);
        const bytes = Buffer.from(transaction.data.slice(2), "hex");
        for (let at = 0; at < bytes.length; at++) {
          bytes[at]! ^= change;
          const data = `0x${bytes.toString("hex")}` as Hex;
          expect(() => settlement.verify({ ...transaction, data }, random.route, terms, random.action)).toThrow();
          bytes[at]! ^= change;
          mutated++;
        }
      }),
      { seed: 20_27, numRuns: 60 },
    );
    expect(mutated).toBeGreaterThan(8_000);
    const all = new Set(CODECS.flatMap(({ encoder }): readonly string[] => encoder.actions));
    expect([...seen].sort(), "add the missing action to anyVenue in random/random-routes.ts").toEqual([...all].sort());
  });

  it("disagree when bytes are missing or left over", () => {
    fc.assert(
      fc.property(randomRoute, fc.integer({ min: 1, max: 40 }), (random, count) => {
        const terms = termsFor(random.route);
        const transaction = encoded(random, terms);
        const longer = `${transaction.data}${"00".repeat(count)}` as Hex;
        const shorter = transaction.data.slice(0, -2 * count) as Hex;
        for (const data of [longer, shorter]) {
          expect(() => settlement.verify({ ...transaction, data }, random.route, terms, random.action)).toThrow();
        }
      }),
      { seed: 20_28, numRuns: 100 },
    );
  });
});

const route: ExactInRoute = {
  ...{ kind: "exactIn", sellToken: toAddress(`0x${"11".repeat(20)}`), buyToken: toAddress(`0x${"22".repeat(20)}`) },
  ...{ sellAmount: 1_000n, buyAmount: 990n },
  fills: [
    {
      ...{ poolId: `0x${"33".repeat(20)}`, source: "Test", gas: 60_000n, share: SHARE_ONE },
      ...{ sellToken: toAddress(`0x${"11".repeat(20)}`), buyToken: toAddress(`0x${"22".repeat(20)}`) },
      ...{ sellAmount: 1_000n, buyAmount: 990n },
    },
  ],
};
const action = () => ({ action: "v2-pair", pair: toAddress(`0x${"33".repeat(20)}`), feePpm: 3_000 }) as const;

describe("verify", () => {
  const terms = termsFor(route, { fee });
  const transaction = settlement.encode(route, terms, action);

  it("names what differs from what was promised", () => {
    const changes: Record<string, Partial<SwapTerms>> = {
      sellToken: { sellToken: someone },
      maxSellAmount: { maxSellAmount: 1_001n },
      buyToken: { buyToken: someone },
      minBuyAmount: { minBuyAmount: terms.minBuyAmount + 1n },
      recipient: { recipient: someone },
      deadline: { deadline: terms.deadline + 1n },
      "fee rate": { fee: { ...fee, ratePpm: 1_501n } },
      "fee recipient": { fee: { ...fee, recipient: WRAPPED } },
    };
    for (const [what, change] of Object.entries(changes)) {
      expect(() => settlement.verify(transaction, route, { ...terms, ...change })).toThrow(what);
    }
  });

  it("holds the route against the terms", () => {
    const fill = route.fills[0]!;
    const others: Record<string, Route> = {
      "route sellToken": { ...route, sellToken: someone },
      "route buyToken": { ...route, buyToken: someone },
      "route sellAmount": { ...route, sellAmount: 999n },
      kind: { ...route, kind: "exactOut", fills: [fill] },
    };
    for (const [what, other] of Object.entries(others)) {
      expect(() => settlement.verify(transaction, other, terms)).toThrow(what);
    }
    const bought: Route = { ...route, kind: "exactOut", fills: [fill] };
    const most = termsFor(bought, { fee });
    const buying = settlement.encode(bought, most, action);
    settlement.verify(buying, bought, most);
    const dearer = { ...bought, sellAmount: bought.sellAmount + 1n };
    expect(() => settlement.verify(buying, dearer, most)).toThrow("the route sells more than maxSellAmount");
    expect(() => settlement.verify(buying, { ...bought, buyAmount: 991n }, most)).toThrow("made amount");
    expect(() => settlement.verify(buying, route, most)).toThrow("kind");
  });

  describe("an exact-in payload", () => {
    const middle = toAddress(`0x${"44".repeat(20)}`);
    const first: Fill = { ...route.fills[0]!, buyToken: middle };
    const second: Fill = { ...route.fills[0]!, poolId: `0x${"55".repeat(20)}`, sellToken: middle };
    const over = (...fills: readonly Fill[]): ExactInRoute => ({ ...route, fills });
    const pairs = ({ poolId }: Fill): AnyAction => ({ ...action(), pair: toAddress(poolId) });
    /** Kind, number of tokens between, the one between; then fills. */
    const FIRST_FILL = 2 * (2 + 20);
    const FILL = 2 * 30;

    /** Verifies a route whose payload was changed after it was encoded. */
    function verifyChanged(changed: ExactInRoute, change: (payload: string) => string, venueOf = pairs): void {
      const sent = settlement.encode(changed, terms, venueOf);
      settlement.verify(sent, changed, terms, venueOf);
      const { abi } = gatewayArtifact;
      const [given, encodedPayload] = decodeFunctionData({ abi, data: sent.data }).args as readonly [unknown, Hex];
      const payload = `0x${change(encodedPayload.slice(2))}`;
      const data = encodeFunctionData({ abi, functionName: "swap", args: [given, payload] });
      settlement.verify({ ...sent, data }, changed, terms, venueOf);
    }
    const withDestination = (fill: number, destination: number) => (payload: string) => {
      const at = FIRST_FILL + fill * FILL;
      const first = (Number.parseInt(payload.slice(at, at + 2), 16) % 64) + 64 * destination;
      return `${payload.slice(0, at)}${first.toString(16).padStart(2, "0")}${payload.slice(at + 2)}`;
    };

    it("names no output's way but the one", () => {
      for (const [fill, right] of [2, 1].entries()) {
        for (let destination = 0; destination < 4; destination++) {
          const verifying = () => verifyChanged(over(first, second), withDestination(fill, destination));
          if (destination === right) verifying();
          else expect(verifying, `fill ${fill} to ${destination}`).toThrow();
        }
      }
    });

    it("pays nobody ahead but a pair that takes all of it, next", () => {
      const toV3 = (fill: Fill): AnyAction =>
        fill.poolId === second.poolId ? { action: "v3-pool", pool: toAddress(fill.poolId) } : pairs(fill);
      const ahead = withDestination(0, 2);
      expect(() => verifyChanged(over(first, second), ahead, toV3)).toThrow("was paid ahead");
      const half = SHARE_ONE / 2n;
      expect(() => verifyChanged(over(first, { ...second, share: half }), ahead)).toThrow("was paid ahead");
      const beside: Fill = { ...route.fills[0]!, poolId: `0x${"66".repeat(20)}` };
      const apart = over({ ...first, share: half }, beside, second);
      expect(() => verifyChanged(apart, ahead)).toThrow("was paid ahead");
      const [more, less] = [
        { ...second, share: half },
        { ...second, poolId: beside.poolId },
      ];
      expect(() => verifyChanged(over(first, less, more), ahead)).toThrow("others make or take");
      const again: Fill = { ...first, poolId: beside.poolId };
      expect(() => verifyChanged(over({ ...first, share: half }, again, second), withDestination(1, 2))).toThrow(
        "others make or take",
      );
    });

    it("lists no token twice, and none that is not spent", () => {
      const twice = (payload: string) => `0002${payload.slice(4, 44)}${payload.slice(4)}`;
      expect(() => verifyChanged(over(first, second), twice)).toThrow("tokens listed twice");
      const other = (payload: string) => `0002${payload.slice(4, 44)}${"77".repeat(20)}${payload.slice(44)}`;
      expect(() => verifyChanged(over(first, second), other)).toThrow("is listed and not spent");
    });
  });

  it("lets the highest fee be", () => {
    const highest = termsFor(route, { fee: { ...fee, ratePpm: 100_000n } });
    settlement.verify(settlement.encode(route, highest, action), route, highest);
  });

  it("holds target and value against the promise", () => {
    expect(() => settlement.verify({ ...transaction, to: someone }, route, terms)).toThrow("to");
    expect(() => settlement.verify({ ...transaction, value: 1n }, route, terms)).toThrow("value");
  });

  it("refuses promises that nobody should make", () => {
    const none = { ...terms, minBuyAmount: 0n };
    expect(() => settlement.verify(settlement.encode(route, none, action), route, none)).toThrow("minBuyAmount");
    const greedy = { ...terms, fee: { ...fee, ratePpm: 100_001n } };
    expect(() => settlement.verify(settlement.encode(route, greedy, action), route, greedy)).toThrow("cap");
    const sound = { quotedBuyAmount: terms.minBuyAmount, ratePpm: 500_000n, recipient: someone };
    for (const [change, why] of [
      [{ ratePpm: 500_001n }, "cap"],
      [{ ratePpm: 0n }, "not above zero"],
      [{ quotedBuyAmount: terms.minBuyAmount - 1n }, "below minBuyAmount"],
    ] as const) {
      const shared = { ...terms, surplus: { ...sound, ...change } };
      expect(() => settlement.verify(settlement.encode(route, shared, action), route, shared)).toThrow(why);
    }
    const shared = { ...terms, surplus: sound };
    settlement.verify(settlement.encode(route, shared, action), route, shared);
    expect(() => settlement.verify(transaction, route, shared)).toThrow("selector");
  });

  it("sees a pair, a fee or a venue that is not the fill's", () => {
    const others = [
      { action: "v2-pair", pair: someone, feePpm: 3_000 },
      { action: "v2-pair", pair: action().pair, feePpm: 2_999 },
      { action: "v3-pool", pool: action().pair },
    ] as const;
    for (const other of others) {
      expect(() => settlement.verify(transaction, route, terms, () => other)).toThrow("fill 0");
    }
    settlement.verify(transaction, route, terms);
    const elsewhere = { ...route, fills: [{ ...route.fills[0]!, poolId: someone }] };
    expect(() => settlement.verify(transaction, elsewhere, terms)).toThrow("pool");
  });
});

describe("encode", () => {
  it("leaves the recipient to the sender when the terms do", () => {
    const terms = termsFor(route);
    expect(terms.recipient).toBe(ZERO_ADDRESS);
    settlement.verify(settlement.encode(route, terms, action), route, terms);
  });

  it("refuses routes that spend what they buy", () => {
    const back = { ...route.fills[0]!, sellToken: route.buyToken, buyToken: route.sellToken };
    const loop = { ...route, fills: [...route.fills, back] };
    expect(() => settlement.encode(loop, termsFor(loop), action)).toThrow(RangeError);
  });
});
