import { MAX_UINT256 } from "../../math/full-math.ts";
import type { Direction } from "../pool-math.ts";
import type { ProgramFee } from "./program.ts";
import type { AquaState } from "./state.ts";

/** Amounts of one trade, with what each fee takes. */
interface Traded {
  readonly sold: bigint;
  readonly bought: bigint;
  readonly taken: readonly bigint[];
}

/**
 * A strategy after a trade. Protocol fees leave it before what is sold comes in, the innermost first; one that the maker cannot
 * pay by then stays with him (version 1.0.2 of the router).
 */
export function afterTrade(
  state: AquaState,
  { sell, buy }: Direction,
  fees: readonly ProgramFee[],
  { sold, bought, taken }: Traded,
): AquaState {
  const balances = [...state.balances];
  const wallets = [...state.wallets];
  const allowances = [...state.allowances];
  const draw = (token: number, amount: bigint, isHisOwn: boolean) => {
    balances[token] = (balances[token] as bigint) - amount;
    if (!isHisOwn) wallets[token] = (wallets[token] as bigint) - amount;
    if (allowances[token] !== MAX_UINT256) allowances[token] = (allowances[token] as bigint) - amount;
  };
  for (let index = fees.length - 1; index >= 0; index--) {
    const { to } = fees[index] as ProgramFee;
    const fee = taken[index] as bigint;
    const canPay = [balances, wallets, allowances].every((values) => (values[sell] as bigint) >= fee);
    if (to !== undefined && canPay) draw(sell, fee, to === state.maker);
  }
  draw(buy, bought, false);
  balances[sell] = (balances[sell] as bigint) + sold;
  wallets[sell] = (wallets[sell] as bigint) + sold;
  return { ...state, balances: two(balances), wallets: two(wallets), allowances: two(allowances) };
}

function two([first = 0n, second = 0n]: readonly bigint[]): readonly [bigint, bigint] {
  return [first, second];
}
