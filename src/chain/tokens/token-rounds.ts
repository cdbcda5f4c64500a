import type { Address, Hex } from "../../domain/address.ts";
import type { TokenVerdict } from "../../domain/token-verdict.ts";
import { approve, balanceOf, transfer, transferFrom, uintOf } from "../rpc/erc20.ts";
import type { SimulatedCall, SimulatedResult } from "../simulation/simulated-calls.ts";

/** A token's way from a holder through two accounts of nobody and back: once bought, once passed on, once sold. */
export interface Round {
  readonly token: Address;
  /** Holds at least `amount`. */
  readonly holder: Address;
  readonly first: Address;
  readonly second: Address;
  /** Draws from `second` by an approval, as settlement does from a taker. */
  readonly spender: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Fault of a token; undefined if it has none. */
export type Fault = Exclude<TokenVerdict, { kind: "plain" | "untestable" }> | undefined;

/** Gas limits of a balance call and of a transfer; the most expensive tokens in use stay far below. */
const LOOK_GAS = 1_000_000n;
const MOVE_GAS = 2_000_000n;
/** Smallest ratio of an amount to its missing base units at which these, at most `ROUNDING`, are no fee. */
const ROUNDING_SHARE = 1_000n;
const ROUNDING = 4n;

/** Indices in a round's results of each transfer and of the balances before and after it. */
const LEGS = [
  { done: 2, sender: [0, 3], receiver: [1, 4] },
  { done: 6, sender: [4, 7], receiver: [5, 8] },
  { done: 11, sender: [8, 12], receiver: [10, 13] },
] as const;
const APPROVAL = 9;
/** The holder's balance before and after a transfer that it has no part in. */
const BYSTANDER = [3, 10] as const;
const ROUND_CALLS = 14;

/** The calls of a round, each transfer between looks at both sides. */
export function callsOf({ token, holder, first, second, spender, amount }: Round): readonly SimulatedCall[] {
  const look = (owner: Address) => lookAt(token, owner);
  return [
    ...[look(holder), look(first), moving(token, holder, transfer(first, amount)), look(holder), look(first)],
    ...[look(second), moving(token, first, transfer(second, amount)), look(first), look(second)],
    ...[moving(token, second, approve(spender, amount)), look(holder)],
    ...[moving(token, spender, transferFrom(second, holder, amount)), look(second), look(holder)],
  ];
}

/** A transfer that is left where it is, and the calls that tell both balances. */
export function stayingCalls({ token, holder, first, amount }: Round) {
  const looks = [lookAt(token, holder), lookAt(token, first)];
  return { move: moving(token, holder, transfer(first, amount)), looks };
}

/** The results of so many rounds, one after another. */
export function splitRounds(
  results: readonly SimulatedResult[],
  rounds: readonly Round[],
): readonly (readonly SimulatedResult[])[] {
  return rounds.map((_, index) => results.slice(index * ROUND_CALLS, (index + 1) * ROUND_CALLS));
}

/**
 * The first thing that went wrong in a round.
 * @throws RangeError when the token does not tell a balance.
 */
export function faultOf(
  { amount }: Round,
  results: readonly SimulatedResult[],
  explainRevert: (data: Hex) => string,
): Fault {
  for (const { done, sender, receiver } of LEGS) {
    const refusal = refusalOf(results[done], explainRevert);
    if (refusal !== undefined && done > APPROVAL) {
      // A transfer by approval fails where the approval did: that is the reason then.
      return refusalOf(results[APPROVAL], explainRevert) ?? refusal;
    }
    if (refusal !== undefined) return refusal;
    const sent = balanceIn(results[sender[0]]) - balanceIn(results[sender[1]]);
    const received = balanceIn(results[receiver[1]]) - balanceIn(results[receiver[0]]);
    const fault = differenceOf(amount, sent, received);
    if (fault !== undefined) return fault;
  }
  if (balanceIn(results[BYSTANDER[0]]) !== balanceIn(results[BYSTANDER[1]])) return { kind: "rebasing" };
  return refusalOf(results[APPROVAL], explainRevert);
}

/** The balance that a look has found. @throws RangeError */
export function balanceIn(result: SimulatedResult | undefined): bigint {
  const balance = result?.success ? uintOf(result.data) : undefined;
  if (balance === undefined) throw new RangeError("it does not tell a balance");
  return balance;
}

function differenceOf(amount: bigint, sent: bigint, received: bigint): Fault {
  if (sent === amount && received === amount) return undefined;
  const off = [sent - amount, received - amount].map((difference) => (difference < 0n ? -difference : difference));
  const rounded = off.every((units) => units <= ROUNDING && units * ROUNDING_SHARE <= amount);
  if (rounded || received >= sent || sent < amount) return { kind: "inexact", amount, sent, received };
  return { kind: "fee", ppm: ((sent - received) * 1_000_000n + sent / 2n) / sent };
}

/** Tokens that return nothing are accepted, those that return anything but true are not: as the contracts have it. */
export function refusalOf(
  result: SimulatedResult | undefined,
  explainRevert: (data: Hex) => string,
): Extract<Fault, { kind: "refusing" }> | undefined {
  if (result === undefined) throw new RangeError("a result is missing");
  if (!result.success) return { kind: "refusing", reason: explainRevert(result.data) };
  if (result.data === "0x" || uintOf(result.data) === 1n) return undefined;
  return { kind: "refusing", reason: "it does not return true" };
}

export function lookAt(token: Address, owner: Address): SimulatedCall {
  return { from: owner, to: token, data: balanceOf(owner), gas: LOOK_GAS };
}

export function moving(token: Address, from: Address, data: Hex): SimulatedCall {
  return { from, to: token, data, gas: MOVE_GAS };
}
