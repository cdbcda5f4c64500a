/** Pools as files keep them: of every curve, with every part of a state there and not. They need not be possible. */
import fc from "fast-check";
import { type Hex, toAddress } from "../../src/domain/address.ts";
import type { CurveStates, Pool } from "../../src/pools/pool.ts";
import type { SavedCurve } from "../../src/snapshot/states.ts";

export const anyText = fc.string({ maxLength: 12 });
export const anyAmount = fc.bigInt(0n, 2n ** 256n - 1n);
export const anySmall = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const tick = fc.integer({ min: -887_272, max: 887_272 });
const anyFallingFee = fc.record({
  ...{ whole: anySmall, startFee: anySmall, endFee: anySmall, startTime: anySmall, seconds: anySmall },
});
const two = fc.tuple(anyAmount, anyAmount);
const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: digits, maxLength: digits });
export const anyAddress = hex(40).map((digits) => toAddress(`0x${digits}`));
export const anyHash = hex(64).map((digits): Hex => `0x${digits}`);

const anyKey = fc.record(
  { fee: anySmall, hooks: anyAddress, registration: anySmall },
  { requiredKeys: ["fee", "hooks"] },
);
const anyTax = fc.record({ ppm: anyAmount, roundsUp: fc.boolean() });
const anyTokenTax = fc.record({ buy: anyTax, sell: anyTax, transfer: anyTax });

const anyTicks = fc
  .uniqueArray(
    fc.record({ index: tick, liquidityNet: fc.bigInt(-(2n ** 127n), 2n ** 127n), liquidityGross: anyAmount }),
    { selector: ({ index }) => index, maxLength: 8 },
  )
  .map((ticks) => ticks.sort((a, b) => a.index - b.index));

const kuruSide = fc.record(
  {
    levels: fc.array(fc.record({ price: anyAmount, size: anyAmount }), { maxLength: 4 }),
    more: fc.constant(true as const),
    vault: fc.record({ price: anyAmount, size: anyAmount, filled: anyAmount }),
  },
  { requiredKeys: ["levels"] },
);

