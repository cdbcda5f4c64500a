import type { Address } from "../domain/address.ts";
import { smaller } from "../math/full-math.ts";
import type { Pool } from "./pool.ts";

/** Amounts that a maker's wallet and allowance of one token still pay. */
interface Left {
  readonly wallet: bigint;
  readonly allowance: bigint;
}

/** Wallets that trades before have drawn on, by maker and token. */
export type WalletsLeft = Map<string, Left>;

/**
 * The state of a pool that pays out of its maker's wallets, where trades before left these: strategies of one maker draw on the same
 * ones. What others bring to a wallet does not count: an exact output is not planned in the order in which it is traded.
 */
export function afterDraws({ tokens }: Pool, state: Pool["state"], left: WalletsLeft): Pool["state"] {
  if (!("wallets" in state) || left.size === 0) return state;
  const { maker, wallets, allowances } = state;
  const leftOf = (index: 0 | 1): Left => {
    const own = { wallet: wallets[index], allowance: allowances[index] };
    return least(own, left.get(nameOf(maker, tokens[index])));
  };
  const [first, second] = [leftOf(0), leftOf(1)];
  return {
    ...state,
    wallets: [first.wallet, second.wallet],
    allowances: [first.allowance, second.allowance],
  };
}

/** Notes the wallets of a pool's maker, if it pays out of such, as a trade left them. */
export function noteDraws({ tokens }: Pool, state: Pool["state"], left: WalletsLeft): void {
  if (!("wallets" in state)) return;
  const { maker, wallets, allowances } = state;
  for (const index of [0, 1] as const) {
    const name = nameOf(maker, tokens[index]);
    left.set(name, least({ wallet: wallets[index], allowance: allowances[index] }, left.get(name)));
  }
}

function least(one: Left, other: Left = one): Left {
  return { wallet: smaller(one.wallet, other.wallet), allowance: smaller(one.allowance, other.allowance) };
}

function nameOf(maker: Address, token: Address | undefined): string {
  return `${maker} ${token}`;
}
