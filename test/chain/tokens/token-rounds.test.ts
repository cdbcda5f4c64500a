import { describe, expect, it } from "vitest";
import { storageWord } from "../../../src/chain/rpc/erc20.ts";
import type { SimulatedResult } from "../../../src/chain/simulation/simulated-calls.ts";
import { callsOf, faultOf } from "../../../src/chain/tokens/token-rounds.ts";
import type { Hex } from "../../../src/domain/address.ts";
import { tokenAt } from "../../market/pairs.ts";

const AMOUNT = 1_000_000n;
const HELD = 9_000_000n;
const token = tokenAt(1);
const spender = tokenAt(5);
const round = { token, holder: tokenAt(2), first: tokenAt(3), second: tokenAt(4), spender, amount: AMOUNT };
const TRUE = storageWord(1n);

const says = (data: Hex): SimulatedResult => ({ success: true, data, gasUsed: 0n, secondsLater: 0n });
const balance = (amount: bigint) => says(storageWord(amount));

/** Answers of a plain token to a round, some of them replaced by their place. */
function answers(changed: Readonly<Record<number, SimulatedResult | bigint>> = {}): readonly SimulatedResult[] {
  const left = HELD - AMOUNT;
  const plain = [
    ...[balance(HELD), balance(0n), says(TRUE), balance(left), balance(AMOUNT)],
    ...[balance(0n), says(TRUE), balance(0n), balance(AMOUNT)],
    ...[says(TRUE), balance(left), says(TRUE), balance(0n), balance(HELD)],
  ];
  return plain.map((answer, place) => {
    const other = changed[place];
    return other === undefined ? answer : typeof other === "bigint" ? balance(other) : other;
  });
}

const faultIn = (changed: Parameters<typeof answers>[0]) => faultOf(round, answers(changed), (data) => `said ${data}`);

describe("a round of transfers", () => {
  it("asks for as many answers as are judged, with bounds on their gas", () => {
    const calls = callsOf(round);
    expect(calls.length).toBe(answers().length);
    expect(calls.every(({ to, gas }) => to === token && gas !== undefined)).toBe(true);
    expect(calls.map(({ from }) => from).filter((from) => from === spender).length).toBe(1);
  });

  it("finds nothing where every side is right, whether transfers return true or nothing", () => {
    expect(faultIn({})).toBeUndefined();
    expect(faultIn({ 2: says("0x"), 6: says("0x"), 9: says("0x"), 11: says("0x") })).toBeUndefined();
  });

  it.each([
    ["a purchase of which less arrives", { 4: AMOUNT - 30_000n }, { kind: "fee", ppm: 30_000n }],
    ["a purchase with something on top", { 4: AMOUNT + 30_000n }, { kind: "inexact" }],
    ["a purchase that costs the holder more", { 3: HELD - AMOUNT - 250_000n }, { kind: "fee", ppm: 200_000n }],
    ["a payment of which less arrives", { 8: AMOUNT - 20_000n }, { kind: "fee", ppm: 20_000n }],
    ["a sale of which less arrives", { 13: HELD - 10_000n }, { kind: "fee", ppm: 10_000n }],
    ["all of it kept", { 4: 0n }, { kind: "fee", ppm: 1_000_000n }],
    ["one unit less", { 4: AMOUNT - 1n }, { kind: "inexact", amount: AMOUNT, sent: AMOUNT, received: AMOUNT - 1n }],
    ["one unit more", { 13: HELD + 1n }, { kind: "inexact", amount: AMOUNT, sent: AMOUNT, received: AMOUNT + 1n }],
    ["nothing moved", { 3: HELD, 4: 0n }, { kind: "inexact", amount: AMOUNT, sent: 0n, received: 0n }],
    ["a bystander with more than before", { 10: HELD - AMOUNT + 7n, 13: HELD + 7n }, { kind: "rebasing" }],
  ] as const)("finds %s", (_, changed, fault) => {
    expect(faultIn(changed)).toMatchObject(fault);
  });

  it("tells refusals in the token's words, and an approval's before the sale that fails for it", () => {
    const reverted = (data: Hex): SimulatedResult => ({ success: false, data, gasUsed: 0n, secondsLater: 0n });
    expect(faultIn({ 2: reverted("0x01") })).toEqual({ kind: "refusing", reason: "said 0x01" });
    expect(faultIn({ 11: reverted("0x02") })).toEqual({ kind: "refusing", reason: "said 0x02" });
    expect(faultIn({ 9: reverted("0x03"), 11: reverted("0x02") })).toEqual({ kind: "refusing", reason: "said 0x03" });
    const returned = { kind: "refusing", reason: "it does not return true" };
    for (const data of [storageWord(0n), storageWord(2n), "0x01"] as const) {
      expect(faultIn({ 6: says(data) })).toEqual(returned);
      expect(faultIn({ 9: says(data) })).toEqual(returned);
    }
  });

  it("is no word on a token that does not tell its balances", () => {
    expect(() => faultIn({ 0: says("0x") })).toThrow("it does not tell a balance");
    expect(() => faultOf(round, answers().slice(0, 9), String)).toThrow("a result is missing");
  });
});
