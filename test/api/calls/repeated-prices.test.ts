import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TAKER } from "../../../fixtures/door/fake-quoting.ts";
import type { Account } from "../../../src/api/keys/key-store.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { PRICE } from "../../support/door/price-call.ts";

const ACCOUNTS: Readonly<Record<string, Account>> = {
  plain: { keyId: "plain" },
  other: { keyId: "other" },
  earning: { keyId: "earning", integrator: { recipient: TAKER } },
  quotesOnly: { keyId: "quotesOnly", methods: ["GetQuote"] },
};

let door: Door;
beforeAll(async () => {
  door = await openDoor({}, { verify: (key) => ACCOUNTS[key] });
});
beforeEach(() => {
  door.quoting.asked.length = 0;
  door.state.epoch = {};
});
afterAll(() => door.server.drain(1_000));

const ask = (key: string, path = PRICE) => door.get(path, { "api-key": key });

test("the same price at the same block is answered from what was written before", async () => {
  await ask("other");
  const first = await ask("plain");
  const second = await ask("other");
  expect(second.body).toEqual(first.body);
  expect([...second.headers.keys()].sort()).toEqual([...first.headers.keys()].sort());
  expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(door.quoting.asked).toHaveLength(2);
  door.state.epoch = {};
  await ask("plain");
  expect(door.quoting.asked).toHaveLength(3);
});

test("a profile of its own gives a key its own answer", async () => {
  for (let i = 0; i < 4; i += 1) {
    expect((await ask("plain")).body.fees).toEqual({ integratorFee: null, integratorFees: [], surplus: null });
    expect((await ask("earning")).body.fees.integratorFee).toMatchObject({ recipient: TAKER });
  }
  expect(door.quoting.asked).toHaveLength(4);
});

test("a key that may not ask is refused, whatever is kept", async () => {
  for (let i = 0; i < 3; i += 1) await ask("plain");
  expect((await ask("quotesOnly")).status).toBe(403);
  expect((await ask("unknown")).status).toBe(401);
});

test("quotes and refusals are never kept", async () => {
  const quote = PRICE.replace("price", "quote");
  for (let i = 0; i < 3; i += 1) await ask("plain", quote);
  expect(door.quoting.asked).toHaveLength(3);
  for (let i = 0; i < 2; i += 1) expect((await ask("plain", `${PRICE}&nope=1`)).status).toBe(400);
});
