import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { AskOutcome } from "../../../src/makers/score.ts";
import { FRACTION_ONE, type QuoteAnswer, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute } from "../../promise/execute.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { FOREIGN_TAKER, type ForeignWorld, startForeignWorld } from "./foreign-world.ts";

const NAMES = ["Bebop", "Hashflow", "Zero"] as const;
type Name = (typeof NAMES)[number];
const SHOWN: readonly Name[] = ["Bebop", "Hashflow"];
const LOOK_EVERY_MS = 100;
/** Longer than any maker is left alone. */
const PAUSE_MS = 1_200_000;

let world: ForeignWorld;
let middle: number;
/** Quotes of these makers are good for about a minute. */
let soon: bigint;
beforeAll(async () => {
  world = await startForeignWorld();
  soon = (await world.follow()).block.timestamp + 60n;
  world.stub.expiry = soon;
  const pools = await world.price({ ...request("Bebop"), sources: { kind: "without", ids: [...NAMES] } });
  middle = Number(pools.buyAmount) / 10 ** world.layout.token("USDH").decimals;
}, 120_000);
afterEach(() => {
  Object.assign(world.stub, { changes: {}, fade: 1, expiry: soon, instead: undefined, zeroEx: "0x-rfq" });
  world.stub.heard.length = 0;
});
afterAll(() => world?.stop());

function request(name: Name, changes: Partial<SwapRequest> = {}): SwapRequest {
  const token = (symbol: string) => DEVNET_TOKENS.find((each) => each.symbol === symbol)!;
  return {
    ...{ sellToken: token("WETH"), buyToken: token("USDH"), taker: FOREIGN_TAKER, slippage: FRACTION_ONE / 200n },
    amount: { kind: "exactIn", sellAmount: 10n ** 18n },
    sources: { kind: "only", ids: [name] },
    gasPrice: 10n ** 9n,
    ...changes,
  } as SwapRequest;
}

/** Levels of the makers that show some, at this price, and every maker trusted anew. */
async function show(price: number): Promise<void> {
  world.stub.price = price;
  world.pass(PAUSE_MS);
  const rateOf = (source: string) => {
    const pool = world.makers.levels().find((each) => each.source === source);
    const level = pool?.curve === "levels" ? pool.state.bids[0] : undefined;
    return level === undefined ? 0 : (Number(level.makerAmount) / Number(level.takerAmount)) * 10 ** (18 - decimals());
  };
  const decimals = () => world.layout.token("USDH").decimals;
  const isShown = (name: Name) => Math.abs(rateOf(name) / price - 1) < 1e-4;
  await expect.poll(() => SHOWN.filter(isShown), { interval: 30, timeout: 5_000 }).toEqual(SHOWN);
  world.pass(LOOK_EVERY_MS);
  await world.follow();
}

const totals = (name: Name, outcome: AskOutcome | "failed" | "filled") =>
  world.makers
    .figures()
    .find((maker) => maker.name === name)!
    .totals.get(outcome) ?? 0;

async function expectExact(answer: QuoteAnswer): Promise<void> {
  expect(answer.issues.simulationIncomplete).toBe(false);
  expect(await execute(world, answer, FOREIGN_TAKER)).toMatchObject({
    ...{ receipt: { succeeded: true }, sold: answer.sellAmount, bought: answer.buyAmount, leftBehind: [] },
  });
}

async function refusalOf(asked: SwapRequest): Promise<string> {
  try {
    await world.quote(asked);
    return "answered";
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    return error.violations[0]?.reason ?? error.reason;
  }
}

describe("makers that settle by contracts of their own", () => {
  it("that show levels are in prices, and those that show none are not", async () => {
    await show(middle * 1.01);
    for (const name of SHOWN) {
      const price = await world.price(request(name));
      expect(Number(price.buyAmount) / 10 ** world.layout.token("USDH").decimals / middle).toBeCloseTo(1.01, 4);
      expect(price.orders.map(({ source }) => source)).toEqual([name]);
    }
    await expect(world.price(request("Zero"))).rejects.toThrow(SwapError);
    expect(world.stub.heard).toEqual([]);
  });

  it.each(NAMES)("%s: quotes are executed to the wei, sold and bought, native token and behind pools", async (name) => {
    await show(middle * 1.01);
    const [weth, usdh] = [request(name).sellToken, request(name).buyToken];
    const native = { ...weth, ...DEVNET_TOKENS.find(({ address }) => address === NATIVE_TOKEN)! };
    const cases: readonly Partial<SwapRequest>[] = [
      {},
      { amount: { kind: "exactIn", sellAmount: 123_456_789_012_345_678n } },
      { sellToken: usdh, buyToken: weth, amount: { kind: "exactIn", sellAmount: 1_234_567_891n } },
      { amount: { kind: "exactOut", buyAmount: 1_000_000_001n } },
      { sellToken: native },
      { sellToken: usdh, buyToken: native, amount: { kind: "exactIn", sellAmount: 999_999_999n } },
      { fee: { ratePpm: 10_000n, recipient: RECIPIENT } as never },
    ];
    for (const changes of cases) {
      const answer = await world.quote(request(name, changes));
      expect(answer.orders.map(({ source }) => source)).toContain(name);
      if (changes.fee === undefined) await expectExact(answer);
      else expect((await execute(world, answer, FOREIGN_TAKER)).receipt.succeeded).toBe(true);
    }
    expect(totals(name, "good")).toBeGreaterThan(0);
    expect([totals(name, "invalid"), totals(name, "silent"), totals(name, "failed")]).toEqual([0, 0, 0]);
  });

  it("fills OTC orders of 0x v4, which their first fill uses up", async () => {
    world.stub.zeroEx = "0x-otc";
    const answer = await world.quote(request("Zero"));
    expect(answer.orders[0]?.fillData).toMatchObject({ function: "0x-otc", settlement: world.contracts["0x-otc"] });
    await expectExact(answer);
  });

  it("is told who trades, and the executor as who fills", async () => {
    const { executor } = { executor: world.settlement.contracts[1]! };
    await show(middle * 1.01);
    for (const name of NAMES) await world.quote(request(name));
    const asked = JSON.stringify(world.stub.heard).toLowerCase();
    expect(asked.split(executor).length - 1).toBe(4);
    expect(asked.split(FOREIGN_TAKER).length - 1).toBe(3);
  });
});

