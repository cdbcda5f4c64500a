import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn } from "../../../fixtures/settlement/routes.ts";
import { holdNone, leftApproved, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { executorArtifact, gatewayArtifact } from "../../../src/settlement/artifacts.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { rawSwap } from "../chain/direct.ts";

const { abi } = compiled("SlyVenue");
const AMOUNT = 100n * UNIT;

let world: World;
let gateway: Address;
let executor: Address;
/** Every venue that draws or burns what it is sold: usd for dai, or for shares of its own. */
let sly: Address;
beforeAll(async () => {
  world = await startWorld();
  [gateway, executor] = world.settlement.contracts as readonly [Address, Address];
  const { node, owner, taker, usd, dai, give } = world;
  sly = await node.deploy(compiled("SlyVenue"), usd, dai);
  for (const token of [usd, dai]) await give(token, sly, 10n * AMOUNT);
  await node.send({
    from: owner,
    to: sly,
    data: encodeFunctionData({ abi: compiled("PlainToken").abi, functionName: "mint", args: [taker, 10n * AMOUNT] }),
  });
  await node.write(taker, sly, erc20Abi, "approve", gateway, 10n * AMOUNT);
  await world.keep();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

interface Deal {
  readonly kind: Route["kind"];
  readonly action: () => AnyAction;
  readonly sell: () => Address;
  readonly buy: () => Address;
  /** Whether the venue burns shares of its own, which needs no approval. */
  readonly burns?: true;
  /** Whether what it does not take of a payment is seen: where it is its own shares, nobody else's are at stake. */
  readonly unseen?: true;
  /** Error of a swap that brings one unit less than the venue says, for venues that are paid before the call. */
  readonly short?: RegExp;
}

const [usd, dai, shares] = [() => world.usd, () => world.dai, () => sly];
const psm = (gem: () => Address) => () => ({ action: "psm", psm: sly, gem: gem() }) as const;
const curve = (action: "curve-pool" | "curve-crypto-pool" | "curve-underlying") => () =>
  ({ action, pool: sly, sell: 0, buy: 1 }) as const;
const adding = (amounts: "list" | "array") => () =>
  ({ action: "curve-add", pool: sly, coin: 0, coins: 2, amounts }) as const;
const vault = () => ({ action: "erc4626-vault", vault: sly }) as const;
const rate = () => ({ action: "rate-token", token: sly }) as const;
const propAmm = () => ({ action: "prop-amm", venue: sly, draws: true }) as const;
const fluid = () => ({ action: "fluid-pool", liquidity: sly, pool: sly, token0: world.usd, digits: [0, 0] }) as const;
const woofi = () => ({ action: "woofi-pool", pool: sly }) as const;
const dodo = () => ({ action: "dodo-pool", pool: sly, baseToken: world.usd }) as const;
const aqua = () => ({ action: "aqua-order", router: sly, maker: sly, traits: 1n << 254n, data: "0x1100" }) as const;
const euler = () => ({ action: "euler-swap-pool", pool: sly }) as const;
const maverick = () => ({ action: "maverick-pool", pool: sly, tokenA: world.usd, tickLimit: 7 }) as const;
const kuru = (): AnyAction => ({
  ...{ action: "kuru-market", marginAccount: sly, market: sly, baseToken: world.usd },
  ...{ decimals: [18, 18], digits: [18, 18] },
});
const bins = () => ({ action: "lb-pair", pair: sly, tokenX: world.usd }) as const;
const balancer = () => ({ action: "balancer-v2-pool", vault: sly, poolId: `${sly}${"00".repeat(12)}` as Hex }) as const;

const DEALS: Readonly<Record<string, Deal>> = {
  "a Curve pool": { kind: "exactIn", action: curve("curve-pool"), sell: usd, buy: dai },
  "a Curve pool of crypto": { kind: "exactIn", action: curve("curve-crypto-pool"), sell: usd, buy: dai },
  "a Curve pool's underlying coins": { kind: "exactIn", action: curve("curve-underlying"), sell: usd, buy: dai },
  "a Curve pool's shares, by a list": { kind: "exactIn", action: adding("list"), sell: usd, buy: shares },
  "a Curve pool's shares, by an array": { kind: "exactIn", action: adding("array"), sell: usd, buy: shares },
  "a Curve pool's shares, sold": {
    ...{ kind: "exactIn", action: () => ({ action: "curve-remove", pool: sly, coin: 1 }) },
    ...{ sell: shares, buy: dai, burns: true },
  },
  "a vault": { kind: "exactIn", action: vault, sell: usd, buy: shares },
  "a vault's shares": { kind: "exactIn", action: vault, sell: shares, buy: usd, burns: true, unseen: true },
  "a vault, exact-out": { kind: "exactOut", action: vault, sell: usd, buy: shares },
  "a vault's shares, exact-out": { kind: "exactOut", action: vault, sell: shares, buy: usd, burns: true },
  "a rate token": { kind: "exactIn", action: rate, sell: usd, buy: shares },
  "a rate token, sold": { kind: "exactIn", action: rate, sell: shares, buy: usd, burns: true, unseen: true },
  "a stability module that sells gem": { kind: "exactIn", action: psm(usd), sell: dai, buy: usd },
  "a stability module that buys gem": { kind: "exactIn", action: psm(usd), sell: usd, buy: dai },
  "a stability module that sells gem, exact-out": { kind: "exactOut", action: psm(usd), sell: dai, buy: usd },
  "a stability module that buys gem, exact-out": { kind: "exactOut", action: psm(usd), sell: usd, buy: dai },
  "a proprietary AMM that draws": { kind: "exactIn", action: propAmm, sell: usd, buy: dai },
  "a pair of bins": { kind: "exactIn", action: bins, sell: usd, buy: dai, short: /^InsufficientOutput\(/ },
  "a pair of bins, sold Y": { kind: "exactIn", action: bins, sell: dai, buy: usd, short: /^InsufficientOutput\(/ },
  "a pair of bins, exact-out": { kind: "exactOut", action: bins, sell: usd, buy: dai, short: /^balance too small$/ },
  "a pool of WOOFi": { kind: "exactIn", action: woofi, sell: usd, buy: dai, short: /^InsufficientOutput\(/ },
  "a pool of DODO": { kind: "exactIn", action: dodo, sell: usd, buy: dai, short: /^InsufficientOutput\(/ },
  "a pool of DODO, sold quote": { kind: "exactIn", action: dodo, sell: dai, buy: usd, short: /^InsufficientOutput\(/ },
  "a strategy of Aqua": { kind: "exactIn", action: aqua, sell: usd, buy: dai },
  "a strategy of Aqua, exact-out": { kind: "exactOut", action: aqua, sell: usd, buy: dai },
  "a pool of EulerSwap": { kind: "exactIn", action: euler, sell: usd, buy: dai, short: /^InsufficientOutput\(/ },
  "a pool of EulerSwap, sold the other": {
    kind: "exactIn",
    action: euler,
    sell: dai,
    buy: usd,
    short: /^InsufficientOutput\(/,
  },
  "a pool of Maverick": { kind: "exactIn", action: maverick, sell: usd, buy: dai, short: /^InsufficientOutput\(/ },
  "a pool of Maverick, sold B": {
    kind: "exactIn",
    action: maverick,
    sell: dai,
    buy: usd,
    short: /^InsufficientOutput\(/,
  },
  "a pool of EulerSwap, exact-out": { kind: "exactOut", action: euler, sell: usd, buy: dai, short: /^PartialFill\(/ },
  "a pool of Maverick, exact-out": {
    kind: "exactOut",
    action: maverick,
    sell: usd,
    buy: dai,
    short: /^InsufficientOutput\(/,
  },
  "a pool of Fluid": { kind: "exactIn", action: fluid, sell: usd, buy: dai },
  "a pool of Fluid, sold token 1": { kind: "exactIn", action: fluid, sell: dai, buy: usd },
  "a pool of Fluid, exact-out": { kind: "exactOut", action: fluid, sell: usd, buy: dai },
  "a market of Kuru": { kind: "exactIn", action: kuru, sell: usd, buy: dai },
  "a market of Kuru, sold quote": { kind: "exactIn", action: kuru, sell: dai, buy: usd },
  "Balancer's vault": { kind: "exactIn", action: balancer, sell: usd, buy: dai },
  "Balancer's vault, exact-out": { kind: "exactOut", action: balancer, sell: usd, buy: dai },
};

function routeOf({ kind, sell, buy }: Deal): Route {
  const ends = { sellToken: sell(), buyToken: buy(), sellAmount: AMOUNT, buyAmount: AMOUNT };
  const fill: Fill = { poolId: sly, source: "Test", ...ends, gas: 0n, share: SHARE_ONE };
  return kind === "exactIn" ? { kind, ...ends, fills: [fill] } : { kind, ...ends, fills: [fill] };
}

const worldOf = (deal: Deal): World => ({ ...world, actionOf: deal.action });

/** Nothing of anything is left in our contracts, no approval either. */
async function expectClean(): Promise<void> {
  expect(await leftBehind(world)).toBe(0n);
  expect(await holdNone(world, [sly])).toBe(true);
  expect(await leftApproved(world, [world.usd, world.dai, sly], [sly])).toBe(0n);
}

describe.each(Object.entries(DEALS))("%s (incidents 19, 26, 30, 36)", (_, deal) => {
  it("is paid exactly what it draws, and nothing is left", async () => {
    const { sold, bought } = await run(worldOf(deal), routeOf(deal));
    expect({ sold, bought }).toEqual({ sold: AMOUNT, bought: AMOUNT });
    await expectClean();
  });

  it("is paid, and pays, nothing of what lies in the executor", async () => {
    const { usd, dai, give, owner, node } = world;
    for (const token of [usd, dai]) await give(token, executor, 5n);
    await node.write(owner, sly, compiled("PlainToken").abi, "mint", executor, 5n);
    const { sold, bought } = await run(worldOf(deal), routeOf(deal));
    expect({ sold, bought }).toEqual({ sold: AMOUNT, bought: AMOUNT });
    for (const token of [usd, dai, sly]) expect(await world.balance(token, executor)).toBe(5n);
  });

  it("that takes one unit less than it is paid, or brings one less than it says, makes no swap", async () => {
    const { node, owner, taker, settlement } = world;
    await node.write(owner, sly, abi, "leave", 1n);
    const route = routeOf(deal);
    const terms = termsFor(route, { maxSellAmount: deal.kind === "exactOut" ? 2n * AMOUNT : AMOUNT });
    const transaction = settlement.encode(route, terms, deal.action);
    if (deal.unseen) {
      await node.send({ from: taker, ...transaction });
      expect(await world.balance(sly, executor)).toBe(1n);
      return;
    }
    const refusal = deal.short ?? /^PartialFill\(/;
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toMatch(refusal);
  });

  it("finds no door open while it is paid", async () => {
    const { node, owner, other, settlement } = world;
    const pool = exactIn(world, world.usd, world.dai, UNIT, [[world.venues.usdDai, world.usd, world.dai]]);
    const swap = settlement.encode(pool, termsFor(pool), world.actionOf).data;
    const executorCall = (functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: executorArtifact.abi, functionName, args });
    const route = routeOf(deal);
    const doors: readonly (readonly [Address, Hex, RegExp])[] = [
      [gateway, swap, /^Reentered\(\)$/],
      [gateway, rawSwap({ executor: sly, sellToken: world.usd, buyToken: world.dai }, "0x"), /^Reentered\(\)$/],
      [
        gateway,
        encodeFunctionData({ abi: gatewayArtifact.abi, functionName: "pull", args: [other, 1n] }),
        /^NotTheExecutor\(/,
      ],
      [executor, executorCall("execute", [world.usd, 1n, world.dai, other, "0x0000"]), /^NotTheGateway\(/],
      [executor, executorCall("uniswapV3SwapCallback", [1n, -1n, "0x"]), /^UnexpectedCallback\(/],
      [executor, executorCall("unlockCallback", [`0x${"00".repeat(416)}`]), /^UnexpectedCallback\(/],
      // No more is approved than the venue draws at once, whatever it draws.
      [
        deal.sell(),
        encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [executor, sly, AMOUNT + 1n] }),
        /^allowance too small$/,
      ],
    ];
    for (const [to, data, refusal] of doors) {
      await node.write(owner, sly, abi, "callDuringTrade", to, data);
      await run(worldOf(deal), route);
      expect(await node.read(sly, abi, "called")).toBe(true);
      expect(await node.read(sly, abi, "succeeded")).toBe(false);
      expect(revertReason(await node.read<Hex>(sly, abi, "answer"))).toMatch(refusal);
      await expectClean();
    }
  });
});

describe("a vault of other tokens", () => {
  it("makes no exact output", async () => {
    const route = routeOf({ kind: "exactOut", action: vault, sell: usd, buy: dai });
    const transaction = world.settlement.encode(route, termsFor(route), vault);
    expect(revertReason(await world.node.revertOf({ from: world.taker, ...transaction }))).toBe("InvalidPayload()");
  });
});

describe("Balancer's vault, which may draw its pools' shares without an approval", () => {
  it("makes no exact output for less than it asked", async () => {
    const { node, owner, taker, settlement } = world;
    await node.rpc("anvil_impersonateAccount", executor);
    await node.rpc("anvil_setBalance", executor, numberToHex(UNIT));
    await node.write(executor, sly, erc20Abi, "approve", sly, 2n ** 256n - 1n);
    await node.rpc("anvil_setBalance", executor, "0x0");
    const route = routeOf({ kind: "exactOut", action: balancer, sell: shares, buy: usd });
    const terms = termsFor(route, { maxSellAmount: 2n * AMOUNT });
    const transaction = settlement.encode(route, terms, balancer);
    await node.rpc("eth_call", { from: taker, to: transaction.to, data: transaction.data }, "latest");
    await node.write(owner, sly, abi, "leave", 1n);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toMatch(/^PartialFill\(/);
  });
});
