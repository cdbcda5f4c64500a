import fc from "fast-check";
import { type Address, type Hex, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { type MakerOrder, RFQ_FUNCTIONS, type RfqCall } from "../../../src/domain/maker-order.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { poolIdOf as ekuboIdOf } from "../../../src/venues/ekubo/pool-key.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { poolIdOf as infinityIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";

export const WRAPPED = toAddress(`0x${"cc".repeat(20)}`);

const contracts = settlementContracts(WRAPPED);
const [EXECUTOR, ORDERS] = [contracts.executor.address, contracts.orders.address];

/** A route with how each of its fills is to be traded; amounts are of no meaning. */
export interface RandomRoute {
  readonly route: Route;
  readonly action: (fill: Fill) => AnyAction;
}

const address = (seed: number) => toAddress(`0x${seed.toString(16).padStart(40, "a")}`);
const number = (max: number) => fc.integer({ min: 0, max });

/** A stream of choices, so that shapes can depend on what was chosen before. */
const choices = fc.array(number(1_000_000), { minLength: 400, maxLength: 400 }).map((values) => {
  let at = 0;
  return (below: number) => values[at++ % values.length]! % below;
});
type Choose = (below: number) => number;

export const randomRoute: fc.Arbitrary<RandomRoute> = choices.map((choose) => {
  const actions = new Map<string, AnyAction>();
  const route = choose(2) === 0 ? exactInRoute(choose, actions) : exactOutRoute(choose, actions);
  return { route, action: (fill) => actions.get(fill.poolId)! };
});

/** Tokens of a route in order; native at either end or nowhere, the wrapped token next to it. */
function tokenLine(choose: Choose): readonly Address[] {
  const middle = Array.from({ length: choose(4) }, (_, i) => address(1_000 + i));
  const ends = choose(3);
  const start = ends === 0 ? [NATIVE_TOKEN, WRAPPED] : [address(1)];
  const end = ends === 1 ? [WRAPPED, NATIVE_TOKEN] : [address(2)];
  return [...start, ...middle, ...end];
}

function newFill(choose: Choose, actions: Map<string, AnyAction>, sellToken: Address, buyToken: Address): Fill {
  const wraps = [sellToken, buyToken].includes(NATIVE_TOKEN);
  const next = address(100_000 + actions.size);
  const inManager = !wraps && choose(5) === 0 ? singletonVenue(choose, next, sellToken, buyToken) : undefined;
  const pool = wraps ? WRAPPED : (inManager?.id ?? next);
  const action =
    inManager?.action ??
    (wraps ? ({ action: "wrapped-native", wrapped: WRAPPED } as const) : anyVenue(choose, next, sellToken, buyToken));
  actions.set(pool, action);
  const amounts = { sellAmount: 10n, buyAmount: 10n, gas: 60_000n };
  return { poolId: pool, source: "Test", sellToken, buyToken, ...amounts, share: SHARE_ONE };
}

/** Orders of random amounts with signatures of random lengths, those of a key and those of contracts. */
function anyOrder(choose: Choose, takerToken: Address, makerToken: Address) {
  const amount = (bits: bigint) => 1n + (BigInt(1 + choose(1_000_000)) << bits);
  const order: MakerOrder = {
    ...{ maker: address(80_000 + choose(1_000)), taker: EXECUTOR, trader: address(90_000), makerToken, takerToken },
    ...{ makerAmount: amount(90n), takerAmount: amount(80n), minTakerAmount: BigInt(choose(1_000)) },
    ...{ expiry: amount(20n), nonce: amount(200n), refillable: choose(2) === 0 },
  };
  const signature: Hex = `0x${"ab".repeat([0, 65, 65, 300][choose(4)]!)}`;
  return { order, signature };
}

function anyVenue(choose: Choose, pool: Address, sellToken: Address, buyToken: Address): AnyAction {
  const venues: readonly AnyAction[] = [
    { action: "v2-pair", pair: pool, feePpm: choose(10_001) },
    { action: "v3-pool", pool },
    { action: "pancake-v3-pool", pool },
    { action: "algebra-pool", pool },
    { action: "pangolin-v3-pool", pool },
    { action: "solidly-pool", pool, feePpm: choose(10_001) },
    { action: "curve-pool", pool, sell: choose(8), buy: choose(8) },
    { action: "curve-crypto-pool", pool, sell: choose(3), buy: choose(3) },
    { action: "curve-underlying", pool, sell: choose(4), buy: choose(4) },
    { action: "curve-add", pool, coin: choose(2), coins: 2 + choose(3), amounts: choose(2) === 0 ? "list" : "array" },
    { action: "curve-remove", pool, coin: choose(4) },
    {
      action: "balancer-v2-pool",
      vault: address(60_000),
      poolId: `${pool as Hex}${"0002".padEnd(24, String(1 + choose(9)))}`,
    },
    { action: "balancer-v3-pool", vault: address(60_001), pool },
    { action: "balancer-v3-buffer", vault: address(60_001), wrapped: [sellToken, buyToken][choose(2)]! },
    { action: "prop-amm", venue: pool, draws: choose(2) === 0 },
    { action: "woofi-pool", pool },
    { action: "dodo-pool", pool, baseToken: [sellToken, buyToken][choose(2)]! },
    { action: "euler-swap-pool", pool },
    { action: "psm", psm: pool, gem: [sellToken, buyToken][choose(2)]! },
    { action: "lb-pair", pair: pool, tokenX: [sellToken, buyToken][choose(2)]! },
    {
      ...{ action: "fluid-pool", liquidity: address(60_002), pool, digits: [choose(7), choose(7)] },
      token0: [sellToken, buyToken][choose(2)]!,
    },
    {
      ...{ action: "maverick-pool", pool, tickLimit: choose(700_000) - 350_000 },
      tokenA: [sellToken, buyToken][choose(2)]!,
    },
    {
      ...{ action: "kuru-market", marginAccount: address(60_003), market: pool },
      ...{ decimals: [choose(19), choose(19)], digits: [choose(12), choose(10)] },
      baseToken: [sellToken, buyToken][choose(2)]!,
    },
    { action: "erc4626-vault", vault: [sellToken, buyToken][choose(2)]! },
    { action: "rate-token", token: [sellToken, buyToken][choose(2)]! },
    { action: "maker-order", settlement: ORDERS, ...anyOrder(choose, sellToken, buyToken) },
    { action: "rfq-order", settlement: pool, call: anyCall(choose), ...anyOrder(choose, sellToken, buyToken) },
    {
      action: "aqua-order",
      router: pool,
      maker: address(80_001),
      traits: BigInt(choose(2 ** 31)),
      data: anyData(choose),
    },
  ];
  return venues[choose(venues.length)]!;
}

/** A call of a maker's own contract, of a few words. */
function anyCall(choose: Choose): RfqCall {
  const words = Array.from({ length: 15 + choose(5) }, () =>
    choose(2 ** 31)
      .toString(16)
      .padStart(64, "5e"),
  );
  return { function: RFQ_FUNCTIONS[choose(RFQ_FUNCTIONS.length)]!, arguments: `0x${words.join("")}` };
}

/** A program of a few bytes. */
function anyData(choose: Choose): Hex {
  return `0x${Array.from({ length: 1 + choose(150) }, () => choose(256).toString(16).padStart(2, "0")).join("")}`;
}

/** A pool that its manager knows by its key: Uniswap V4's, PancakeSwap Infinity's, or Ekubo's. */
function singletonVenue(choose: Choose, manager: Address, a: Address, b: Address) {
  const [fee, tickSpacing] = [choose(2) === 0 ? 0x800000 : choose(10_001), 1 + choose(200)];
  const hooks = choose(2) === 0 ? ZERO_ADDRESS : address(70_000 + choose(1_000));
  const currencies = a < b ? ([a, b] as const) : ([b, a] as const);
  const terms = { manager, fee, tickSpacing, hooks };
  if (choose(3) === 0) {
    const config = (BigInt(hooks) << 96n) | (BigInt(fee) << 56n) | BigInt(tickSpacing);
    const action = { action: "ekubo-pool", core: manager, config } as const;
    return { id: ekuboIdOf({ tokens: currencies, config }), action };
  }
  if (choose(2) === 0)
    return { id: poolIdOf({ currencies, ...terms }), action: { action: "v4-pool", ...terms } as const };
  const registration = choose(1 << 14);
  const id = infinityIdOf({ currencies, registration, ...terms });
  if (choose(2) === 0) return { id, action: { action: "infinity-cl-pool", registration, ...terms } as const };
  const { tickSpacing: binStep, ...others } = terms;
  return { id, action: { action: "infinity-bin-pool", registration, binStep, ...others } as const };
}

function someShare(choose: Choose): bigint {
  return 1n + BigInt(choose(999_999)) * 1_000n;
}

function exactInRoute(choose: Choose, actions: Map<string, AnyAction>): ExactInRoute {
  const tokens = tokenLine(choose);
  const last = tokens.length - 1;
  const reached = new Set([0]);
  const fills: Fill[] = [];
  for (let i = 0; i < last; i++) {
    if (!reached.has(i)) continue;
    const count = 1 + choose(3);
    for (let n = 1; n <= count; n++) {
      const wraps = tokens[i] === NATIVE_TOKEN;
      // Native token is reached from its wrapped form only.
      const furthest = tokens[last] === NATIVE_TOKEN && i < last - 1 ? last - 1 : last;
      const to = wraps ? 1 : i + 1 + choose(furthest - i);
      reached.add(to);
      const fill = newFill(choose, actions, tokens[i]!, tokens[to]!);
      fills.push(n === count ? fill : { ...fill, share: someShare(choose) });
    }
  }
  const ends = { sellToken: tokens[0]!, buyToken: tokens[last]! };
  return { kind: "exactIn", ...ends, sellAmount: 1_000n + BigInt(choose(1_000)), buyAmount: 900n, fills };
}

/** From the bought token back: all that take a token are chosen before those that make it. */
function exactOutRoute(choose: Choose, actions: Map<string, AnyAction>): ExactOutRoute {
  const tokens = tokenLine(choose);
  const last = tokens.length - 1;
  const needed = new Set([last]);
  const fills: Fill[] = [];
  for (let i = last; i > 0; i--) {
    if (!needed.has(i)) continue;
    const count = 1 + choose(3);
    for (let n = 1; n <= count; n++) {
      const wraps = tokens[i] === NATIVE_TOKEN;
      // Native token makes its wrapped form only.
      const nearest = tokens[0] === NATIVE_TOKEN && i > 1 ? 1 : 0;
      const from = wraps ? last - 1 : nearest + choose(i - nearest);
      needed.add(from);
      const fill = newFill(choose, actions, tokens[from]!, tokens[i]!);
      fills.push(n === count ? fill : { ...fill, share: someShare(choose) });
    }
  }
  const ends = { sellToken: tokens[0]!, buyToken: tokens[last]! };
  return { kind: "exactOut", ...ends, sellAmount: 1_000n, buyAmount: 900n + BigInt(choose(1_000)), fills };
}

/** Counts of a set of random routes, so that a test can say that it saw enough. */
export function census(routes: readonly RandomRoute[]) {
  const fills = routes.map(({ route }) => route.fills);
  return {
    exactIn: routes.filter(({ route }) => route.kind === "exactIn").length,
    exactOut: routes.filter(({ route }) => route.kind === "exactOut").length,
    native: routes.filter(({ route }) => [route.sellToken, route.buyToken].includes(NATIVE_TOKEN)).length,
    long: fills.filter((list) => list.length > 4).length,
    merged: fills.filter((list) => list.some(isMerged)).length,
    split: fills.filter((list) => list.some(({ share }) => share !== SHARE_ONE)).length,
  };
}

/** Whether others take of the same token, of which there is one maker or several. */
function isMerged(fill: Fill, index: number, fills: readonly Fill[]): boolean {
  const others = fills.filter((other, i) => i !== index && other.sellToken === fill.sellToken);
  return others.length > 0 && fills.some(({ buyToken }) => buyToken === fill.sellToken);
}
