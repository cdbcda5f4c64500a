import { divRoundingUp, MAX_UINT112, MAX_UINT128, smaller } from "../../math/full-math.ts";
import type { Direction } from "../pool-math.ts";
import { type PeggedSide, peggedCosts, peggedPays, peggedSide } from "./pegged.ts";
import { FEE_ONE, type Program, type ProgramFee } from "./program.ts";
import { type Reserves, reservesInRange } from "./range.ts";
import type { AquaState } from "./state.ts";

/** A strategy whose program was read. */
export interface AquaAt {
  readonly state: AquaState;
  readonly program: Program;
}

/** One direction of a strategy. Amounts are those that its fees have left. */
export type AquaSide =
  | { readonly kind: "product"; readonly reserves: Reserves }
  | { readonly kind: "pegged"; readonly pegged: PeggedSide };

/** The direction's curve; undefined where the router refuses every trade. Larger reserves than of 128 bits are no pool's. */
export function sideOf({ state, program }: AquaAt, { sell }: Direction): AquaSide | undefined {
  const { balances } = state;
  if (program.pegged !== undefined) {
    const pegged = peggedSide(balances, program.pegged, sell === 0 ? 0 : 1);
    return pegged && { kind: "pegged", pegged };
  }
  const [sold, bought] = sell === 0 ? balances : [balances[1], balances[0]];
  const reserves = program.range === undefined ? { sold, bought } : reservesInRange(balances, program.range, sell);
  if (reserves === undefined || reserves.sold === 0n || reserves.bought === 0n) return undefined;
  if (reserves.sold > MAX_UINT128 || reserves.bought > MAX_UINT128) return undefined;
  return { kind: "product", reserves };
}

/** The most that can be paid: counted by Aqua, in the maker's wallet, and allowed to Aqua. */
export function payableOf({ balances, wallets, allowances }: AquaState, { buy }: Direction): bigint {
  const token = buy === 0 ? 0 : 1;
  return smaller(balances[token], smaller(wallets[token], allowances[token]));
}

/** Payment for what the fees have left; undefined where the router reverts (XYCSwap.sol, PeggedSwap.sol). */
export function pays(side: AquaSide, net: bigint): bigint | undefined {
  if (side.kind === "pegged") return peggedPays(side.pegged, net);
  const { sold, bought } = side.reserves;
  return (net * bought) / (sold + net);
}

/** Cost of an amount, before fees; undefined where the router reverts. */
export function costs(side: AquaSide, amount: bigint): bigint | undefined {
  if (side.kind === "pegged") return peggedCosts(side.pegged, amount);
  const { sold, bought } = side.reserves;
  return amount >= bought ? undefined : divRoundingUp(amount * sold, bought - amount);
}

/** The part of an amount that a fee takes of it. */
function feeOf({ rate, to }: ProgramFee, amount: bigint): bigint {
  return to === undefined ? divRoundingUp(amount * rate, FEE_ONE) : (amount * rate) / FEE_ONE;
}

/** Amounts that fees take of an exact input, in their order, and what they leave. */
export function feesWithin(fees: readonly ProgramFee[], amount: bigint) {
  let net = amount;
  const taken = fees.map((fee) => {
    const own = feeOf(fee, net);
    net -= own;
    return own;
  });
  return { net, taken };
}

/** Amounts that fees add to the cost of an exact output, in their order, and what it costs with them. */
export function feesOnTop(fees: readonly ProgramFee[], net: bigint) {
  let gross = net;
  const added = fees.toReversed().map(({ rate, to }) => {
    const [part, rest] = [gross * rate, FEE_ONE - rate];
    const own = to === undefined ? divRoundingUp(part, rest) : part / rest;
    gross += own;
    return own;
  });
  return { gross, taken: added.reverse() };
}

/** The most that can be sold for no more than `payable`. */
export function mostSold(side: AquaSide, fees: readonly ProgramFee[], payable: bigint): bigint {
  if (payable === 0n) return 0n;
  let most = side.kind === "pegged" ? mostPegged(side, payable) : mostOfProduct(side.reserves, payable);
  // A curve for pegged tokens that rounds much pays even for what fees take whole. No such amount is sold.
  if (most === 0n) return 0n;
  for (const { rate, to } of fees.toReversed()) {
    const rest = FEE_ONE - rate;
    most = to === undefined ? ((most + 1n) * FEE_ONE - 1n) / rest : (most * FEE_ONE) / rest;
  }
  return smaller(most, MAX_UINT112);
}

function mostOfProduct({ sold, bought }: Reserves, payable: bigint): bigint {
  const beyond = bought - payable - 1n;
  return beyond <= 0n ? MAX_UINT112 : ((payable + 1n) * sold - 1n) / beyond;
}

/** About the cost of all that is payable, and less by as little as it takes for the router to pay it. */
function mostPegged(side: AquaSide, payable: bigint): bigint {
  let most = costs(side, payable) ?? 0n;
  for (let step = 1n; most > 0n; step *= 2n) {
    const paid = pays(side, most);
    if (paid !== undefined && paid <= payable) return most;
    most = most > step ? most - step : 0n;
  }
  return 0n;
}
