import { describe, expect, it, vi } from "vitest";
import { createFakeMarket } from "../../fixtures/door/fake-market.ts";
import { priceResponse, quoteResponse } from "../../src/api/calls/price-messages.ts";
import { type Address, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import { refuse, SwapError } from "../../src/domain/errors/swap-error.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, fillsOf, type Route } from "../../src/domain/route.ts";
import { ALL_ON, type SwitchedOff } from "../../src/domain/switches.ts";
import type { Token } from "../../src/domain/token.ts";
import { NO_TAX, type TokenTax } from "../../src/domain/token-verdict.ts";
import { withLevels } from "../../src/market/indicative.ts";
import type { LiquiditySource } from "../../src/market/liquidity-source.ts";
import { createPoolStore } from "../../src/market/pool-store.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import type { TokenTaxes } from "../../src/market/taxed-pools.ts";
import { curveOf, type Pool, withState } from "../../src/pools/pool.ts";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import type { Settlement, SimulationOutcome, TokenRegistry } from "../../src/quoting/ports.ts";
import { createPriceLists } from "../../src/quoting/price/price-lists.ts";
import { ALL_PLAIN } from "../../src/quoting/quote/tested-tokens.ts";
import { createQuoting, type QuotingParts } from "../../src/quoting/quoting.ts";
import { requestKey } from "../../src/quoting/search/request-key.ts";
import { createSearchInThread } from "../../src/quoting/search/search-in-thread.ts";
import { createThreadTurns } from "../../src/quoting/search/thread-turns.ts";
import { createPriceWatches, DEFAULT_WATCH_LIMITS } from "../../src/quoting/watch/price-watches.ts";
import type { NoRoute, RouteResult, Router } from "../../src/routing/router.ts";
import { transactionBytes, USUAL_USE, usualCalldataBytes } from "../../src/settlement/calldata-size.ts";
import { CODECS } from "../../src/venues/index.ts";
import { firstPoolRouter } from "./first-pool-router.ts";

const ENCODERS = CODECS.map(({ encoder }) => encoder);
/** Nothing waits for a signature here: test/quoting/quote/approvals.test.ts has those. */
const UNSIGNED: Pick<Settlement, "permit2" | "messageToSign" | "unseenGas"> = {
  permit2: toAddress(`0x${"22".repeat(20)}`),
  messageToSign() {
    throw new Error("nothing is signed");
  },
  unseenGas: () => ({ expected: 0n, limit: 0n }),
};

const SIZES: Pick<Settlement, "usualUse" | "transactionBytes" | "usualTransactionBytes"> = {
  usualUse: USUAL_USE,
  transactionBytes: (data) => transactionBytes(data.length / 2 - 1),
  usualTransactionBytes: (route, fills, poolOf) => transactionBytes(usualCalldataBytes(ENCODERS, route, fills, poolOf)),
};

const untold = () => Promise.reject(refuse("UNAVAILABLE", "the node is silent"));
const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const WRAPPED = address(1);
const GATEWAY = address(9);
const TAKER = address(7);
const GOLD: Token = { address: address(2), symbol: "GOLD", name: "Gold", decimals: 6 };
const IRON: Token = { address: address(3), symbol: "IRON", name: "Iron", decimals: 18 };
const NATIVE: Token = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
const WRAPPED_TOKEN: Token = { ...NATIVE, address: WRAPPED, symbol: "WETH" };
const BLOCK: BlockRef = { number: 5n, hash: "0x05", parentHash: "0x04", timestamp: 1000n };

const pool = (n: number, source: string, reserves: readonly [bigint, bigint]): Pool => ({
  id: address(n),
  source,
  tokens: [GOLD.address, IRON.address],
  curve: "constant-product",
  state: { reserves, feeNum: 3n, feeDen: 1000n },
});
const BEST = pool(21, "Uniswap_V2", [10n ** 12n, 10n ** 24n]);
const SECOND = pool(22, "Other_V2", [10n ** 11n, 9n * 10n ** 22n]);

const goldForIron = firstPoolRouter([BEST, SECOND]);
/** Trades any two tokens as if they were gold and iron. */
const router: Router = {
  findBest(request) {
    const { sellToken, buyToken } = request.order;
    const order = { ...request.order, sellToken: GOLD.address, buyToken: IRON.address };
    const result = goldForIron.findBest({ ...request, order });
    if (!result.found || result.route.kind === "exactOut") return result;
    const fills = result.route.fills.map((fill) => ({ ...fill, sellToken, buyToken }));
    return { ...result, route: { ...result.route, sellToken, buyToken, fills } };
  },
};

/** A purchase from the first pool, as if it took one unit for each that is asked for. */
function bought(sellAmount: bigint, buyAmount: bigint): ExactOutRoute {
  const amounts = { sellToken: GOLD.address, buyToken: IRON.address, sellAmount, buyAmount };
  const fill = { ...amounts, poolId: BEST.id, source: BEST.source, gas: 90_000n, share: 1_000_000_000n };
  return { kind: "exactOut", ...amounts, fills: [fill] };
}

const source = (id: string, kind: LiquiditySource["kind"], assurance: LiquiditySource["assurance"] = "exact") =>
  ({
    id,
    kind,
    ...(kind === "wrapper" && { wrapsNative: true }),
    assurance,
    exactOut: true,
    action: () => ({}),
    fillData: () => ({ pool: "x" }),
  }) as unknown as LiquiditySource;

interface World {
  readonly quoting: ReturnType<typeof createQuoting>;
  readonly simulated: { readonly taker: Address | undefined; readonly fee: boolean }[];
  readonly rechecked: string[][];
  /** Routes that later searches may begin with. */
  readonly recorded: Route[];
  readonly market: QuotingParts["market"];
}

/** The use cases over the two pools; `outcomes` is what the node says, simulation after simulation. */
function world(
  outcomes: readonly (SimulationOutcome | "asPromised")[] = [],
  { router: routes = router, ...change }: Partial<QuotingParts> & { readonly router?: Router } = {},
  state: Partial<Snapshot> = {},
): World {
  const { now = () => 0 } = change;
  const simulated: World["simulated"] = [];
  const rechecked: string[][] = [];
  const recorded: Route[] = [];
  const all = [BEST, SECOND];
  const queue = [...outcomes];
  let encoded: ExactInRoute | undefined;
  const parts: QuotingParts = {
    market: {
      current: () => ({
        snapshot: {
          chainId: 31337,
          block: BLOCK,
          gasPrice: 10n ** 9n,
          mostGas: 10n ** 7n,
          graph: {
            time: BLOCK.timestamp,
            pool: (id) => all.find((one) => one.id === id),
            poolsOf: () => all,
            poolsBetween: () => all,
            hubs: () => [],
            all: () => all,
            chunks: () => [all],
          },
          rates: { perNative: (token) => (token === IRON.address ? { num: 2000n, den: 1n } : undefined) },
          known: new Map(),
          sources: new Map(),
          tokens: new Set(),
          ...state,
        },
      }),
      sources: () => new Map([["Uniswap_V2", { pools: 1, asleep: 4, status: "live", blockNumber: 5n }]]),
      recheck: (pools) => rechecked.push([...pools]),
      recordRoute: (route) => recorded.push(route),
    },
    tokens: { find: async () => undefined, describe: untold, known: () => undefined, bySymbol: () => [] },
    sources: new Map([
      ["Uniswap_V2", source("Uniswap_V2", "amm")],
      ["Other_V2", source("Other_V2", "amm")],
      ["Wrapped_Native", source("Wrapped_Native", "wrapper")],
    ]),
    search: createSearchInThread(routes, createThreadTurns(now), now),
    settlement: {
      allowanceTarget: GATEWAY,
      contracts: [GATEWAY],
      deployed: true,
      encode(route, terms) {
        encoded = route as ExactInRoute;
        return { to: GATEWAY, data: "0x1234", value: terms.sellToken === NATIVE_TOKEN ? terms.maxSellAmount : 0n };
      },
      verify: () => {},
      revertLocation: () => "",
      gas: () => 150_000n,
      gasLimit: () => 216_000n,
      ...SIZES,
      ...UNSIGNED,
    },
    simulator: {
      async simulate({ taker, terms }) {
        simulated.push({ taker, fee: terms.fee !== undefined });
        const outcome = queue.shift() ?? "asPromised";
        if (outcome !== "asPromised") return outcome;
        const gross = encoded?.buyAmount ?? terms.minBuyAmount;
        const bought = gross - (gross * (terms.fee?.ratePpm ?? 0n)) / 1_000_000n;
        return {
          kind: "done",
          gasUsed: 120_000n,
          gasLimit: 140_000n,
          bought,
          sold: terms.maxSellAmount,
          secondsLater: 0n,
        };
      },
    },
    accounts: { balanceAndAllowance: async () => ({ balance: 10n, allowance: 0n }) },
    config: { wrappedNative: WRAPPED, quoteTtlSeconds: 120, budget: { maxHops: 4, maxFills: 16, maxSteps: 1000 } },
    now: () => 0,
    ...change,
  };
  return { quoting: createQuoting(parts), simulated, rechecked, recorded, market: parts.market };
}

const REQUEST: SwapRequest = {
  sellToken: GOLD,
  buyToken: IRON,
  amount: { kind: "exactIn", sellAmount: 1_000_000n },
  slippage: FRACTION_ONE / 100n,
  sources: { kind: "all" },
  skipValidation: false,
};
const CONTEXT = { requestId: "r", signal: new AbortController().signal };
const REVERTED: SimulationOutcome = { kind: "reverted", reason: "TransferFailed", data: "0x" };

async function refusalOf(call: Promise<unknown>): Promise<SwapError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SwapError);
  return error as SwapError;
}

