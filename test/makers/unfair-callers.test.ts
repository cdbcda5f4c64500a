import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import { type MakerWorld, startMakerWorld, TAKER } from "./maker-world.ts";

const PAIR = [["WETH", "USDH"]] as const;
const MAKER = toAddress(devnetAccounts().maker.address);
const REFUSER = toAddress(`0x${"5e".repeat(20)}`);
const MAX_UINT128 = 2n ** 128n - 1n;

let world: MakerWorld;
beforeAll(async () => {
  world = await startMakerWorld(["Alpha", "Odd", "Moving", "Rfq"], [["WETH", "USDH"]]);
}, 120_000);
afterAll(() => world?.stop());
afterEach(() => world.show({}));

const totals = (name: string) => world.makers.figures().find((maker) => maker.name === name)?.totals;
const questions = (name: string) => world.maker(name).heard.filter(({ path }) => path.endsWith("/orders")).length;

/** Takes native token only as long as `holder` has as much of `token` as it has now. */
async function codeThatRefuses(token: Address, holder: Address): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] });
  const has = await world.devnet.rpc<Hex>("eth_call", [{ to: token, data }, "latest"]);
  const question = `6370a0823160e01b60005273${holder.slice(2)}600452`;
  const asking = `602060006024600073${token.slice(2)}5afa50`;
  return `0x${question}${asking}6000517f${has.slice(2)}1460705760006000fd5b00`;
}

describe("a maker is not blamed", () => {
  it("for a trade with itself, which it is not asked for", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const [sellToken, buyToken] = [world.token("WETH"), world.token("USDH")];
    const asked = { sellToken, buyToken, sellAmount: String(10n ** 18n), excludedSources: "Rfq" };
    const quote = await world.get("quote", { ...asked, takerAddress: MAKER });
    const without = await world.get("quote", { ...asked, excludedSources: "Alpha,Rfq", takerAddress: MAKER });
    expect(quote.status).toBe(200);
    expect(quote.body.orders).toEqual(without.body.orders);
    expect(questions("Alpha")).toBe(0);
    expect([...(totals("Alpha") ?? [])]).toEqual([]);
  });

  it("where a taker's own code refuses what comes of its order, and of nobody else's", async () => {
    await world.show({ Odd: await world.scripted.books(PAIR, -150n) });
    const [sellToken, weth] = [world.token("USDH"), world.token("WETH")];
    await world.devnet.rpc("anvil_setCode", [REFUSER, await codeThatRefuses(weth, MAKER)]);
    await world.devnet.rpc("evm_mine");
    await world.follow();
    for (const amount of [{ sellAmount: "2000000000" }, { buyAmount: String(10n ** 18n) }]) {
      const asked = { sellToken, buyToken: NATIVE_TOKEN, ...amount, takerAddress: REFUSER };
      const quote = await world.get("quote", { ...asked, excludedSources: "Rfq" });
      expect(quote.status, JSON.stringify(quote.body)).toBe(200);
      expect(JSON.stringify(quote.body.orders)).not.toContain("Odd");
    }
    expect(questions("Odd")).toBe(2);
    expect([...(totals("Odd") ?? [])]).toEqual([["good", 2]]);
  });

  it("for orders that follow levels which it told before it was asked", async () => {
    await world.show({ Moving: await world.scripted.books(PAIR, 60n) });
    const [sellToken, buyToken] = [world.token("WETH"), world.token("USDH")];
    const asked = { sellToken, buyToken, sellAmount: String(10n ** 18n), takerAddress: TAKER, excludedSources: "Rfq" };
    const first = await world.get("price", asked);
    expect(first.body.orders[0].source).toBe("Moving");
    // No time passes, so that quotes are still searched over the levels of before.
    const books = await world.scripted.books(PAIR, 50n);
    world.maker("Moving").books = books;
    const newest = () => world.makers.levels().map(({ state }) => "bids" in state && state.bids[0]?.makerAmount);
    await expect.poll(newest, { interval: 20 }).toEqual([books[0]?.bids[0]?.[1]]);
    const quote = await world.get("quote", asked);
    expect(quote.body.orders[0].source).toBe("Moving");
    expect(BigInt(quote.body.buyAmount)).toBeLessThan(BigInt(first.body.buyAmount));
    expect([...(totals("Moving") ?? [])]).toEqual([
      ["good", 1],
      ["filled", 1],
    ]);
  });

  it("for amounts that no order can hold, which it is not asked for", async () => {
    const pair = { sellToken: world.token("WETH"), buyToken: world.token("USDH"), includedSources: "Rfq" };
    const ask = (amount: Readonly<Record<string, string>>) =>
      world.get("quote", { ...pair, ...amount, takerAddress: TAKER });
    await ask({ sellAmount: String(MAX_UINT128) });
    expect(questions("Rfq")).toBe(1);
    await ask({ sellAmount: String(MAX_UINT128 + 1n) });
    await ask({ buyAmount: String(MAX_UINT128 + 1n) });
    expect(questions("Rfq")).toBe(1);
  });
});
