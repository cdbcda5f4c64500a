import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Maker } from "../../src/makers/maker.ts";
import type { MakerRecord } from "../../src/makers/maker-record.ts";
import { OrderDesk } from "../../src/makers/order-desk.ts";
import { createScore } from "../../src/makers/score.ts";
import { askMaker, type OrderCheck } from "../../src/makers/signed-orders.ts";
import { Signers } from "../../src/makers/signer.ts";
import type { FirmOrderContext, FirmOrderRequest } from "../../src/quoting/maker-ports.ts";
import { sendJson } from "./scripted-makers.ts";

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [GOLD, IRON, ACCOUNT, EXECUTOR, TAKER] = [1, 2, 3, 4, 5].map(address) as [never, never, never, never, never];

let server: Server | undefined;
afterEach(() => server?.close());

/** A maker of an address that gives the orders in turn, whatever it is asked for. */
async function makerThatGives(orders: readonly object[]) {
  let given = 0;
  server = createServer((_, response) => sendJson(response, 200, { order: orders[given++], signature: "0x12" }));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const record: MakerRecord = {
    ...{ name: "Alpha", levels: undefined, pairs: [], accounts: [ACCOUNT], signers: [], erc1271: true, headers: {} },
    ordersUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    allowPrivateNetwork: true,
  };
  return { record, score: createScore(() => 0), levels: () => [] } as unknown as Maker;
}

const orderOf = (takerToken: Address, nonce: string) => ({
  ...{ maker: ACCOUNT, taker: EXECUTOR, trader: TAKER, makerToken: IRON, takerToken },
  ...{ makerAmount: "200", takerAmount: "100", minTakerAmount: "1", expiry: "1040", nonce, refillable: false },
});

const askFor = (takerToken: Address): FirmOrderRequest => ({
  ...{ source: "Alpha", takerToken, makerToken: IRON, level: undefined },
  amount: { kind: "exactIn", takerAmount: 100n },
});

const occasion = (): FirmOrderContext => ({
  ...{ requestId: "r", taker: TAKER, at: { timestamp: 900n } as never, from: 1_000n, deadlineMs: 5_000 },
  signal: new AbortController().signal,
});

const checkWith = (accounts: OrderCheck["accounts"]): OrderCheck => ({
  ...{ chainId: 1, executor: EXECUTOR, settlement: address(6), digestOf: () => `0x${"11".repeat(32)}` },
  ...{ signers: new Signers(), accounts },
});

it("what a maker holds is looked up for no longer than the caller of the quote waits", async () => {
  const until: (number | undefined)[] = [];
  const check = checkWith({
    async balanceAndAllowance(...[, , deadlineMs]) {
      until.push(deadlineMs);
      return { balance: 200n, allowance: 200n };
    },
  });
  const result = await askMaker(await makerThatGives([orderOf(GOLD, "1")]), askFor(GOLD), occasion(), check);
  expect([result.outcome, until]).toEqual(["good", [5_000]]);
});

it.each([
  { balance: 399n, allowance: 10_000n, orders: 1 },
  { balance: 10_000n, allowance: 399n, orders: 1 },
  { balance: 400n, allowance: 400n, orders: 2 },
])("orders of an account are taken up to what it can pay of all of them: %o", async ({ orders, ...funds }) => {
  const maker = await makerThatGives([orderOf(GOLD, "1"), orderOf(GOLD, "2")]);
  const check = checkWith({ balanceAndAllowance: async () => funds });
  const logger = { info: () => {}, warn: () => {} } as never;
  const options = { check, deadlineMs: 1_000, elapsed: () => 0, now: () => 0, logger };
  const desk = new OrderDesk(new Map([["Alpha", maker]]), options);
  expect(await desk.ask([askFor(GOLD), askFor(GOLD)], occasion())).toHaveLength(orders);
  expect([...maker.score.totals]).toEqual([["good", 2]]);
});