const LEVELS: Pool = {
  ...{ id: "maker:desk", source: "Desk", tokens: [GOLD.address, IRON.address], curve: "levels" },
  state: { bids: [{ takerAmount: 10n ** 20n, makerAmount: 10n ** 20n }], asks: [] },
};

describe("a quote where makers show levels", () => {
  const makers = { quotersOf: () => [], firmOrders: async () => [], settled: () => {} };

  async function searchesOf(change: Partial<SwapRequest>, result: RouteResult | undefined, offers: readonly Pool[]) {
    let asked = 0;
    const counting: Router = {
      findBest(query) {
        asked += 1;
        return result ?? router.findBest(query);
      },
    };
    const { quoting, market } = world([], { router: counting, makers });
    const now = market.current();
    if ("unavailable" in now) throw new Error(now.unavailable);
    const { snapshot } = now;
    const at = offers.length === 0 ? snapshot : { ...snapshot, offers: { pools: offers, graph: snapshot.graph } };
    await quoting.quote({ ...REQUEST, ...change, taker: TAKER }, { ...CONTEXT, at }).catch((error: unknown) => {
      if (result === undefined) throw error;
    });
    return asked;
  }

  it("that do not serve it either is explained once", async () => {
    const none: RouteResult = { found: false, reason: { kind: "NO_PATH" } };
    const without = await searchesOf({}, none, []);
    expect(await searchesOf({}, none, [LEVELS])).toBe(without + 1);
  });

  it("is searched once where its route leads over none of them", async () => {
    expect(await searchesOf({}, undefined, [LEVELS])).toBe(1);
  });

  it("is searched over the graph without them where it leaves them out, as it is once they are gone", async () => {
    const graphs: unknown[] = [];
    const keeping: Router = {
      findBest(query) {
        graphs.push(query.graph);
        return router.findBest(query);
      },
    };
    const { quoting, market } = world([], { router: keeping, makers });
    const now = market.current();
    if ("unavailable" in now) throw new Error(now.unavailable);
    const at = withLevels(now.snapshot, [LEVELS]);
    const asked = { ...REQUEST, taker: TAKER };
    await quoting.price(asked, { ...CONTEXT, at });
    await quoting.price({ ...asked, sources: { kind: "without", ids: ["Desk"] } }, { ...CONTEXT, at });
    expect(graphs.at(0)).toBe(at.graph);
    expect(graphs.at(-1)).toBe(now.snapshot.graph);
    expect(at.graph).not.toBe(now.snapshot.graph);
  });

  it("is searched once where it leaves them out", async () => {
    const without = { sources: { kind: "without", ids: ["Desk"] } } as const;
    const none: RouteResult = { found: false, reason: { kind: "NO_PATH" } };
    expect(await searchesOf(without, none, [LEVELS])).toBe(await searchesOf(without, none, []));
  });
});

it("lets later searches begin with what was found over all pools, and with nothing that a caller has narrowed down", async () => {
  const { quoting, recorded } = world();
  await quoting.price(REQUEST, CONTEXT);
  expect(recorded.map(({ sellToken, fills }) => [sellToken, fills.length])).toEqual([[GOLD.address, 1]]);
  await quoting.price({ ...REQUEST, isDirect: true }, CONTEXT);
  await quoting.price({ ...REQUEST, sources: { kind: "without", ids: ["Other_V2"] } }, CONTEXT);
  const limits = { excludedPools: [address(77)], excludedTokens: [], connectorTokens: [] };
  await quoting.price({ ...REQUEST, limits }, CONTEXT);
  expect(recorded).toHaveLength(1);
});

describe("a maker's order on a route that fails", () => {
  const amounts = { makerAmount: 10n ** 18n, takerAmount: 10n ** 6n, minTakerAmount: 1n };
  const parties = { maker: address(31), taker: address(32), trader: TAKER };
  const order = {
    ...{ ...amounts, ...parties, makerToken: IRON.address, takerToken: GOLD.address },
    ...{ expiry: 5_000n, nonce: 1n, refillable: false },
  };
  const ORDER: Pool = {
    id: "maker:desk",
    source: "Desk",
    tokens: [GOLD.address, IRON.address],
    curve: "signed-order",
    state: { order, signature: "0x", settlement: GATEWAY, spot: { num: 10n ** 12n, den: 1n }, filled: false },
  };
  /** A half from the order and a half from the best pool, where the order may be used. */
  const halves: Router = {
    findBest(request) {
      const result = router.findBest(request);
      if (!result.found || result.route.kind !== "exactIn" || !request.allows(ORDER)) return result;
      const { route } = result;
      const fills = route.fills.flatMap((fill) => [{ ...fill, poolId: ORDER.id, source: ORDER.source }, fill]);
      return { ...result, route: { ...route, fills } };
    },
  };

  async function quoted(outcomes: Parameters<typeof world>[0]) {
    const settled: unknown[] = [];
    const makers: QuotingParts["makers"] = {
      quotersOf: () => ["Desk"],
      firmOrders: async () => [ORDER],
      settled: (ids, outcome) => void (ids.length > 0 && settled.push([...ids, outcome])),
    };
    const sources = new Map([
      ["Uniswap_V2", source("Uniswap_V2", "amm")],
      ["Other_V2", source("Other_V2", "amm")],
      ["Desk", source("Desk", "rfq", "modelled")],
    ]);
    const { quoting, rechecked } = world(outcomes, { router: halves, sources, makers });
    const answer = await quoting.quote({ ...REQUEST, taker: TAKER }, CONTEXT);
    return { used: answer.orders.map((each) => each.source), settled, rechecked };
  }

  it("is blamed where the trade works without it", async () => {
    const { used, settled, rechecked } = await quoted([REVERTED, REVERTED, "asPromised"]);
    expect(used).toEqual(["Uniswap_V2"]);
    expect(settled).toEqual([[ORDER.id, "failed"]]);
    expect(rechecked).toEqual([[BEST.id]]);
  });

  it("is not blamed where the pool beside it fails alone as well", async () => {
    const { used, settled, rechecked } = await quoted([REVERTED, REVERTED, REVERTED, REVERTED, "asPromised"]);
    expect(used).toEqual(["Other_V2"]);
    expect(settled).toEqual([]);
    expect(rechecked).toEqual([[BEST.id], [BEST.id]]);
  });

  it("is left out, and neither it nor the pool is blamed, where it fails for the taker alone", async () => {
    const { used, settled, rechecked } = await quoted([REVERTED, "asPromised", "asPromised"]);
    expect(used).toEqual(["Uniswap_V2"]);
    expect(settled).toEqual([]);
    expect(rechecked).toEqual([]);
  });
});

