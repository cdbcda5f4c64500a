import { erc20Abi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { partArtifacts } from "../../../src/settlement/artifacts.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { type PartName, VENUE } from "../../../src/settlement/venue-codes.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { type Makers, withMakers } from "../pools/makers.ts";

const AMOUNT = 100n * UNIT;
const EVEN = 1_000n;
/** In the high bits of a fill's first byte: what it makes goes to the payee. */
const TO_PAYEE = 1 << 6;

let makers: Makers;
let world: World;
/** Trades usd for dai one to one, as a Curve pool, an ERC-4626 vault, a rate token, a stability module, a pair of bins and Balancer's vault. */
let sly: Address;
/** A vault of Balancer V3, whose pools sell as much as they take; one of them. */
let vault: Address;
let pool: Address;
beforeAll(async () => {
  makers = await withMakers(await startWorld());
  world = makers.world;
  const { node, owner, taker, usd, dai, give, settlement } = world;
  sly = await node.deploy(compiled("SlyVenue"), usd, dai);
  await node.write(taker, sly, erc20Abi, "approve", settlement.allowanceTarget, AMOUNT);
  const double = compiled("VaultDouble");
  vault = await node.deploy(double);
  pool = toAddress(`0x${"a1".repeat(20)}`);
  await node.write(owner, vault, double.abi, "setPrice", pool, EVEN);
  for (const venue of [sly, vault]) for (const token of [usd, dai]) await give(token, venue, 1_000n * UNIT);
  for (const token of [usd, dai]) await node.write(owner, vault, double.abi, "take", token);
  const order = makers.orderOf(usd, dai, { takerAmount: AMOUNT, makerAmount: AMOUNT });
  world = { ...world, ...makers.worldWith([{ order, signature: await makers.sign(order) }]).world };
  await world.keep();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

interface Deal {
  readonly part: PartName;
  readonly action?: () => ReturnType<World["actionOf"]>;
  readonly kinds: readonly Route["kind"][];
  /** The venue's own shares are what is bought. */
  readonly buysShares?: true;
}

const vaultAction = () => ({ action: "erc4626-vault", vault: sly }) as const;

const BOTH = ["exactIn", "exactOut"] as const;
const DEALS: readonly Deal[] = [
  { part: "CurvePools", action: () => ({ action: "curve-pool", pool: sly, sell: 0, buy: 1 }), kinds: ["exactIn"] },
  { part: "Erc4626Vaults", action: vaultAction, kinds: BOTH, buysShares: true },
  { part: "MakerOrders", kinds: BOTH },
  {
    ...{ part: "BalancerV2", kinds: BOTH },
    action: () => ({ action: "balancer-v2-pool", vault: sly, poolId: `${sly}${"00".repeat(12)}` as Hex }),
  },
  { part: "BalancerV3", action: () => ({ action: "balancer-v3-pool", vault, pool }), kinds: BOTH },
  { part: "RateTokens", action: () => ({ action: "rate-token", token: sly }), kinds: ["exactIn"], buysShares: true },
  { part: "PropAmms", action: () => ({ action: "prop-amm", venue: sly, draws: true }), kinds: ["exactIn"] },
  { part: "PaidPools", action: () => ({ action: "euler-swap-pool", pool: sly }), kinds: BOTH },
  { part: "StabilityModules", action: () => ({ action: "psm", psm: sly, gem: world.usd }), kinds: BOTH },
  {
    ...{ part: "FluidPools", kinds: BOTH },
    action: () => ({ action: "fluid-pool", liquidity: sly, pool: sly, token0: world.usd, digits: [0, 0] }),
  },
  { part: "LiquidityBook", action: () => ({ action: "lb-pair", pair: sly, tokenX: world.usd }), kinds: BOTH },
  {
    ...{ part: "MaverickPools", kinds: BOTH },
    action: () => ({ action: "maverick-pool", pool: sly, tokenA: world.usd, tickLimit: 0 }),
  },
  {
    ...{ part: "KuruMarkets", kinds: ["exactIn"] },
    action: () => ({
      ...{ action: "kuru-market", marginAccount: sly, market: sly, baseToken: world.usd },
      ...{ decimals: [18, 18], digits: [18, 18] },
    }),
  },
  {
    ...{ part: "RfqOrders", kinds: BOTH },
    action: () => ({
      ...{ action: "rfq-order", settlement: sly },
      order: { takerToken: world.usd, makerToken: world.dai, takerAmount: AMOUNT, makerAmount: AMOUNT },
      call: { function: "0x-rfq", arguments: `0x${"00".repeat(15 * 32)}` },
    }),
  },
  {
    ...{ part: "AquaOrders", kinds: BOTH },
    action: () => ({ action: "aqua-order", router: sly, maker: sly, traits: 0n, data: "0x1100" }),
  },
];

function routeOf(kind: Route["kind"], { action, buysShares }: Deal): Route {
  const buyToken = buysShares ? sly : world.dai;
  const ends = { sellToken: world.usd, buyToken, sellAmount: AMOUNT, buyAmount: AMOUNT };
  const ofMaker = [...world.states].find(([, { curve }]) => curve === "signed-order")?.[0] as Address;
  const fill: Fill = { ...ends, poolId: action ? sly : ofMaker, source: "Test", gas: 0n, share: SHARE_ONE };
  return kind === "exactIn" ? { kind, ...ends, fills: [fill] } : { kind, ...ends, fills: [fill] };
}

/** Balances of everybody who has a part in a swap, and what the executor lets the venues draw. */
async function holdings(): Promise<readonly bigint[]> {
  const { node, taker, usd, dai, settlement } = world;
  const tokens = [usd, dai, sly];
  const owners = [taker, sly, vault, makers.maker, ...settlement.contracts];
  const drawn = tokens.flatMap((token) => [sly, vault].map((spender) => ({ token, owner: makers.executor, spender })));
  return [
    ...(await node.balances(tokens.flatMap((token) => owners.map((owner) => ({ token, owner }))))),
    ...(await node.allowances(drawn)),
  ];
}

describe("a part without code", () => {
  it("is looked for among all that there are", () => {
    const dealt = DEALS.map(({ part }) => part).toSorted();
    expect(dealt, "add the new part to DEALS").toEqual(Object.keys(partArtifacts).toSorted());
  });

  const cases = DEALS.flatMap((deal) => deal.kinds.map((kind) => ({ ...deal, kind })));
  it.each(cases)("$part, $kind: makes no swap and moves nothing, and with its code it does", async (deal) => {
    const { node, taker, settlement, weth } = world;
    const part = settlementContracts(weth).parts.find(({ name }) => name === deal.part)!;
    const at: World = { ...world, actionOf: deal.action ?? world.actionOf };
    const route = routeOf(deal.kind, deal);
    const transaction = { from: taker, ...settlement.encode(route, termsFor(route), at.actionOf) };
    const before = await holdings();

    await node.rpc("anvil_setCode", part.address, "0x");
    expect(revertReason(await node.revertOf(transaction)).toLowerCase()).toBe(`partmissing(${part.address})`);
    await expect(node.send(transaction)).rejects.toThrow("reverted");
    expect(await holdings()).toEqual(before);

    await node.rpc("anvil_setCode", part.address, part.runtimeCode);
    expect(await run(at, route)).toMatchObject({ sold: AMOUNT, bought: AMOUNT });
  });
});

describe("a venue of a number that there is not", () => {
  const deal: Deal = { part: "Erc4626Vaults", action: vaultAction, kinds: BOTH, buysShares: true };
  const known: readonly number[] = Object.values(VENUE);
  const unknown = Array.from({ length: 64 }, (_, number) => number).filter((number) => !known.includes(number));

  it.each(BOTH)("is traded by no part, %s", async (kind) => {
    const { node, taker, settlement } = world;
    const route = routeOf(kind, deal);
    const { to, data } = settlement.encode(route, termsFor(route), vaultAction);
    /** The one fill with its venue's number, up to its pool: all of the sold token for the bought one. */
    const fillWith = (number: number): string => {
      const way = kind === "exactIn" ? TO_PAYEE : 0;
      return `${(number | way).toString(16).padStart(2, "0")}0001${SHARE_ONE.toString(16)}000000${sly.slice(2)}`;
    };
    expect(data.split(fillWith(VENUE.ERC4626_VAULT))).toHaveLength(2);
    for (const number of unknown) {
      const changed = data.replace(fillWith(VENUE.ERC4626_VAULT), fillWith(number)) as Hex;
      expect(revertReason(await node.revertOf({ from: taker, to, data: changed })), `${number}`).toBe(
        "InvalidPayload()",
      );
    }
  });
});
