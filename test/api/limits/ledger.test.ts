import { expect, test } from "vitest";
import { createLedger } from "../../../src/api/limits/ledger.ts";

test("what is held counts under all of its bounds, or under none", () => {
  const ledger = createLedger();
  const own = { what: "streams", who: "a", most: 1 };
  const all = { what: "streams", who: "", most: 2 };
  const first = ledger.hold([own, all]);
  expect(ledger.hold([all, own])).toEqual({ full: own });
  expect([ledger.held("streams", "a"), ledger.held("streams", "")]).toEqual([1, 1]);
  if (typeof first !== "function") return expect.fail("there was room");
  first();
  first();
  expect([ledger.held("streams", "a"), ledger.held("streams", "")]).toEqual([0, 0]);
  expect(ledger.hold([own, all])).toBeTypeOf("function");
});

test("what is spent comes back with time, or when it is refunded", () => {
  let ms = 0;
  const ledger = createLedger(() => ms);
  const rate = { what: "requests", who: "a", perSecond: 1, burst: 2 };
  const spend = () => ledger.spend(rate).allowed;
  expect([spend(), spend(), spend()]).toEqual([true, true, false]);
  ledger.refund(rate);
  expect([spend(), spend()]).toEqual([true, false]);
  ms = 999;
  expect(spend()).toBe(false);
  ms = 1_000;
  expect([spend(), spend()]).toEqual([true, false]);
  expect(ledger.spend({ ...rate, who: "b" }).allowed).toBe(true);
  expect(ledger.spend({ ...rate, perSecond: 0 }).allowed).toBe(true);
});

test("no more than 50,000 rates are remembered: the oldest are forgotten", () => {
  const ledger = createLedger(() => 0);
  const spend = (who: string) => ledger.spend({ what: "requests", who, perSecond: 1, burst: 1 }).allowed;
  for (let i = 0; i <= 50_000; i++) spend(String(i));
  expect([spend("50000"), spend("0")]).toEqual([false, true]);
});