it("a price over makers that leaves much open is looked for without them too, unless its time is up", async () => {
  const searches = async (takes: number, isOverMaker: boolean) => {
    let [time, asked] = [0, 0];
    const open: Router = {
      findBest(request) {
        const result = router.findBest(request);
        asked += 1;
        time += takes;
        if (!result.found || result.route.kind !== "exactIn") return result;
        const [fill] = result.route.fills as [Fill];
        const fills = isOverMaker && asked === 1 ? [{ ...fill, poolId: LEVELS.id }] : result.route.fills;
        const certificate = { bound: 2n * 10n ** 18n, achieved: 10n ** 18n };
        return { ...result, route: { ...result.route, fills }, certificate };
      },
    };
    const { quoting, market } = world([], { router: open, now: () => time });
    const now = market.current();
    if ("unavailable" in now) throw new Error(now.unavailable);
    const at = withLevels(now.snapshot, [LEVELS]);
    await quoting.price({ ...REQUEST, skipValidation: true }, { ...CONTEXT, at, deadlineMs: 100 });
    return asked;
  };
  expect(await searches(40, true)).toBe(2);
  expect(await searches(40, false)).toBe(1);
  expect(await searches(120, true)).toBe(1);
});

describe("a tax that is measured while a call keeps to a block", () => {
  const part = { ppm: 10_000n, roundsUp: false };
  const tax: TokenTax = { buy: part, sell: part, transfer: part };
  const graphOf = (pool: Pool) => {
    const store = createPoolStore();
    store.set(pool.id, pool);
    return store.freeze(BLOCK.timestamp);
  };
  const shown = withState(BEST, curveOf(BEST).withTaxes!(BEST.state, [tax, NO_TAX]));
  const EARLIER: BlockRef = { number: 4n, hash: "0x04", parentHash: "0x03", timestamp: 999n };

  function taxing() {
    let taxes: TokenTaxes = new Map();
    const verdicts: QuotingParts["verdicts"] = {
      ...ALL_PLAIN,
      taxes: () => taxes,
      keptOut: () => new Map([...taxes.keys()].map((token) => [token, "keeps a part of what is transferred"])),
      async test() {
        taxes = new Map([[GOLD.address, tax]]);
      },
    };
    const [before, after] = [BEST, shown].map((pool) => world([], {}, { graph: graphOf(pool) }).market);
    const market = { ...before!, current: () => (taxes.size === 0 ? before! : after!).current() };
    const now = market.current();
    if ("unavailable" in now) throw new Error(now.unavailable);
    return { quoting: world([], { verdicts, market, router: firstPoolRouter([shown]) }).quoting, pinned: now.snapshot };
  }

  it("is in the prices of a list, which keeps to its block", async () => {
    const { quoting, pinned } = taxing();
    const request = { ...REQUEST, skipValidation: true };
    const lists = createPriceLists(quoting, { current: () => ({ snapshot: pinned }) });
    const { results } = await lists.prices([request, request], CONTEXT);
    expect(results.map((result) => "answer" in result && result.answer.taxes.sellToken)).toEqual([tax, tax]);
  });

  it("has a block from before it refused with what to send, and the newest block answered", async () => {
    const { quoting, pinned } = taxing();
    const priceAt = (at: Snapshot) => quoting.price({ ...REQUEST, at, skipValidation: true }, { ...CONTEXT, at });
    expect((await priceAt(pinned)).taxes.sellToken).toEqual(tax);
    const error = await refusalOf(priceAt({ ...pinned, block: EARLIER }));
    expect(error.kind).toBe("INVALID_PARAMETERS");
    expect(error.violations).toMatchObject([{ field: "blockNumber", reason: "OUT_OF_RANGE" }]);
    expect(error.violations?.[0]?.description).toMatch(/blockNumber 4 .* Send a newer block, or leave it out/);
  });
});

it("shows no certificate beside amounts that contracts have quoted, which can be above its bound", async () => {
  const certified: Router = {
    findBest(request) {
      const result = router.findBest(request);
      return result.found ? { ...result, certificate: { bound: 2n, achieved: 1n } } : result;
    },
  };
  const quoted = async (reserve: bigint) => {
    const pays = { ...BEST, state: { ...BEST.state, reserves: [10n ** 12n, reserve] } } as Pool;
    const question = { call: { to: address(21), data: "0x" }, answered: () => pays } as const;
    const sources = new Map([["Uniswap_V2", { ...source("Uniswap_V2", "amm"), ask: () => question }]]);
    const reader = { calls: async () => ["0x"] as const };
    const { quoting } = world([], { router: certified, sources, reader });
    return quoting.quote({ ...REQUEST, skipValidation: true }, CONTEXT);
  };
  const [same, more] = [await quoted(10n ** 24n), await quoted(2n * 10n ** 24n)];
  expect(more.buyAmount).toBeGreaterThan(same.buyAmount);
  expect(more.optimality).toBeNull();
});

