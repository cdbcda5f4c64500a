import type { Address, Hex } from "../../domain/address.ts";
import { TAX_ONE, type TokenTax, type TransferTax, taxOn } from "../../domain/token-verdict.ts";
import { approve, transfer, transferFrom } from "../rpc/erc20.ts";
import type { SimulatedCall, SimulatedResult } from "../simulation/simulated-calls.ts";
import { balanceIn, lookAt, moving, type Round, refusalOf } from "./token-rounds.ts";

/** Transfer tax of a token, or why it has no fixed rate: the rest of a sentence that begins with "and". */
export type FoundTax = TokenTax | { readonly unknown: string };

type Way = keyof TokenTax;

/** One transfer of a round: what was asked for, and what both sides saw. */
interface Sample {
  readonly way: Way;
  readonly amount: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The most that a token may keep: each transfer of a round moves a quarter of the one before. */
const MAX_PPM = 500_000n;
const NEXT_PART = 4n;
/** Smallest last transfer of a round, base units: below it a rate of one part per million is lost in rounding. */
const MIN_LAST = 2_000_000n;
/** Amounts end in this, so that no usual rate takes a whole number of base units of them: its rounding shows. */
const ODD_END = 7n;
const ODD_PARTS = 1_000n;

/** Indices in a round's results of each transfer and of the balances before and after it. */
const LEGS = [
  { way: "buy", done: 2, sender: [0, 3], receiver: [1, 4] },
  { way: "transfer", done: 6, sender: [4, 7], receiver: [5, 8] },
  { way: "sell", done: 11, sender: [8, 12], receiver: [10, 13] },
] as const;
const APPROVAL = 9;
const CALLS = 14;

/** The amounts of a round's transfers; undefined where there is too little for a rate to be told from. */
function amountsOf({ amount }: Round): readonly [bigint, bigint, bigint] | undefined {
  const odd = (units: bigint) => (units / ODD_PARTS) * ODD_PARTS + ODD_END;
  const [first, second, third] = [odd(amount), odd(amount / NEXT_PART), odd(amount / NEXT_PART / NEXT_PART)];
  return third < MIN_LAST ? undefined : [first, second, third];
}

/**
 * A way from a pool through two accounts of nobody and back, each time with a part of what has arrived; the last transfer by an
 * approval, as settlement does. Undefined where the pool holds too little.
 */
export function taxCallsOf(round: Round): readonly SimulatedCall[] | undefined {
  const amounts = amountsOf(round);
  if (amounts === undefined) return undefined;
  const { token, holder, first, second, spender } = round;
  const [bought, passedOn, sold] = amounts;
  const look = (owner: Address) => lookAt(token, owner);
  return [
    ...[look(holder), look(first), moving(token, holder, transfer(first, bought)), look(holder), look(first)],
    ...[look(second), moving(token, first, transfer(second, passedOn)), look(first), look(second)],
    ...[moving(token, second, approve(spender, sold)), look(holder)],
    ...[moving(token, spender, transferFrom(second, holder, sold)), look(second), look(holder)],
  ];
}

/** The one rule that all transfers of these rounds follow, or why there is none. @throws RangeError when a balance is not told */
export function taxOfRounds(
  rounds: readonly Round[],
  results: readonly SimulatedResult[],
  explainRevert: (data: Hex) => string,
): FoundTax {
  const samples: Sample[] = [];
  for (const [index, round] of rounds.entries()) {
    const part = results.slice(index * CALLS, (index + 1) * CALLS);
    const amounts = amountsOf(round) ?? [];
    for (const [leg, { way, done, sender, receiver }] of LEGS.entries()) {
      const refusal =
        (leg === LEGS.length - 1 && refusalOf(part[APPROVAL], explainRevert)) || refusalOf(part[done], explainRevert);
      if (refusal) return { unknown: `a transfer of ${amounts[leg]} base units fails (${refusal.reason})` };
      const between = ([from, to]: readonly [number, number]) => balanceIn(part[to]) - balanceIn(part[from]);
      samples.push({ way, amount: amounts[leg] as bigint, sent: -between(sender), received: between(receiver) });
    }
    // A pool's balance may not move while it has no part in a transfer.
    if (balanceIn(part[3]) !== balanceIn(part[10])) return { unknown: "a transfer of others changes a pool's balance" };
  }
  const [buy, sell, transferred] = (["buy", "sell", "transfer"] as const).map((way) => ruleOf(way, samples));
  for (const rule of [buy, sell, transferred]) if (rule !== undefined && "unknown" in rule) return rule;
  return { buy, sell, transfer: transferred } as TokenTax;
}

const WAYS: Readonly<Record<Way, string>> = {
  buy: "from a pool",
  sell: "to a pool",
  transfer: "between accounts",
};

/** The rate and the rounding that explain all transfers of one way. */
function ruleOf(way: Way, samples: readonly Sample[]): TransferTax | { readonly unknown: string } {
  const own = samples.filter((sample) => sample.way === way);
  const more = own.find(({ amount, sent }) => sent !== amount);
  if (more !== undefined) return { unknown: `takes ${more.sent} base units of the sender for ${more.amount}` };
  const largest = own.reduce((most, sample) => (sample.amount > most.amount ? sample : most));
  const kept = ({ amount, received }: Sample) => amount - received;
  const ppm = (kept(largest) * TAX_ONE + largest.amount / 2n) / largest.amount;
  if (ppm < 0n || ppm > MAX_PPM) return { unknown: `that is not between 0 and ${MAX_PPM / 10_000n} % ${WAYS[way]}` };
  const rule = [false, true]
    .map((roundsUp) => ({ ppm, roundsUp }))
    .find((tax) => own.every((sample) => taxOn(sample.amount, tax) === kept(sample)));
  return rule ?? { unknown: `that is not the same part of every amount and holder (transfers ${WAYS[way]})` };
}