const RECIPIENT = `0x${"fe".repeat(20)}`;

const json =
  (body: unknown, status = 200) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

type Outcome = Exclude<AskOutcome, "good">;
interface Misdeed {
  readonly does: string;
  readonly set: Partial<ForeignWorld["stub"]>;
  readonly outcome: Outcome;
  /** Makers that can do so; all of them by default. */
  readonly of?: readonly Name[];
}

const OTHER = `0x${"dd".repeat(20)}`;
const MISDEEDS: readonly Misdeed[] = [
  { does: "fades by one percent", set: { fade: 0.99 }, outcome: "faded", of: SHOWN },
  { does: "is expired", set: { expiry: 1_000n }, outcome: "invalid" },
  {
    does: "is for another taker",
    set: { changes: { taker: OTHER, taker_address: OTHER, trader: OTHER } },
    outcome: "invalid",
  },
  {
    does: "is for another receiver or origin",
    set: { changes: { txOrigin: OTHER, receiver: OTHER, effectiveTrader: OTHER } },
    outcome: "invalid",
  },
  {
    does: "gives another token",
    set: { changes: { makerToken: OTHER, maker_token: OTHER, quoteToken: OTHER } },
    outcome: "invalid",
  },
  {
    does: "takes another amount",
    set: { changes: { takerAmount: "5", baseTokenAmount: "5" } },
    outcome: "invalid",
    of: ["Hashflow", "Zero"],
  },
  {
    does: "takes another amount of Bebop's",
    set: { changes: { taker_amount: 5n } },
    outcome: "invalid",
    of: ["Bebop"],
  },
  {
    does: "is for more than a payload can hold, at the same rate",
    set: { changes: { taker_amount: 2n ** 200n, maker_amount: 2n ** 200n } },
    outcome: "invalid",
    of: ["Bebop"],
  },
  {
    does: "has arguments without end",
    set: { changes: { signatureBytes: `0x${"00".repeat(70_000)}` } },
    outcome: "invalid",
    of: ["Bebop"],
  },
  {
    does: "wants a value that is no number",
    set: {
      instead(request, response) {
        json({ tx: { to: world.contracts["bebop-single"], data: "0x4dcebcba", value: "1.5" } })(request, response);
      },
    },
    outcome: "invalid",
    of: ["Bebop"],
  },
  { does: "is of another account", set: { changes: { maker: OTHER } }, outcome: "invalid", of: ["Zero"] },
  { does: "wants native token", set: { changes: { packed_commands: 1n } }, outcome: "invalid", of: ["Bebop"] },
  {
    does: "is settled elsewhere",
    set: { instead: json({ tx: { to: OTHER, data: "0x4dcebcba" } }) },
    outcome: "invalid",
    of: ["Bebop"],
  },
  { does: "is of several makers", set: { instead: json({}) }, outcome: "invalid" },
  { does: "is HTML", set: { instead: (_, response) => void response.end("<html></html>") }, outcome: "silent" },
  { does: "refuses the key", set: { instead: json({ error: "key" }, 401) }, outcome: "silent" },
  { does: "is a fault of its server", set: { instead: json({}, 503) }, outcome: "silent" },
  {
    does: "has no end",
    set: {
      instead(_, response) {
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          while (!response.destroyed && response.write("[".repeat(64 * 1024)));
        };
        response.on("drain", more);
        more();
      },
    },
    outcome: "silent",
  },
];

describe.each(MISDEEDS)("an answer that $does", ({ set, outcome, of = NAMES }) => {
  it.each(of.map((name) => [name]))("of %s is left out, and counted", async (name) => {
    await show(middle * 1.01);
    const before = totals(name, outcome);
    Object.assign(world.stub, set);
    expect(await refusalOf(request(name))).not.toBe("answered");
    expect(totals(name, outcome)).toBe(before + 1);
    // With pools there is an answer, as ever.
    Object.assign(world.stub, set);
    const answer = await world.quote(request(name, { sources: { kind: "all" } }));
    expect(answer.orders.map(({ source }) => source)).not.toContain(name);
  });
});

it("a maker that does not answer costs its deadline at most", async () => {
  await show(middle * 1.01);
  world.stub.instead = () => {};
  expect(await refusalOf(request("Zero"))).not.toBe("answered");
  expect(totals("Zero", "silent")).toBeGreaterThan(0);
});
