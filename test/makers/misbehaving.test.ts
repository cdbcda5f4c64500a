import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Book } from "../../src/devnet/maker/book.ts";
import { createReferenceDesk } from "../../src/devnet/maker/desk.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { AskOutcome } from "../../src/makers/score.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { LOOK_EVERY_MS, type MakerWorld, startMakerWorld, TAKER } from "./maker-world.ts";
import { type Behaviour, honestly, sendJson } from "./scripted-makers.ts";

const PAIR = [["WETH", "USDH"]] as const;
const SELL_AMOUNT = String(10n ** 18n);
/** First pause of a maker after failures. */
const PAUSE_MS = 10_000;

/** A second host, which nobody may be led to. */
let elsewhere: ReturnType<typeof createServer>;
let ledAstray = 0;
let world: MakerWorld;
/** The levels of the maker that misbehaves. */
let shown: readonly Book[] = [];

const elsewherePort = () => (elsewhere.address() as AddressInfo).port;

/** The honest order with some fields changed after it was signed. */
const changed =
  (fields: Readonly<Record<string, unknown>>): Behaviour =>
  async ({ honest, response }) => {
    const answer = await honest();
    if (!("order" in answer)) throw new Error(answer.declined);
    sendJson(response, 200, { ...answer, order: { ...answer.order, ...fields } });
  };

/** An order that another desk signs: another key, or for another chain. */
const signedBy =
  (options: { readonly chainId?: number; readonly stranger?: boolean }): Behaviour =>
  async ({ question, response }) => {
    const settlement = question.settlement as `0x${string}`;
    const { maker } = devnetAccounts();
    const account = options.stranger ? { ...privateKeyToAccount(generatePrivateKey()), address: maker.address } : maker;
    const chainId = options.chainId ?? 31337;
    const desk = createReferenceDesk({ chainId, settlement: settlement as never, account, firstNonce: 7n });
    sendJson(response, 200, await desk.answer(shown, { ...question, chainId }));
  };

const raw =
  (text: string, contentType = "application/json", status = 200): Behaviour =>
  async ({ response }) => {
    response.writeHead(status, { "content-type": contentType }).end(text);
  };

const drip: Behaviour = async ({ response }) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

const flood: Behaviour = async ({ response }) => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write("[".repeat(64 * 1024)));
  };
  response.on("drain", more);
  more();
};

const redirect: Behaviour = async ({ response }) => {
  response.writeHead(307, { location: `http://127.0.0.1:${elsewherePort()}/Alpha/orders` }).end();
};

/** An order as good as it can be, but for one percent less. */
const fade: Behaviour = async ({ question, response }) => {
  const worse = await world.scripted.books(PAIR, 40n);
  const settlement = question.settlement as never;
  const desk = createReferenceDesk({ chainId: 31337, settlement, account: devnetAccounts().maker, firstNonce: 9n });
  sendJson(response, 200, await desk.answer(worse, question));
};

