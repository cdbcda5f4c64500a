import type { Direction } from "../pool-math.ts";
import { integrated, ONE, type Pricing, paidFor, targetFor } from "./pmm.ts";
import type { DodoState, RState } from "./state.ts";

/** One direction of a pool: the token that comes in and the token that is paid. */
export interface Side {
  readonly state: DodoState;
  readonly sell: 0 | 1;
  readonly buy: 0 | 1;
  /** Price of what is sold in what is bought, and the slope. */
  readonly pricing: Pricing;
  /** Amount that leads the pool back to its targets; undefined where every trade in this direction leads away from them. */
  readonly way: bigint | undefined;
  /** Payment for all of that way. */
  readonly wayPays: bigint;
  /** Sides of the targets that trades in this direction lead from and to. */
  readonly towards: RState;
  readonly away: RState;
}

/** A trade before fees, and the side of its targets on which it leaves the pool. */
interface Sale {
  readonly gross: bigint;
  readonly r: RState;
}

export function sideOf(state: DodoState, { sell, buy }: Direction): Side {
  const [towards, away]: readonly [RState, RState] =
    sell === 0 ? ["ABOVE_ONE", "BELOW_ONE"] : ["BELOW_ONE", "ABOVE_ONE"];
  const tokens = { sell: sell as 0 | 1, buy: buy as 0 | 1 };
  const { reserves, targets } = state;
  const isBack = state.r === towards;
  return {
    ...{ state, ...tokens, towards, away },
    pricing: { i: sell === 0 ? state.i : inverse(state.i), k: state.k },
    way: isBack ? targets[tokens.sell] - reserves[tokens.sell] : undefined,
    wayPays: isBack ? reserves[tokens.buy] - targets[tokens.buy] : 0n,
  };
}

function inverse(price: bigint): bigint {
  return (ONE * ONE) / price;
}

/** The sale of an amount (sellBaseToken and sellQuoteToken of PMMPricing.sol); undefined where the contract reverts. */
export function saleOf(side: Side, amount: bigint): Sale | undefined {
  const { state, sell, buy, pricing, way, wayPays, towards, away } = side;
  const { reserves, targets, r } = state;
  const [held, target] = [reserves[buy], targets[buy]];
  if (way === undefined) return saleAway(paidFor(target, r === "ONE" ? target : held, amount, pricing), away);
  if (way < 0n || wayPays < 0n) return undefined;
  if (amount === way) return { gross: wayPays, r: "ONE" };
  if (amount > way) {
    const beyond = paidFor(target, target, amount - way, pricing);
    return saleAway(beyond && wayPays + beyond, away);
  }
  const gross = integrated(targets[sell], reserves[sell] + amount, reserves[sell], pricing);
  if (gross === undefined) return undefined;
  return { gross: gross > wayPays ? wayPays : gross, r: towards };
}

function saleAway(gross: bigint | undefined, r: RState): Sale | undefined {
  return gross === undefined ? undefined : { gross, r };
}

/** A state whose reserves have moved, with the targets of its next trade; undefined where the contract refuses every further one. */
export function withTargets(state: DodoState): DodoState | undefined {
  const { reserves, targets, i, k, r } = state;
  if (r === "ONE") return state;
  const token = r === "BELOW_ONE" ? 1 : 0;
  const other = token === 1 ? 0 : 1;
  const target = targetFor(reserves[token], reserves[other] - targets[other], { i: token === 1 ? i : inverse(i), k });
  if (target === undefined) return undefined;
  return { ...state, targets: token === 0 ? [target, targets[1]] : [targets[0], target] };
}
