import { readFileSync } from "node:fs";
import { getAddress } from "viem";
import { expect, it } from "vitest";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { PAIRS } from "../../src/devnet/plan/catalog.ts";
import { plannedPools } from "../../src/devnet/plan/planned-pools.ts";

const page = readFileSync(new URL("../../docs/devnet.md", import.meta.url), "utf8");
const { whale, deployer, trader, maker } = devnetAccounts();
const layout = devnetLayout(whale);

/** Expected text between the page's marks; on a difference the test prints it. */
function expectedTables(): string {
  const contracts = Object.entries(layout.contracts).map(([name, address]) => `| ${name} | ${getAddress(address)} |`);
  const tokens = layout.tokens.map(
    ({ symbol, name, decimals, address }) => `| ${symbol} | ${name} | ${decimals} | ${getAddress(address)} |`,
  );
  return [
    ["| account | address |", "|---|---|"],
    [`| whale: holds all tokens and liquidity | ${getAddress(whale)} |`],
    [`| deployer | ${getAddress(deployer.address)} |`, `| background trader | ${getAddress(trader)} |`],
    [`| reference maker | ${getAddress(maker.address)} |`, ""],
    ["| contract | address |", "|---|---|", ...contracts, ""],
    ["| token | name | decimals | address |", "|---|---|---|---|", ...tokens],
  ]
    .flat()
    .join("\n");
}

it("the devnet's page has the addresses that the devnet has", () => {
  const tables = /<!-- addresses -->\n([\s\S]*?)\n?<!-- \/addresses -->/.exec(page)?.[1];
  expect(tables).toBe(expectedTables());
});

it("the devnet's page counts right", () => {
  const pools = plannedPools(layout);
  expect(page).toContain(`${pools.length} pools between ${PAIRS.length} pairs`);
  expect(page).toContain(`The wrapped native token and ${layout.tokens.length - 1} invented ERC-20s`);
  const depths = pools.map((pool) => Number(2n * pool.sideUsd));
  expect(page).toContain(
    `from ${Math.round(Math.min(...depths) / 1e3)},000 to ${Math.round(Math.max(...depths) / 1e6)} million dollars`,
  );
});
