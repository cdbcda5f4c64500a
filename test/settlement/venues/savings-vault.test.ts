import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { rateAt } from "../../../src/pools/savings/accrual.ts";
import type { SavingsState } from "../../../src/pools/savings/state.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { tradeOnce } from "../chain/trade-once.ts";

/** 5 % a year. */
const GROWTH = 1_000_000_001_547_125_957_863_212_448n;
const RATE = 1_053n * 10n ** 24n;
/** Gas of writing the rate down, which is all that the devnet's vault does where Sky's keep a ledger. */
const DEVNET_ACCRUAL = 10_000n;

const savings = compiled("DevnetSavings");
let world: World;
let vault: Address;
/** When all swaps of these tests happen: three days after the rate was written down last. */
let time: bigint;

beforeAll(async () => {
  const plain = await startWorld();
  const { node, owner, taker, gem, give } = plain;
  vault = await node.deploy(savings, gem, "Savings", "sGEM", owner);
  await give(gem, owner, 1_000n * UNIT);
  await give(gem, vault, 100n * UNIT);
  await node.write(owner, gem, compiled("PlainToken").abi, "approve", vault, 10n ** 30n);
  await node.write(owner, vault, savings.abi, "deposit", 900n * UNIT, owner);
  await node.write(owner, vault, savings.abi, "transfer", taker, 500n * UNIT);
  await node.write(taker, vault, savings.abi, "approve", plain.settlement.allowanceTarget, 2n ** 256n - 1n);
  const actionOf: World["actionOf"] = (fill) =>
    fill.poolId === vault ? { action: "erc4626-vault", vault } : plain.actionOf(fill);
  await tradeOnce(plain, vault, [gem, vault], actionOf);

  const { timestamp } = await node.rpc<{ timestamp: string }>("eth_getBlockByNumber", "latest", false);
  const updatedAt = BigInt(timestamp);
  await node.write(owner, vault, savings.abi, "set", RATE, updatedAt, GROWTH);
  time = updatedAt + 259_200n;
  const rate = rateAt({ rate: RATE, growth: GROWTH, updatedAt }, time);
  if (rate === undefined) throw new Error("no rate");
  const totalSupply = await node.read<bigint>(vault, savings.abi, "totalSupply");
  const state: SavingsState = { rate, growth: GROWTH, updatedAt: time, totalSupply };
  const states = new Map(plain.states);
  states.set(vault, { id: vault, source: "Test", tokens: [gem, vault], curve: "savings", state });
  world = { ...plain, states, actionOf };
  await world.keep();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Trades a route at that time; answers the model's gas, with the devnet's accrual, as a part of what is used. */
async function trade(route: Parameters<typeof tradeToTheWei>[1]): Promise<number> {
  await world.node.rpc("evm_setNextBlockTimestamp", Number(time));
  const { gasUsed, terms } = await tradeToTheWei(world, route);
  const [, executor] = world.settlement.contracts as readonly [Address, Address];
  expect(await world.balance(vault, executor)).toBe(0n);
  expect(await world.node.read<bigint>(world.gem, compiled("PlainToken").abi, "allowance", executor, vault)).toBe(0n);
  await world.restore();
  return Number(world.settlement.gas(route, terms) + DEVNET_ACCRUAL) / Number(gasUsed);
}

it("savings vaults are entered and left to the wei at the rate of the swap's own time, at the modelled gas", async () => {
  const { usd, dai, gem, venues } = world;
  for (const amount of [1_000n, 3n * UNIT + 1n]) {
    for (const route of [
      exactIn(world, gem, vault, amount, [[vault, gem, vault]]),
      exactIn(world, vault, gem, amount, [[vault, vault, gem]]),
      exactOut(world, gem, vault, amount, [[vault, gem, vault]]),
      exactOut(world, vault, gem, amount, [[vault, vault, gem]]),
    ])
      expect(Math.abs((await trade(route)) - 1)).toBeLessThan(0.12);
    await trade(
      exactIn(world, vault, usd, amount, [
        [vault, vault, gem],
        [venues.daiGemV3, gem, dai],
        [venues.usdDaiV3, dai, usd],
      ]),
    );
  }
});
