import { answerTo } from "../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../fixtures/routing/pools.ts";
import { costAt, FREE } from "../../fixtures/routing/request.ts";
import { fillsOf, type Route } from "../../src/domain/route.ts";
import { mathOf } from "../../src/pools/pool.ts";
import type { Certificate, NetworkCost } from "../../src/routing/router.ts";

const ONE = 10n ** 18n;
const NAMES = ["A", "B", "C"];
const TOKENS = NAMES.map((_, i) => addressOf(i + 1));
/** Token sold, token bought, and what the pool holds of each. */
const HELD = [
  [0, 1, 1000n, 1000n],
  [0, 1, 100n, 101n],
  [0, 2, 4000n, 4000n],
  [2, 1, 4000n, 4000n],
] as const;
const POOLS = HELD.map(([sold, bought, ...held], i) =>
  pairOf(i + 1, [TOKENS[sold]!, TOKENS[bought]!], [held[0] * ONE, held[1] * ONE]),
);
const SOLD = 50n * ONE;
/** A unit of gas costs 10^-6 B. */
const WITH_GAS = costAt(ONE / 1_000_000n, () => ({ num: 1n, den: 1n }));

/** The example of docs/routing.md: what the router does with each pool, and what its prices prove, worked out by hand. */
export function exampleRows(): readonly (readonly string[])[] {
  const { route } = answerWith(FREE);
  const trades = POOLS.map((pool) => {
    const fill = fillsOf(route).find(({ poolId }) => poolId === pool.id);
    if (fill === undefined) throw new Error("the example leaves out a pool");
    const [takes, pays] = [Number(fill.sellAmount), Number(fill.buyAmount)];
    const rate = mathOf(pool).curve(pool.state, { sell: 0, buy: 1 }, 0n)?.marginalRate(takes) ?? Number.NaN;
    return { takes, pays, rate };
  });
  const prices = [trades[0]!.rate, 1, trades[3]!.rate];
  const earned = trades.map(({ takes, pays }, i) => pays * prices[HELD[i]![1]]! - takes * prices[HELD[i]![0]]!);
  const sold = Number(SOLD) * prices[0]!;
  return [
    ["pool", "holds", "takes", "pays", "earns, in B"],
    ...trades.map(({ takes, pays }, i) => {
      const [from, to, x, y] = HELD[i]!;
      const [a, b] = [NAMES[from]!, NAMES[to]!];
      return [String(i + 1), `${x} ${a}, ${y} ${b}`, `${whole(takes)} ${a}`, `${whole(pays)} ${b}`, whole(earned[i]!)];
    }),
    ["what is sold", "", "", `50 A at ${prices[0]!.toFixed(6)} B`, whole(sold)],
    ["together", "", "", "", whole(earned.reduce((sum, each) => sum + each, sold))],
  ];
}

/** Router's answers to that trade, without gas and with it. */
export function exampleAnswers(): readonly (readonly string[])[] {
  const rows = (
    [
      ["nothing", FREE],
      ["0.000001 B a unit", WITH_GAS],
    ] as const
  ).map(([gas, cost]) => {
    const { route, certificate } = answerWith(cost);
    const pools = POOLS.flatMap(({ id }, i) => (fillsOf(route).some(({ poolId }) => poolId === id) ? [i + 1] : []));
    return [gas, pools.join(", "), whole(Number(certificate.achieved)), whole(Number(certificate.bound))];
  });
  return [["gas costs", "pools used", "the taker gets, after gas", "no route brings more than"], ...rows];
}

function answerWith(cost: NetworkCost): { readonly route: Route; readonly certificate: Certificate } {
  const order = { kind: "exactIn", sellToken: TOKENS[0]!, buyToken: TOKENS[1]!, sellAmount: SOLD } as const;
  const result = answerTo(order, POOLS, cost);
  if (!result.found || result.certificate === undefined) throw new Error("the example has no answer with a proof");
  return { route: result.route, certificate: result.certificate };
}

/** An amount in whole tokens. */
function whole(amount: number): string {
  return (amount / Number(ONE)).toFixed(6);
}