describe("price", () => {
  it("has no token in between where the request wants none, and is not taken for one that may", async () => {
    const hops: number[] = [];
    const watched: Router = {
      findBest(request) {
        hops.push(request.budget.maxHops);
        return router.findBest(request);
      },
    };
    const { quoting } = world([], { router: watched });
    const [any, direct] = [false, true].map((isDirect) => ({ ...REQUEST, skipValidation: true, isDirect }));
    await quoting.price(any as SwapRequest, CONTEXT);
    await quoting.price(direct as SwapRequest, CONTEXT);
    expect(hops).toEqual([4, 1]);
    const limits = { excludedPools: [], excludedTokens: [], connectorTokens: [], maxHops: 3, maxFills: 2 };
    const bounds: number[] = [];
    const bounded: Router = {
      findBest(request) {
        bounds.push(request.budget.maxHops, request.budget.maxFills);
        return router.findBest(request);
      },
    };
    const other = world([], { router: bounded }).quoting;
    await other.price({ ...REQUEST, skipValidation: true, limits }, CONTEXT);
    await other.price({ ...REQUEST, skipValidation: true, limits, isDirect: true }, CONTEXT);
    expect(bounds).toEqual([3, 2, 1, 2]);
    expect(requestKey(direct as SwapRequest)).not.toBe(requestKey(any as SwapRequest));
  });

  it("fills every number from one snapshot", async () => {
    const { quoting } = world();
    const request = { ...REQUEST, skipValidation: true, fee: { ratePpm: 1000n, recipient: address(8) } };
    const answer = await quoting.price(request, CONTEXT);
    const gross = 996999005991991025n;
    const fee = gross / 1000n;
    expect(answer).toMatchObject({
      chainId: 31337,
      block: BLOCK,
      value: 0n,
      gasPrice: 10n ** 9n,
      gas: 216_000n,
      estimatedGas: 150_000n,
      grossBuyAmount: gross,
      buyAmount: gross - fee,
      minBuyAmount: ((gross - fee) * 99n) / 100n,
      sellAmount: 1_000_000n,
      maxSellAmount: 1_000_000n,
      totalNetworkFee: 216_000n * 10n ** 9n,
      sources: [{ name: "Uniswap_V2", proportion: FRACTION_ONE }],
      allowanceTarget: GATEWAY,
      sellTokenToEthRate: null,
      fees: [{ amount: fee, token: IRON.address, ratePpm: 1000n, recipient: address(8) }],
      optimality: { bound: gross + 5n, achieved: gross, gap: { num: 5n, den: gross } },
    });
    expect(priceResponse(answer)).toMatchObject({
      price: "1.0040140411223661",
      estimatedPriceImpact: "0.0001",
      sources: [{ proportion: "1" }],
      sellTokenToEthRate: "0",
      buyTokenToEthRate: "2000",
      fees: { integratorFee: { rate: "0.001" } },
      optimality: { gapBps: "0.0001" },
    });
    expect(answer).not.toHaveProperty("data");
  });

  it("runs on the node for its gas when there is a taker, and never fails for the taker's reasons", async () => {
    const good = world(["asPromised"]);
    expect((await good.quoting.price({ ...REQUEST, taker: TAKER }, CONTEXT)).gas).toBe(140_000n);
    const bad = world([REVERTED]);
    const answer = await bad.quoting.price({ ...REQUEST, taker: TAKER }, CONTEXT);
    expect([answer.gas, answer.estimatedGas]).toEqual([216_000n, 150_000n]);
  });

  it("is not simulated without need", async () => {
    const { quoting, simulated } = world();
    await quoting.price({ ...REQUEST, skipValidation: true }, CONTEXT);
    expect(simulated).toEqual([]);
  });

  it("is refused rather than shown with decimals that nobody told, when the node does not tell about a token in between", async () => {
    const middle = address(9);
    const through: Router = {
      findBest(query) {
        const found = router.findBest(query);
        if (!found.found || found.route.kind !== "exactIn") return found;
        const [fill] = found.route.fills;
        const fills = [
          { ...fill!, buyToken: middle },
          { ...fill!, sellToken: middle },
        ];
        return { ...found, route: { ...found.route, fills } };
      },
    };
    const priceWith = (describe: TokenRegistry["describe"]) => {
      const tokens: TokenRegistry = { find: untold, describe, known: () => undefined, bySymbol: () => [] };
      return world([], { router: through, tokens }).quoting.price({ ...REQUEST, skipValidation: true }, CONTEXT);
    };
    expect((await refusalOf(priceWith(untold))).kind).toBe("UNAVAILABLE");
    const told = { address: middle, symbol: "TALL", name: "Tall", decimals: 77 };
    expect((await priceWith(async () => told)).route.tokens[1]).toEqual(told);
  });

  it("is refused while the state is stale", async () => {
    const { market } = {
      market: { current: () => ({ unavailable: "stale" }), sources: () => new Map(), recheck() {}, recordRoute() {} },
    };
    const error = await refusalOf(world([], { market }).quoting.price(REQUEST, CONTEXT));
    expect([error.kind, error.retryAfterSeconds]).toEqual(["UNAVAILABLE", 1]);
  });

  it("is refused when the caller is gone", async () => {
    const signal = AbortSignal.abort();
    const error = await refusalOf(world().quoting.price(REQUEST, { ...CONTEXT, signal }));
    expect(error.kind).toBe("DEADLINE_EXCEEDED");
  });

  it("tells the amount and every source why there is no route", async () => {
    const sources = { kind: "without", ids: ["Uniswap_V2", "Other_V2"] } as const;
    const error = await refusalOf(world().quoting.price({ ...REQUEST, sources }, CONTEXT));
    expect(error.kind).toBe("INSUFFICIENT_ASSET_LIQUIDITY");
    expect(error.violations.map(({ field, reason }) => [field, reason])).toEqual([
      ["sellAmount", "INSUFFICIENT_ASSET_LIQUIDITY"],
      ["sellAmount", "SOURCE_CANNOT_SERVE"],
      ["sellAmount", "SOURCE_CANNOT_SERVE"],
    ]);
    expect(error.violations[1]?.description).toBe("Uniswap_V2: left out by the request");
  });

  it("tells a purchase that pools lead there which take a sale alone", async () => {
    const amount = { kind: "exactOut", buyAmount: 5n } as const;
    const only = { kind: "only", ids: ["Uniswap_V2"] } as const;
    const [whole, , other] = (
      await refusalOf(world().quoting.price({ ...REQUEST, amount, sources: only }, CONTEXT))
    ).violations.map(({ description }) => description);
    expect(whole).toMatch(
      /^the pools that lead from the sold token GOLD .* to the bought token IRON .* cannot be asked for an exact buyAmount; send a sellAmount$/,
    );
    expect(other).toBe("Other_V2: left out by the request");
    const none: Router = { findBest: () => ({ found: false, reason: { kind: "NO_PATH" } }) };
    const { violations } = await refusalOf(world([], { router: none }).quoting.price({ ...REQUEST, amount }, CONTEXT));
    expect(violations.map(({ description }) => description)[0]).toMatch(/^no pools lead from the sold token GOLD/);
  });

  it("names the largest amount that has any route, looked for with all sources together", async () => {
    const asked: bigint[] = [];
    const asksFor: string[] = [];
    const shallow: Router = {
      findBest(query) {
        if (query.order.kind === "exactOut") throw new Error("not asked");
        const { sellAmount } = query.order;
        asked.push(sellAmount);
        const which = query.isAnyEnough === true ? "any" : "best";
        asksFor.push(query.budget.maxSteps > 0 ? which : `${which} in no steps`);
        if (sellAmount <= 9_500n) return router.findBest(query);
        return { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY", estimate: 10_000n } };
      },
    };
    const error = await refusalOf(world([], { router: shallow }).quoting.price(REQUEST, CONTEXT));
    const [whole, ...each] = error.violations.map(({ description }) => description);
    expect(whole).toMatch(/; send a sellAmount of at most 9500 base units \(0\.0095 GOLD\)$/);
    for (const one of each) expect(one).toMatch(/; send a smaller sellAmount$/);
    expect(asked).toEqual([1_000_000n, 10_625n, 9_999n, 9_990n, 9_500n, 1_000_000n, 1_000_000n]);
    const alone = "any in no steps";
    expect(asksFor).toEqual(["best", "any", "any", "any", "any", alone, alone]);
  });

  describe("where a transaction may not carry the best route", () => {
    /** A fill for each that the budget allows, and one that it does not count, as a wrapper's. */
    const wide: Router = {
      findBest(query) {
        const one = router.findBest(query);
        if (!one.found || one.route.kind !== "exactIn") return one;
        const { route } = one;
        const fills = Array.from({ length: query.budget.maxFills + 1 }, () => route.fills[0]!);
        return { ...one, route: { ...route, fills } };
      },
    };
    const settling = (load: Partial<Settlement>, outcomes: readonly SimulationOutcome[] = []) => {
      const settlement: Settlement = {
        ...{ allowanceTarget: GATEWAY, contracts: [GATEWAY], deployed: true },
        encode: () => ({ to: GATEWAY, data: "0x1234", value: 0n }),
        verify: () => {},
        revertLocation: () => "",
        ...SIZES,
        ...UNSIGNED,
        gas: () => 150_000n,
        gasLimit: () => 200_000n,
        ...load,
      };
      return world(outcomes, { router: wide, settlement }).quoting;
    };
    const uses = (route: Route) => BigInt(fillsOf(route).length);
    const unproven = { ...REQUEST, skipValidation: true };

    it("uses fewer pools when gas is too much", async () => {
      const answer = await settling({ gas: (route) => uses(route) * 10n ** 6n }).quote(unproven, CONTEXT);
      expect(answer.orders).toHaveLength(6);
    });

    it("uses fewer pools still when all are cold and nothing can be proven", async () => {
      const load = {
        gas: (route: Route) => uses(route) * 10n ** 6n,
        gasLimit: (route: Route) => uses(route) * 2n * 10n ** 6n,
      };
      const answer = await settling(load, [{ kind: "incomplete", reason: "no node" }]).quote(unproven, CONTEXT);
      expect(answer.orders).toHaveLength(5);
      expect(answer.gas).toBe(10n ** 7n);
    });

    it("says that a smaller amount is needed where one pool takes too much", async () => {
      const error = await refusalOf(settling({ gas: () => 10n ** 7n }).price(unproven, CONTEXT));
      expect([error.kind, error.violations[0]?.field]).toEqual(["INSUFFICIENT_ASSET_LIQUIDITY", "sellAmount"]);
      expect(error.message).toContain("10000000 gas");
    });
  });

  it("lets others have their turn between the searches that tell why there is none", async () => {
    let [turn, counting] = [0, true];
    const count = () => {
      turn += 1;
      if (counting) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const empty: Router = {
      findBest() {
        turns.push(turn);
        return { found: false, reason: { kind: "NO_PATH" } };
      },
    };
    await refusalOf(world([], { router: empty }).quoting.price({ ...REQUEST, skipValidation: true }, CONTEXT));
    counting = false;
    expect(new Set(turns).size).toBe(3);
  });

  it("looks for nothing more, not even for why there is none, once its caller has left", async () => {
    for (const reason of [{ kind: "NO_PATH" }, { kind: "NOT_ENOUGH_LIQUIDITY", estimate: 77n }] as const) {
      const caller = new AbortController();
      let asked = 0;
      const leaving: Router = {
        findBest({ budget }) {
          asked += 1;
          expect(budget.expired()).toBe(false);
          caller.abort();
          return { found: false, reason };
        },
      };
      const verdicts = { ...ALL_PLAIN, keptOut: () => new Map([[WRAPPED, "keeps 1 %"]]) };
      const { quoting } = world([], { router: leaving, verdicts });
      const error = await refusalOf(quoting.price(REQUEST, { ...CONTEXT, signal: caller.signal }));
      expect([error.kind, asked]).toEqual(["DEADLINE_EXCEEDED", 1]);
    }
  });

  it("lets the simulation know when its caller has left", async () => {
    const signals: unknown[] = [];
    const simulator: QuotingParts["simulator"] = {
      async simulate({ signal }) {
        signals.push(signal);
        return { kind: "incomplete", reason: "" };
      },
    };
    const { quoting } = world([], { simulator });
    await quoting.price({ ...REQUEST, taker: TAKER }, CONTEXT);
    await quoting.quote(REQUEST, CONTEXT);
    await quoting.quote({ ...REQUEST, sellToken: NATIVE, buyToken: WRAPPED_TOKEN }, CONTEXT);
    expect(signals).toEqual([CONTEXT.signal, CONTEXT.signal, CONTEXT.signal]);
  });

  it("searches for the best route once, whatever there is to say of why there is none", async () => {
    const asksFor: string[] = [];
    /** The only way is over iron. */
    const overIron: Router = {
      findBest(query) {
        asksFor.push(query.isAnyEnough === true ? "any" : "best");
        const one = router.findBest(query);
        if (!one.found || one.route.kind !== "exactIn") return one;
        const fills = one.route.fills.flatMap((fill) => [
          { ...fill, buyToken: IRON.address },
          { ...fill, sellToken: IRON.address },
        ]);
        return { ...one, route: { ...one.route, fills } };
      },
    };
    const verdicts = { ...ALL_PLAIN, keptOut: () => new Map([[IRON.address, "keeps 2 %"]]) };
    const { quoting } = world([], { router: overIron, verdicts });
    const buyToken = { ...IRON, address: address(33) };
    const refusal = await refusalOf(quoting.price({ ...REQUEST, buyToken }, CONTEXT));
    expect(refusal.message).toContain(`are left out: ${IRON.address} keeps 2 %`);
    expect(asksFor.filter((one) => one === "best")).toHaveLength(1);
    asksFor.length = 0;
    const amount = { kind: "exactOut", buyAmount: 5n } as const;
    await refusalOf(quoting.price({ ...REQUEST, buyToken, amount }, CONTEXT));
    expect(asksFor.filter((one) => one === "best")).toHaveLength(1);
  });

  it("names the largest amount after the fee where the fee is taken of what is bought", async () => {
    const shallow: Router = {
      findBest({ order }) {
        if (order.kind === "exactIn") throw new Error("not asked");
        const { buyAmount } = order;
        if (buyAmount > 10_000n) return { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY", estimate: 10_000n } };
        return { found: true, route: bought(buyAmount, buyAmount) };
      },
    };
    const { quoting } = world([], { router: shallow });
    const fee = { ratePpm: 100_000n, recipient: address(8) };
    const asking = (buyAmount: bigint) => ({ ...REQUEST, fee, amount: { kind: "exactOut", buyAmount } as const });
    const error = await refusalOf(quoting.price({ ...asking(20_000n), skipValidation: true }, CONTEXT));
    const most = BigInt(
      /; send a buyAmount of at most (\d+) base units \(.* IRON\)$/.exec(error.violations[0]?.description ?? "")?.[1] ??
        0n,
    );
    expect(most).toBe(9_000n);
    expect((await quoting.price({ ...asking(most), skipValidation: true }, CONTEXT)).buyAmount).toBe(most);
  });

  it("names side, token, pool and bound of what is too little, in base units and whole tokens", async () => {
    const at = { poolId: BEST.id, source: BEST.source, sellToken: GOLD.address, buyToken: IRON.address };
    const told = async (reason: NoRoute, amount: SwapRequest["amount"]) => {
      const poor: Router = { findBest: () => ({ found: false, reason }) };
      const { violations } = await refusalOf(
        world([], { router: poor }).quoting.price({ ...REQUEST, amount }, CONTEXT),
      );
      return violations.map(({ field, reason, description }) => [field, reason, description])[0];
    };
    const [gold, iron] = [`GOLD (${GOLD.address})`, `IRON (${IRON.address})`];
    const sale = { kind: "exactIn", sellAmount: 5n } as const;
    const purchase = { kind: "exactOut", buyAmount: 1n } as const;
    expect(await told({ kind: "TOO_SMALL", at }, sale)).toEqual([
      "sellAmount",
      "SELL_AMOUNT_TOO_SMALL",
      `selling 5 base units (0.000005 GOLD) of the sold token ${gold} for ${iron} is too little: ` +
        `${BEST.source} (pool ${BEST.id}) would not pay 1 base unit (0.000000000000000001 IRON) of ${iron} for what reaches it; ` +
        "send a larger sellAmount",
    ]);
    const least = { of: "bought", amount: 1_000n } as const;
    expect(await told({ kind: "TOO_SMALL", at: { ...at, least } }, purchase)).toEqual([
      "buyAmount",
      "BUY_AMOUNT_TOO_SMALL",
      `buying 1 base unit (0.000000000000000001 IRON) of the bought token ${iron} with ${gold} is too little: ` +
        `${BEST.source} (pool ${BEST.id}) pays no less than 1000 base units (0.000000000000001 IRON) of ${iron} at once; ` +
        "send a larger buyAmount",
    ]);
  });

  it("refuses a sale that nets nothing", async () => {
    const poor: Router = { findBest: () => ({ found: false, reason: { kind: "TOO_SMALL" } }) };
    const error = await refusalOf(world([], { router: poor }).quoting.price(REQUEST, CONTEXT));
    expect([error.kind, error.violations[0]?.reason]).toEqual(["INVALID_PARAMETERS", "SELL_AMOUNT_TOO_SMALL"]);
  });
});

describe("quote", () => {
  it("adds the transaction, its limits, and what the taker lacks", async () => {
    const answer = await world().quoting.quote({ ...REQUEST, taker: TAKER }, CONTEXT);
    expect(answer).toMatchObject({
      to: GATEWAY,
      data: "0x1234",
      expiry: 1120n,
      gas: 140_000n,
      estimatedGas: 120_000n,
      issues: {
        allowance: { actual: 0n, spender: GATEWAY },
        balance: { token: GOLD.address, actual: 10n, expected: 1_000_000n },
        simulationIncomplete: false,
      },
    });
    expect(quoteResponse(answer).guaranteedPrice).toBe("1.0131414414962058");
  });

  it("is run from a stand-in without taker, and reports no issues then", async () => {
    const { quoting, simulated } = world();
    const answer = await quoting.quote(REQUEST, CONTEXT);
    expect(simulated).toEqual([{ taker: undefined, fee: false }]);
    expect(answer.issues).toEqual({ allowance: null, balance: null, simulationIncomplete: false });
  });

  it("says when it could not be run, and takes gas from the model", async () => {
    const { quoting } = world([{ kind: "incomplete", reason: "no storage slot" }]);
    const answer = await quoting.quote(REQUEST, CONTEXT);
    expect([answer.issues.simulationIncomplete, answer.gas]).toEqual([true, 216_000n]);
  });

  it("takes the next best route when the first fails for everybody, and has its pools read again", async () => {
    const { quoting, rechecked } = world([REVERTED, "asPromised"]);
    const answer = await quoting.quote(REQUEST, CONTEXT);
    expect(answer.orders.map((order) => order.source)).toEqual(["Other_V2"]);
    expect(rechecked).toEqual([[BEST.id]]);
  });

  it("takes the next best route when pools of the first take more gas than a transaction may have, against their model", async () => {
    const reason = "it needs more than the 30000000 gas it may have";
    const { quoting, rechecked } = world([{ kind: "incomplete", reason, needsMoreGas: true }, "asPromised"]);
    const answer = await quoting.quote(REQUEST, CONTEXT);
    expect(answer.orders.map((order) => order.source)).toEqual(["Other_V2"]);
    expect(answer.issues.simulationIncomplete).toBe(false);
    expect(rechecked).toEqual([[BEST.id]]);
  });

  it("does not trust a transaction that pays another amount", async () => {
    const off: SimulationOutcome = {
      kind: "done",
      gasUsed: 1n,
      gasLimit: 1n,
      bought: 1n,
      sold: 1_000_000n,
      secondsLater: 0n,
    };
    const { quoting, rechecked } = world([off, off, off, off, off, off]);
    const error = await refusalOf(quoting.quote(REQUEST, CONTEXT));
    expect(error.kind).toBe("TRANSACTION_REVERTS");
    expect(error.message).toContain("pays 1 instead of");
    expect(rechecked).toEqual([[BEST.id], [SECOND.id]]);
  });

  it("blames the taker, not the pools, when the same route works from a stand-in without fee", async () => {
    const { quoting, simulated, rechecked } = world([REVERTED, "asPromised"]);
    const fee = { ratePpm: 1000n, recipient: address(8) };
    const error = await refusalOf(quoting.quote({ ...REQUEST, taker: TAKER, fee }, CONTEXT));
    expect([error.kind, error.message]).toEqual(["TRANSACTION_REVERTS", "the transaction would fail: TransferFailed"]);
    expect(simulated).toEqual([
      { taker: TAKER, fee: true },
      { taker: undefined, fee: false },
    ]);
    expect(rechecked).toEqual([]);
  });

  it("blames a recipient of the caller's, not the pools, when the same route pays a stand-in", async () => {
    const { quoting, simulated, rechecked } = world([REVERTED, "asPromised"]);
    const error = await refusalOf(quoting.quote({ ...REQUEST, recipient: address(8) }, CONTEXT));
    expect(error.kind).toBe("TRANSACTION_REVERTS");
    expect(simulated).toHaveLength(2);
    expect(rechecked).toEqual([]);
  });

  it("is not simulated when the caller says so, unless a source or a pool of it is only modelled", async () => {
    const exact = world();
    await exact.quoting.quote({ ...REQUEST, skipValidation: true }, CONTEXT);
    expect(exact.simulated).toEqual([]);
    const modelled = world([], { sources: new Map([["Uniswap_V2", source("Uniswap_V2", "amm", "modelled")]]) });
    await modelled.quoting.quote({ ...REQUEST, skipValidation: true }, CONTEXT);
    expect(modelled.simulated).toHaveLength(1);
    for (const isModelled of [true, false]) {
      const exactBut = { ...source("Uniswap_V2", "amm"), isModelled: () => isModelled };
      const pools = world([], { sources: new Map([["Uniswap_V2", exactBut]]) });
      await pools.quoting.quote({ ...REQUEST, skipValidation: true }, CONTEXT);
      expect(pools.simulated).toHaveLength(isModelled ? 1 : 0);
    }
  });

  it("is searched for with the price of calldata on the parent chain, where there is one", async () => {
    const gasPrices: bigint[] = [];
    const noting: Router = {
      findBest(request) {
        gasPrices.push(request.cost.gasPrice);
        return router.findBest(request);
      },
    };
    await world([], { router: noting }).quoting.price(REQUEST, CONTEXT);
    await world([], { router: noting }, { dataFee: { fixed: 1n, perByte: 11_000_000n } }).quoting.price(
      REQUEST,
      CONTEXT,
    );
    expect(gasPrices).toEqual([10n ** 9n, 10n ** 9n + 6_600n]);
  });

  it("lasts from its block on, and from now on where blocks come on demand; orders in it from the next block on", async () => {
    const config = {
      wrappedNative: WRAPPED,
      quoteTtlSeconds: 120,
      budget: { maxHops: 4, maxFills: 16, maxSteps: 1000 },
    };
    const asked: (readonly [at: bigint, from: bigint])[] = [];
    const makers: QuotingParts["makers"] = {
      quotersOf: () => ["Desk"],
      firmOrders: async (_, { at, from }) => {
        asked.push([at.timestamp, from]);
        return [];
      },
      settled: () => {},
    };
    const expiryAt = async (now: number, blockTimeMs: number) => {
      const { quoting } = world([], { makers, config: { ...config, blockTimeMs }, now: () => now * 1_000 });
      return (await quoting.quote({ ...REQUEST, taker: TAKER }, CONTEXT)).expiry;
    };
    expect(await expiryAt(5_000, 29_500)).toBe(BLOCK.timestamp + 120n);
    expect(await expiryAt(5_000, 0)).toBe(5_120n);
    expect(await expiryAt(999, 0)).toBe(BLOCK.timestamp + 120n);
    expect(asked).toEqual([
      [1_000n, 1_030n],
      [1_000n, 5_000n],
      [1_000n, 1_000n],
    ]);
  });

  it("asks no maker whose pair the request leaves out", async () => {
    const asked: string[] = [];
    const makers: QuotingParts["makers"] = {
      quotersOf: () => ["Desk", "Other"],
      firmOrders: async (asks) => {
        asked.push(...asks.map(({ source }) => source));
        return [];
      },
      settled: () => {},
    };
    const { quoting } = world([], { makers });
    const limits = { excludedTokens: [], connectorTokens: [] };
    for (const pair of [`${GOLD.address}:${IRON.address}`, `${IRON.address}:${GOLD.address}`])
      await quoting.quote(
        { ...REQUEST, taker: TAKER, limits: { ...limits, excludedPools: [`maker:desk:${pair}`] } },
        CONTEXT,
      );
    expect(asked).toEqual(["Other", "Other"]);
  });

  it("guarantees no more than its transaction does where a venue brings more than is bought", async () => {
    const generous: Router = {
      findBest({ order }) {
        if (order.kind === "exactIn") throw new Error("not asked");
        return { found: true, route: bought(order.buyAmount, order.buyAmount + 100n) };
      },
    };
    const request = { ...REQUEST, buyToken: { ...GOLD, address: IRON.address }, skipValidation: true };
    const { quoting } = world([], { router: generous });
    const answer = await quoting.quote({ ...request, amount: { kind: "exactOut", buyAmount: 1_000n } }, CONTEXT);
    expect(answer).toMatchObject({ buyAmount: 1_100n, minBuyAmount: 1_000n, maxSellAmount: 1_010n });
    expect(quoteResponse(answer).guaranteedPrice).toBe("1.01");
  });

  it("says that the node is down where it does not say what the taker has", async () => {
    const accounts = { balanceAndAllowance: () => Promise.reject(new Error("no answer from https://node/key")) };
    const { quoting } = world([], { accounts });
    const wrap = { ...REQUEST, sellToken: NATIVE, buyToken: WRAPPED_TOKEN };
    for (const request of [REQUEST, wrap]) {
      const error = await refusalOf(quoting.quote({ ...request, taker: TAKER }, CONTEXT));
      expect([error.kind, error.retryAfterSeconds]).toEqual(["UNAVAILABLE", 1]);
      expect(error.message).not.toContain("key");
    }
    expect(await quoting.quote(REQUEST, CONTEXT)).toMatchObject({ issues: { allowance: null, balance: null } });
  });

  it("holds the caller's limit on price impact", async () => {
    const large = { kind: "exactIn", sellAmount: 10n ** 11n } as const;
    const limited = { ...REQUEST, amount: large, maxPriceImpact: FRACTION_ONE / 20n };
    const error = await refusalOf(world().quoting.quote(limited, CONTEXT));
    expect(error.kind).toBe("PRICE_IMPACT_TOO_HIGH");
    expect(error.message).toBe(
      `the price impact of selling 100000000000 base units (100000 GOLD) of the sold token GOLD (${GOLD.address}) ` +
        `for IRON (${IRON.address}) is 9.0662 %, priceImpactProtectionPercentage allows 5 %; ` +
        "send a smaller sellAmount or a higher limit",
    );
    const enough = { ...limited, maxPriceImpact: FRACTION_ONE / 10n };
    expect(quoteResponse(await world().quoting.quote(enough, CONTEXT)).estimatedPriceImpact).toBe("9.0662");
  });

  it.each([
    ["are missing", false, { kind: "SETTLEMENT_NOT_DEPLOYED", retryAfterSeconds: 60 }],
    ["were not looked for yet", undefined, { kind: "UNAVAILABLE", retryAfterSeconds: 1 }],
  ])("is refused where the settlement contracts %s, while prices work", async (_, deployed, refusal) => {
    const base = world();
    const settlement = {
      allowanceTarget: GATEWAY,
      contracts: [],
      deployed,
      gas: () => 1n,
      gasLimit: () => 1n,
      ...SIZES,
    } as never;
    const { quoting } = world([], { settlement });
    expect(await refusalOf(quoting.quote(REQUEST, CONTEXT))).toMatchObject(refusal);
    expect((await quoting.price(REQUEST, CONTEXT)).buyAmount).toBe(
      (await base.quoting.price({ ...REQUEST, skipValidation: true }, CONTEXT)).buyAmount,
    );
  });
});

describe("a quote that the node did not help with in time", () => {
  const mute = {
    simulator: { simulate: async () => ({ kind: "incomplete", reason: "too late" }) as const },
    accounts: { balanceAndAllowance: () => Promise.reject(new Error("too late")) },
  };
  /** Runs out while the node is asked. */
  const overAt = (deadlineMs: number) => {
    let nowMs = 0;
    const late = <T>(answer: () => Promise<T>) => {
      nowMs = 100;
      return answer();
    };
    return {
      now: () => nowMs,
      simulator: { simulate: () => late(mute.simulator.simulate) },
      accounts: { balanceAndAllowance: () => late(mute.accounts.balanceAndAllowance) },
      context: { ...CONTEXT, deadlineMs },
    };
  };

  it.each([
    ["run nowhere", {}],
    ["without a word on its taker", { taker: TAKER, skipValidation: true }],
  ])("is refused for that, when it was %s", async (_, change) => {
    const { context, ...parts } = overAt(50);
    const refusal = await refusalOf(world([], parts).quoting.quote({ ...REQUEST, ...change }, context));
    expect(refusal.kind).toBe("DEADLINE_EXCEEDED");
  });

  it("is another matter while there is time", async () => {
    const { context, ...parts } = overAt(1_000);
    const { quoting } = world([], parts);
    expect((await quoting.quote(REQUEST, context)).issues.simulationIncomplete).toBe(true);
    const refusal = await refusalOf(quoting.quote({ ...REQUEST, taker: TAKER }, context));
    expect(refusal.kind).toBe("UNAVAILABLE");
  });
});

describe("wrapping the native token", () => {
  const wrap = { ...REQUEST, sellToken: NATIVE, buyToken: WRAPPED_TOKEN };
  const unwrap = { ...REQUEST, sellToken: WRAPPED_TOKEN, buyToken: NATIVE };

  it("deposits and withdraws one to one at the wrapped token's own contract", async () => {
    const { quoting } = world();
    const deposit = await quoting.quote(wrap, CONTEXT);
    expect(quoteResponse(deposit)).toMatchObject({ price: "1", guaranteedPrice: "1", estimatedPriceImpact: "0" });
    expect(deposit).toMatchObject({
      to: WRAPPED,
      data: "0xd0e30db0",
      value: 1_000_000n,
      buyAmount: 1_000_000n,
      allowanceTarget: ZERO_ADDRESS,
      sources: [],
      orders: [],
      fees: [],
    });
    expect(await quoting.quote({ ...unwrap, fee: { ratePpm: 1n, recipient: TAKER } }, CONTEXT)).toMatchObject({
      to: WRAPPED,
      data: `0x2e1a7d4d${"0".repeat(59)}f4240`,
      value: 0n,
      fees: [],
    });
  });

  it("is run on the node for no longer than its caller waits", async () => {
    const until: (number | undefined)[] = [];
    const simulate: QuotingParts["simulator"]["simulate"] = async ({ deadlineMs }) => {
      until.push(deadlineMs);
      return { kind: "incomplete", reason: "too late" };
    };
    const { quoting } = world([], { simulator: { simulate } });
    for (const request of [REQUEST, wrap, unwrap]) await quoting.quote(request, { ...CONTEXT, deadlineMs: 5_000 });
    expect(until).toEqual([5_000, 5_000, 5_000]);
  });

  it("never sells more than the amount, whatever the slippage", async () => {
    const exactOut = { ...wrap, amount: { kind: "exactOut", buyAmount: 5n } as const, slippage: FRACTION_ONE };
    expect(await world().quoting.quote(exactOut, CONTEXT)).toMatchObject({ value: 5n, maxSellAmount: 5n });
  });

  it("is not used when the request excludes it", async () => {
    const without = { ...wrap, sources: { kind: "without", ids: ["Wrapped_Native"] } as const };
    expect((await world().quoting.price(without, CONTEXT)).orders).not.toEqual([]);
  });
});

describe("listSources", () => {
  it("shows every source by name, with those not seen yet as off", () => {
    expect(world().quoting.listSources()).toEqual([
      {
        name: "Other_V2",
        kind: "amm",
        pools: 0,
        sleepingPools: 0,
        leftOut: [],
        status: "off",
        blockNumber: 0n,
        exactOut: true,
        assurance: "exact",
      },
      {
        name: "Uniswap_V2",
        kind: "amm",
        pools: 1,
        sleepingPools: 4,
        leftOut: [],
        status: "live",
        blockNumber: 5n,
        exactOut: true,
        assurance: "exact",
      },
      {
        name: "Wrapped_Native",
        kind: "wrapper",
        pools: 0,
        sleepingPools: 0,
        leftOut: [],
        status: "off",
        blockNumber: 0n,
        exactOut: true,
        assurance: "exact",
      },
    ]);
  });
});

describe("what the operator has switched off", () => {
  const off = (change: Partial<SwitchedOff>) => world([], { switchedOff: () => ({ ...ALL_ON, ...change }) }).quoting;
  const used = async (quoting: World["quoting"]) =>
    (await quoting.quote(REQUEST, CONTEXT)).route.fills.map(({ pool: id }) => id);

  it("is not used: a source, or a pool", async () => {
    expect(await used(off({}))).toEqual([BEST.id]);
    expect(await used(off({ source: new Set([BEST.source]) }))).toEqual([SECOND.id]);
    expect(await used(off({ pool: new Set([BEST.id]) }))).toEqual([SECOND.id]);
  });

  it("takes a token out of every pool, and the caller is told", async () => {
    const quoting = off({ token: new Set([IRON.address]) });
    for (const call of [quoting.price(REQUEST, CONTEXT), quoting.quote(REQUEST, CONTEXT)]) {
      const error = await refusalOf(call);
      expect(error.kind).toBe("INSUFFICIENT_ASSET_LIQUIDITY");
      expect(error.violations[0]?.description).toBe(
        `the operator has switched off the bought token IRON (${IRON.address}); send another token`,
      );
    }
  });

  it("is told source by source where nothing is left", async () => {
    const error = await refusalOf(off({ source: new Set([BEST.source, SECOND.source]) }).price(REQUEST, CONTEXT));
    expect(error.violations.slice(1).map(({ description }) => description)).toEqual([
      "Uniswap_V2: switched off by the operator",
      "Other_V2: switched off by the operator",
    ]);
  });

  it("holds for wrapping too", async () => {
    const wrap = { ...REQUEST, sellToken: NATIVE, buyToken: WRAPPED_TOKEN };
    const kinds = [{ source: new Set(["Wrapped_Native"]) }, { token: new Set([WRAPPED]) }];
    for (const kind of kinds) expect((await off(kind).quote(wrap, CONTEXT)).to).not.toBe(WRAPPED);
  });

  it("shows in the list of sources", () => {
    const status = new Map(
      off({ source: new Set([BEST.source]) })
        .listSources()
        .map((source) => [source.name, source.status]),
    );
    expect(status.get("Uniswap_V2")).toBe("off");
  });
});

describe("one caller's trouble", () => {
  it.each([
    ["a taker that the token's issuer has blacklisted", { taker: TAKER }],
    ["a fee recipient that refuses the token", { fee: { ratePpm: 1000n, recipient: address(8) } }],
    ["a taker and a recipient", { taker: TAKER, fee: { ratePpm: 1000n, recipient: address(8) } }],
  ])("switches no pool off for others: %s", async (_, odd) => {
    const { quoting, rechecked } = world([REVERTED, "asPromised", "asPromised"]);
    expect((await refusalOf(quoting.quote({ ...REQUEST, ...odd }, CONTEXT))).kind).toBe("TRANSACTION_REVERTS");
    expect(rechecked).toEqual([]);
    expect((await quoting.quote(REQUEST, CONTEXT)).route.fills.map(({ pool: id }) => id)).toEqual([BEST.id]);
  });
});

describe("watched prices that are to be simulated", () => {
  /** Watches of many takers over the two pools; a block is published when the test says so. */
  function watching(simulationsPerSecond: number) {
    const { quoting, simulated } = world();
    const market = createFakeMarket();
    const limits = { ...DEFAULT_WATCH_LIMITS, simulationsPerSecond, heartbeatMs: 3_600_000 };
    const onDefect = (error: unknown) => {
      throw error;
    };
    const watches = createPriceWatches({ quoting, market, limits, onDefect });
    const gas: bigint[] = [];
    const stop = new AbortController();
    const ended: Promise<void>[] = [];
    const watch = (taker: Address, key: string) =>
      ended.push(
        (async () => {
          const request = { ...REQUEST, taker, skipValidation: true };
          for await (const update of watches.open(request, stop.signal, { key, account: key }))
            if (update.kind === "price") gas.push(update.answer.gas);
        })(),
      );
    const settled = async () => {
      for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const close = () => {
      stop.abort();
      return Promise.all(ended);
    };
    return { watches, market, simulated, gas, watch, settled, close };
  }

  it("are simulated so often in a second, whatever one key watches, and their gas is else the model's", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { market, simulated, gas, watch, settled, close } = watching(5);
    for (let i = 0; i < 60; i += 1) watch(address(1_000 + i), "greedy");
    await settled();
    expect(simulated).toHaveLength(5);
    expect(gas.filter((limit) => limit === 140_000n)).toHaveLength(5);
    expect(gas.filter((limit) => limit === 216_000n)).toHaveLength(55);
    for (let block = 0; block < 10; block += 1) {
      market.publish();
      await settled();
    }
    expect(simulated).toHaveLength(5);
    vi.advanceTimersByTime(1_000);
    watch(address(2_000), "modest");
    await settled();
    market.publish();
    await settled();
    // Four of the many, and the one of the other account.
    expect(simulated).toHaveLength(10);
    expect(simulated.map(({ taker }) => taker)).toContain(address(2_000));
    await close();
    vi.useRealTimers();
  });

  it("are simulated once for a route that does not change, for a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { market, simulated, gas, watch, settled, close } = watching(5);
    watch(TAKER, "one");
    await settled();
    for (let block = 0; block < 59; block += 1) {
      vi.advanceTimersByTime(1_000);
      market.publish();
      await settled();
    }
    expect([simulated.length, gas]).toEqual([1, [140_000n]]);
    vi.advanceTimersByTime(1_000);
    market.publish();
    await settled();
    expect(simulated).toHaveLength(2);
    await close();
    vi.useRealTimers();
  });
});