const CASES: readonly (readonly [string, Behaviour, AskOutcome])[] = [
  ["hangs", async () => {}, "silent"],
  ["drips", drip, "silent"],
  ["answers 500", raw("{}", "application/json", 500), "silent"],
  ["never ends its answer", flood, "silent"],
  ["breaks off", async ({ response }) => void response.destroy(), "silent"],
  ["leads elsewhere", redirect, "silent"],
  ["answers in HTML", raw("<html>busy</html>", "text/html"), "silent"],
  ["says that it sends JSON and does not", raw("{order: 1}"), "silent"],
  ["answers with something else", raw(JSON.stringify({ order: { maker: 1 }, signature: "0x" })), "invalid"],
  ["nests an answer deeply", raw(`${"[".repeat(50_000)}${"]".repeat(50_000)}`), "invalid"],
  ["answers with a prototype", raw('{"__proto__": {"order": {}}, "declined": 5}'), "invalid"],
  ["refuses what its levels offer", raw(JSON.stringify({ declined: "not today" })), "refused"],
  ["has no content", raw("", "text/plain", 204), "refused"],
  ["has negative amounts", changed({ makerAmount: "-5" }), "invalid"],
  ["has amounts as numbers", changed({ makerAmount: 5 }), "invalid"],
  ["has amounts beyond 128 bits", changed({ makerAmount: String(1n << 128n) }), "invalid"],
  ["promises more than it has signed", changed({ makerAmount: String(10n ** 12n) }), "invalid"],
  [
    "names another trader",
    ({ honest, response }) => other(honest, response, { trader: `0x${"ab".repeat(20)}` }),
    "invalid",
  ],
  [
    "names another taker",
    ({ honest, response }) => other(honest, response, { taker: `0x${"ab".repeat(20)}` }),
    "invalid",
  ],
  [
    "sells less than was asked",
    ({ honest, response }) => other(honest, response, { takerAmount: String(10n ** 15n) }),
    "invalid",
  ],
  ["is all or nothing", changed({ minTakerAmount: SELL_AMOUNT }), "invalid"],
  ["has expired", ({ honest, response }) => other(honest, response, { expiry: "1000" }), "invalid"],
  ["is good for ever", ({ honest, response }) => other(honest, response, { expiry: "99999999999" }), "invalid"],
  ["signs with another key", signedBy({ stranger: true }), "invalid"],
  ["signs for another chain", signedBy({ chainId: 1 }), "invalid"],
  ["fades", fade, "faded"],
];

/** An order that is signed as it is, for another question. */
async function other(
  honest: Parameters<Behaviour>[0]["honest"],
  response: Parameters<Behaviour>[0]["response"],
  question: Readonly<Record<string, unknown>>,
): Promise<void> {
  sendJson(response, 200, await honest(question));
}

const names = CASES.map((_, i) => `Maker_${i}`);

