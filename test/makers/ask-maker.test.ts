import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import type { MakerRecord } from "../../src/makers/maker-record.ts";
import { createScore } from "../../src/makers/score.ts";
import { askMaker } from "../../src/makers/signed-orders.ts";
import { Signers } from "../../src/makers/signer.ts";
import { sendJson } from "./scripted-makers.ts";

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [GOLD, IRON, ACCOUNT, EXECUTOR, TAKER] = [1, 2, 3, 4, 5].map(address) as [never, never, never, never, never];

let server: Server | undefined;
afterEach(() => server?.close());

it("what a maker holds is looked up for no longer than the caller of the quote waits", async () => {
  const order = {
    ...{ maker: ACCOUNT, taker: EXECUTOR, trader: TAKER, makerToken: IRON, takerToken: GOLD },
    ...{ makerAmount: "200", takerAmount: "100", minTakerAmount: "1", expiry: "1040", nonce: "1", refillable: false },
  };
  server = createServer((_, response) => sendJson(response, 200, { order, signature: "0x12" }));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const record: MakerRecord = {
    ...{ name: "Alpha", levels: undefined, pairs: [], accounts: [ACCOUNT], signers: [], erc1271: true, headers: {} },
    ordersUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    allowPrivateNetwork: true,
  };
  const maker = { record, score: createScore(() => 0) } as never;
  const until: (number | undefined)[] = [];
  const accounts = {
    async balanceAndAllowance(...words: readonly unknown[]) {
      until.push(words[2] as number | undefined);
      return { balance: 200n, allowance: 200n };
    },
  };
  const ask = { source: "Alpha", takerToken: GOLD, makerToken: IRON, level: undefined } as const;
  const { signal } = new AbortController();
  const result = await askMaker(
    maker,
    { ...ask, amount: { kind: "exactIn", takerAmount: 100n } },
    { requestId: "r", taker: TAKER, at: { timestamp: 900n } as never, from: 1_000n, deadlineMs: 5_000, signal },
    {
      ...{ chainId: 1, executor: EXECUTOR, settlement: address(6), digestOf: () => `0x${"11".repeat(32)}` },
      ...{ signers: new Signers(), accounts },
    },
  );
  expect([result.outcome, until]).toEqual(["good", [5_000]]);
});
