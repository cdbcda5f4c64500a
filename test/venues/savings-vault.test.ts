import { afterAll, beforeAll, expect, test } from "vitest";
import { savingsVault } from "../../src/venues/savings-vault/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deploySavings, savingsCall } from "./worlds/vault.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 600 : 30;
const RAY = 10n ** 27n;
const VENUE = { protocol: "savings-vault", source: "Savings_Vaults", fromBlock: 0n } as const;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("savings vaults are what their contracts say at every block: trades, rates written down, new growth", async () => {
  const random = createRandom(63);
  const vaults = [await deploySavings(anvil, 18), await deploySavings(anvil, 6)];
  for (const { vault } of vaults) await anvil.send(vault, savingsCall("deposit", [10n ** 12n, anvil.account]));
  const start = await anvil.mine();
  let changes = 0;
  const act = async () => {
    const { vault } = random.pick(vaults);
    const kind = random.int(0, 4);
    if (kind === 0) await anvil.send(vault, savingsCall("deposit", [random.ofBits(60), anvil.account]));
    if (kind === 1) await anvil.send(vault, savingsCall("redeem", [random.ofBits(35), anvil.account, anvil.account]));
    if (kind === 2) await anvil.send(vault, savingsCall("drip"));
    if (kind === 3) {
      changes++;
      const { timestamp } = await anvil.head();
      await anvil.send(vault, savingsCall("set", [RAY + random.ofBits(88), timestamp, RAY + random.ofBits(62)]));
    }
    return anvil.mine();
  };
  const source = savingsVault({ ...VENUE, vaults });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(changes).toBeGreaterThan(BLOCKS / 10);

  const at = await anvil.head();
  const [pool] = await source.sync(anvil.reader, refs, at);
  const [first, second] = vaults;
  if (pool === undefined || first === undefined || second === undefined) throw new Error("the vault cannot be read");
  const fill = { poolId: pool.id, source: "", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  expect(source.action(pool, { ...fill, sellToken: first.asset, buyToken: first.vault })).toEqual({
    action: "erc4626-vault",
    vault: first.vault,
  });

  // Another vault's rate is not its own, the growth has another name there, and another token is not its asset.
  for (const wrong of [
    { ...first, rates: second.vault },
    { ...first, growth: "dsr" as const },
    { ...first, asset: second.asset },
  ]) {
    const other = savingsVault({ ...VENUE, vaults: [wrong] });
    expect(await other.sync(anvil.reader, other.fixed?.() ?? [], at)).toEqual([]);
  }
});