beforeAll(async () => {
  elsewhere = createServer((_, response) => {
    ledAstray += 1;
    sendJson(response, 200, {});
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  world = await startMakerWorld(["Alpha", "Poor", "Repeater", "Broken", ...names]);
}, 120_000);
afterAll(async () => {
  elsewhere?.close();
  await world?.stop();
});
afterEach(() => world.show({}));

const query = (more: Readonly<Record<string, string>> = {}) => ({
  sellToken: world.token("WETH"),
  buyToken: world.token("USDH"),
  sellAmount: SELL_AMOUNT,
  takerAddress: TAKER,
  ...more,
});
const totals = (name: string) => world.makers.figures().find((maker) => maker.name === name)?.totals;
const questions = (name: string) => world.maker(name).heard.filter(({ path }) => path.endsWith("/orders")).length;

for (const [index, [what, behave, outcome]] of CASES.entries()) {
  it(`a quote does without a maker that ${what}`, async () => {
    const name = names[index] as string;
    const maker = world.maker(name);
    await world.show({ [name]: await world.scripted.books(PAIR, 60n) });
    shown = maker.books;
    const price = await world.get("price", query());
    expect(price.body.orders[0].source).toBe(name);

    maker.behave = behave;
    const quote = await world.get("quote", query());
    const without = await world.get("quote", query({ excludedSources: name }));
    expect(quote.status).toBe(200);
    expect(quote.body.orders).toEqual(without.body.orders);
    expect(quote.body.buyAmount).toBe(without.body.buyAmount);
    expect(quote.body.issues.simulationIncomplete).toBe(false);
    expect(questions(name)).toBe(1);
    expect([...(totals(name) ?? [])]).toEqual([[outcome, 1]]);
    expect(ledAstray).toBe(0);
  });
}

it("a maker is left alone after three failures in a row, and one good answer after the pause has it trusted again", async () => {
  const maker = world.maker("Alpha");
  const show = async () => world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
  const quote = async () => (await world.get("quote", query())).body.orders[0].source;
  const isOpen = () => world.makers.figures().find(({ name }) => name === "Alpha")?.open;
  const fails = CASES[2]![1];
  await show();
  for (const behave of [fails, fails, honestly, fails, fails, fails]) {
    expect(isOpen()).toBe(true);
    maker.behave = behave;
    expect((await quote()) === "Alpha").toBe(behave === honestly);
  }
  maker.behave = honestly;
  const asked = questions("Alpha");
  expect(await quote()).not.toBe("Alpha");
  expect(questions("Alpha")).toBe(asked);
  world.pass(LOOK_EVERY_MS);
  const price = await world.get("price", query());
  expect(price.body.orders.map(({ source }: { source: string }) => source)).not.toContain("Alpha");
  expect(world.makers.figures().find(({ name }) => name === "Alpha")).toMatchObject({ open: false, status: "stale" });

  world.pass(PAUSE_MS - LOOK_EVERY_MS - 1);
  expect(isOpen()).toBe(false);
  world.pass(1);
  expect(isOpen()).toBe(true);
  await show();
  for (const behave of [honestly, fails, fails, honestly]) {
    maker.behave = behave;
    expect((await quote()) === "Alpha").toBe(behave === honestly);
    expect(isOpen()).toBe(true);
  }
});

it("an order that its maker cannot pay is left out, however well it is signed", async () => {
  const { devnet } = world;
  const maker = toAddress(devnetAccounts().maker.address);
  const settlement = settlementContracts(devnet.chain.wrappedNative).orders.address;
  const allowance = (amount: bigint) => devnet.approve(world.token("USDH"), maker, settlement, amount);
  await allowance(1_000n);
  await world.follow();
  await world.show({ Poor: await world.scripted.books(PAIR, 60n) });
  const quote = await world.get("quote", query());
  await allowance(1n << 200n);
  await world.follow();
  expect(quote.status).toBe(200);
  expect(JSON.stringify(quote.body.orders)).not.toContain("Poor");
  expect([...(totals("Poor") ?? [])]).toEqual([["unfunded", 1]]);
});

it("an order is new every time", async () => {
  await world.show({ Repeater: await world.scripted.books(PAIR, 60n) });
  let kept: unknown;
  world.maker("Repeater").behave = async ({ honest, response }) => {
    kept ??= await honest();
    sendJson(response, 200, kept);
  };
  const first = await world.get("quote", query());
  const second = await world.get("quote", query());
  expect(first.body.orders[0].source).toBe("Repeater");
  expect(JSON.stringify(second.body.orders)).not.toContain("Repeater");
  expect([...(totals("Repeater") ?? [])]).toEqual([
    ["good", 1],
    ["filled", 1],
    ["invalid", 1],
  ]);
});

it("an order that fails on the chain is left out, and nothing else is", async () => {
  const maker = toAddress(devnetAccounts().maker.address);
  const settlement = settlementContracts(world.devnet.chain.wrappedNative).orders.address;
  const data = encodeFunctionData({
    abi: parseAbi(["function raiseLeastNonce(uint256 nonce)"]),
    functionName: "raiseLeastNonce",
    args: [1n << 200n],
  });
  expect((await world.devnet.sendTransaction(maker, { to: settlement, data })).succeeded).toBe(true);
  await world.follow();
  await world.show({ Broken: await world.scripted.books(PAIR, 60n) });
  const quote = await world.get("quote", query());
  const without = await world.get("quote", query({ excludedSources: "Broken" }));
  expect(quote.status).toBe(200);
  expect(quote.body.orders).toEqual(without.body.orders);
  expect([...(totals("Broken") ?? [])]).toEqual([
    ["good", 1],
    ["failed", 1],
  ]);
  expect(world.makers.figures().find(({ name }) => name === "Broken")).toMatchObject({ fillRate: 0, answerRate: 1 });
});