/** States of every curve: optional parts there and not. */
const states: { readonly [K in SavedCurve]: (tokens: number) => fc.Arbitrary<CurveStates[K]> } = {
  "constant-product": () =>
    fc.record(
      { reserves: two, feeNum: anyAmount, feeDen: anyAmount, taxes: fc.tuple(anyTokenTax, anyTokenTax) },
      { requiredKeys: ["reserves", "feeNum", "feeDen"] },
    ),
  concentrated: () =>
    fc.record(
      {
        sqrtPriceX96: anyAmount,
        tick,
        liquidity: anyAmount,
        feePpm: anySmall,
        tickSpacing: anySmall,
        ticks: anyTicks,
        protocolFeesPpm: fc.tuple(anySmall, anySmall),
        observations: fc.integer({ min: 1, max: 65_535 }),
        feeSeconds: fc.integer({ min: 1, max: 131_070 }),
        family: fc.constantFrom("pancakeswap", "pancakeswap-farm", "slipstream", "infinity"),
        mostMoved: anyAmount,
        key: anyKey,
        byTicks: fc.constant(true as const),
        deployer: anyAddress,
        hook: fc.record(
          {
            charges: fc.constantFrom("unspecified", "token0", "token1"),
            ...{ token0InPpm: fc.array(anySmall, { maxLength: 3 }), token1InPpm: fc.array(anySmall, { maxLength: 3 }) },
            ...{ gas: anySmall, mostGas: anySmall, passesTo: anyAddress, falling: anyFallingFee },
          },
          { requiredKeys: ["charges", "token0InPpm", "token1InPpm", "gas"] },
        ),
      },
      { requiredKeys: ["sqrtPriceX96", "tick", "liquidity", "feePpm", "tickSpacing", "ticks"] },
    ),
  ekubo: () => fc.record({ sqrtRatio: anyAmount, tick, liquidity: anyAmount, config: anyAmount, ticks: anyTicks }),
  "sampled-ladder": () => {
    const levels = fc.array(fc.record({ takerAmount: anyAmount, makerAmount: anyAmount }), { maxLength: 5 });
    return fc.record({ bids: levels, asks: levels, swapGas: anyAmount });
  },
  bins: () =>
    fc.record(
      {
        binStep: anySmall,
        activeId: anySmall,
        bins: fc
          .uniqueArray(fc.record({ id: anySmall, reserveX: anyAmount, reserveY: anyAmount }), {
            selector: ({ id }) => id,
            maxLength: 8,
          })
          .map((bins) => bins.sort((a, b) => a.id - b.id)),
        fee: fc.oneof(
          fc.record({ lpPpm: anySmall, protocolPpm: fc.tuple(anySmall, anySmall) }),
          fc.record({
            ...{ baseFactor: anySmall, filterPeriod: anySmall, decayPeriod: anySmall, reductionFactor: anySmall },
            ...{ variableFeeControl: anySmall, protocolShare: anySmall, maxVolatilityAccumulator: anySmall },
            ...{ volatilityAccumulator: anySmall, volatilityReference: anySmall, idReference: anySmall },
            timeOfLastUpdate: anyAmount,
          }),
        ),
        hooked: fc.constant(true as const),
        key: anyKey,
      },
      { requiredKeys: ["binStep", "activeId", "bins", "fee"] },
    ),
  woofi: (tokens) => {
    const base = fc.record(
      {
        ...{ unit: anyAmount, price: anyAmount, spread: anyAmount, coeff: anyAmount, feeRate: anyAmount },
        ...{ maxGamma: anyAmount, maxNotional: anyAmount, goodUntil: anyAmount },
      },
      { requiredKeys: ["unit", "price", "spread", "coeff", "feeRate", "maxGamma", "maxNotional"] },
    );
    return fc.record({
      ...{
        quoteUnit: anyAmount,
        priceUnit: anyAmount,
        spreads: fc.constantFrom("halved" as const, "own" as const, "unknown" as const),
      },
      reserves: fc.array(anyAmount, { minLength: tokens, maxLength: tokens }),
      bases: fc.array(base, { minLength: tokens - 1, maxLength: tokens - 1 }),
    });
  },
  dodo: () =>
    fc.record({
      kind: fc.constantFrom("DVM" as const, "targets" as const),
      r: fc.constantFrom("ONE" as const, "ABOVE_ONE" as const, "BELOW_ONE" as const),
      ...{ i: anyAmount, k: anyAmount, reserves: two, targets: two, lpFee: anyAmount, maintainerFee: anyAmount },
    }),
  aqua: () =>
    fc.record({
      ...{ maker: anyAddress, traits: anyAmount, balances: two, wallets: two, allowances: two },
      program: fc
        .integer({ min: 0, max: 40 })
        .chain((bytes) => hex(2 * bytes))
        .map((digits): Hex => `0x${digits}`),
    }),
  "euler-swap": () =>
    fc.record({
      version: fc.constantFrom("v1" as const, "v2" as const),
      ...{ reserves: two, equilibrium: two, prices: two, concentrations: two, fees: two, maxIn: two, maxOut: two },
    }),
  maverick: () =>
    fc.record(
      {
        ...{ tickSpacing: anySmall, activeTick: fc.integer({ min: -322_378, max: 322_378 }), protocolPart: anySmall },
        ...{ fees: two, scales: two },
        ticks: fc
          .array(fc.record({ reserveA: anyAmount, reserveB: anyAmount }))
          .map((ticks) => ticks.map((tick, index) => ({ ...tick, index: 3 * index - 7 }))),
        ...{ movable: fc.constant(true as const), spent: fc.constant(true as const) },
      },
      { requiredKeys: ["tickSpacing", "activeTick", "protocolPart", "fees", "scales", "ticks"] },
    ),
  kuru: () =>
    fc.record({
      units: two,
      precisions: two,
      takerFee: anySmall,
      spread: anySmall,
      bidSide: kuruSide,
      askSide: kuruSide,
    }),
  fluid: () => {
    const two = fc.tuple(anyAmount, anyAmount);
    const reserves = fc.record({ real: two, imaginary: two });
    return fc.record(
      {
        ...{ up: two, down: two, fee: anyAmount, revenueCut: anyAmount, centerPrice: anyAmount },
        ...{ lastPrices: fc.array(anyAmount, { maxLength: 2 }), collateral: reserves, debt: reserves },
        ...{
          withdrawable: two,
          borrowable: two,
          owed: two,
          depositable: two,
          supplied: two,
          borrowed: two,
          mostUtilized: two,
          mostBorrowed: two,
        },
        spent: fc.constant(true as const),
      },
      {
        requiredKeys: [
          ...([
            "up",
            "down",
            "fee",
            "revenueCut",
            "centerPrice",
            "lastPrices",
            "withdrawable",
            "borrowable",
            "owed",
          ] as const),
          ...(["supplied", "borrowed", "mostUtilized", "mostBorrowed"] as const),
        ],
      },
    );
  },
  "fixed-rate": () => fc.record({ gas: anyAmount }),
  solidly: () =>
    fc.record(
      {
        ...{ stable: fc.boolean(), reserves: two, units: two, feeBps: anyAmount, paused: fc.boolean() },
        lastObservation: anyAmount,
      },
      { requiredKeys: ["stable", "reserves", "units", "feeBps", "paused"] },
    ),
  weighted: (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    const required = { balances: each, weights: each, scales: each, swapFee: anyAmount, paused: fc.boolean() };
    return fc.record(
      { ...required, firstVersion: fc.constant(true as const) },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    );
  },
  "balancer-v3": (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    return fc.record({
      ...{ kind: fc.constantFrom("weighted" as const, "stable" as const), balances: each, scales: each, rates: each },
      ...{ weights: each, minBalances: each, swapFee: anyAmount, aggregateFee: anyAmount, minTrade: anyAmount },
      ...{
        initialA: anyAmount,
        futureA: anyAmount,
        initialATime: anyAmount,
        futureATime: anyAmount,
        paused: fc.boolean(),
      },
    });
  },
  "balancer-v3-buffer": () =>
    fc.record({
      ...{
        totalAssets: anyAmount,
        totalSupply: anyAmount,
        virtualShares: anyAmount,
        maxDeposit: anyAmount,
        maxRedeem: anyAmount,
      },
      ...{ assets: anyAmount, shares: anyAmount, minWrap: anyAmount, paused: fc.boolean() },
    }),
  gyro: (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    return fc.record({
      ...{ kind: fc.constantFrom("2clp" as const, "3clp", "eclp"), balances: each, scales: each, rates: each },
      rated: fc.array(fc.boolean(), { minLength: tokens, maxLength: tokens }),
      parameters: fc.array(
        fc.oneof(
          anyAmount,
          anyAmount.map((value) => -(value >> 1n)),
        ),
      ),
      ...{ swapFee: anyAmount, paused: fc.boolean() },
    });
  },
  "composable-stable": (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    const required = {
      ...{ balances: each, scales: each, rates: each, expiries: each, durations: each, freshRates: each },
      ...{ oldRates: each, exempt: fc.array(fc.boolean(), { minLength: tokens, maxLength: tokens }) },
      ...{ share: fc.integer({ min: 0, max: tokens - 1 }), paused: fc.boolean(), swapFee: anyAmount },
      ...{
        initialA: anyAmount,
        futureA: anyAmount,
        initialATime: anyAmount,
        futureATime: anyAmount,
        totalSupply: anyAmount,
      },
      ...{ lastA: anyAmount, lastInvariant: anyAmount, protocolSwapFee: anyAmount, protocolYieldFee: anyAmount },
    };
    return fc.record(
      { ...required, roundsUp: fc.constant(true as const) },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    );
  },
  vault: () =>
    fc.record({ totalAssets: anyAmount, totalSupply: anyAmount, virtualShares: anyAmount, maxDeposit: anyAmount }),
  savings: () => fc.record({ rate: anyAmount, growth: anyAmount, updatedAt: anyAmount, totalSupply: anyAmount }),
  "rate-token": () =>
    fc.record(
      {
        pooled: anyAmount,
        shares: anyAmount,
        supply: anyAmount,
        held: anyAmount,
        keepsShares: fc.constant(true as const),
      },
      { requiredKeys: ["pooled", "shares", "supply", "held"] },
    ),
  psm: () =>
    fc.record(
      { dai: anyAmount, gem: anyAmount, tin: anyAmount, tout: anyAmount, to18: anyAmount },
      { requiredKeys: ["dai", "gem", "to18"] },
    ),
  cryptoswap: (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    const required = {
      ...{ balances: each, precisions: each, initialA: anyAmount, futureA: anyAmount },
      priceScale: fc.array(anyAmount, { minLength: tokens - 1, maxLength: tokens - 1 }),
      ...{
        initialGamma: anyAmount,
        futureGamma: anyAmount,
        initialTime: anyAmount,
        futureTime: anyAmount,
        d: anyAmount,
      },
      ...{ midFee: anyAmount, outFee: anyAmount, feeGamma: anyAmount, virtualPrice: anyAmount, supply: anyAmount },
    };
    return fc.record(
      { ...required, traded: fc.constant(true as const), generation: fc.constantFrom("first" as const, "second") },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    );
  },
  stableswap: (tokens) => {
    const each = fc.array(anyAmount, { minLength: tokens, maxLength: tokens });
    const two = fc.tuple(anyAmount, anyAmount);
    const priceCheck = fc.record({ prices: two, thresholds: two });
    const required = {
      balances: each,
      rates: each,
      initialA: anyAmount,
      futureA: anyAmount,
      initialATime: anyAmount,
      futureATime: anyAmount,
      aPrecision: anyAmount,
      fee: anyAmount,
      adminFee: anyAmount,
      generation: fc.constantFrom("old" as const, "ng" as const),
      killed: fc.boolean(),
    };
    return fc.record(
      { ...required, offpegFeeMultiplier: anyAmount, totalSupply: anyAmount, basePool: anyText, priceCheck },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    );
  },
};

/** Curves of more than two tokens. */
const SEVERAL = new Set<SavedCurve>(["stableswap", "weighted", "composable-stable", "balancer-v3", "gyro"]);
export const savedKinds = Object.keys(states) as SavedCurve[];

/** A pool of the source "A_Source". */
export const anySavedPool: fc.Arbitrary<Pool> = fc.constantFrom(...savedKinds).chain((curve) =>
  (SEVERAL.has(curve) ? fc.integer({ min: 2, max: 5 }) : fc.constant(2)).chain((count) =>
    fc
      .record({
        id: anyHash,
        source: fc.constant("A_Source"),
        tokens: fc.array(anyAddress, { minLength: count, maxLength: count }),
        curve: fc.constant(curve),
        state: states[curve](count) as fc.Arbitrary<object>,
      })
      .map((made) => made as Pool),
  ),
);
