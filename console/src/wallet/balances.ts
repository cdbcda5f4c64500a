import { NATIVE_TOKEN, type Price, toDecimal } from "../../../src/client/index.ts";
import { FORM, type Side } from "../form/swap-form.ts";
import { readable, type Token } from "../token.ts";
import type { WalletAccount } from "./wallet-account.ts";

/** Gas that is left for a swap of the native token while no price says how much it needs. */
const GAS_UNKNOWN = 400_000n;
/** The swap of all may need more gas than the one that is shown, and gas may become dearer. */
const TIMES = 2n;

/** Balances of the chosen tokens in the connected account. */
export interface Balances {
  /** Asks the wallet anew. */
  refresh(account: WalletAccount | undefined, chosen: Readonly<Record<Side, Token>>, chainId: number): Promise<void>;
  /** All that can be sold, as a decimal; of the native token less what gas may cost. Undefined while it is not known. */
  most(sell: Token, price: Price | undefined): string | undefined;
}

export function createBalances(): Balances {
  let held: { readonly token: string; readonly units: bigint; readonly gasPrice: bigint } | undefined;
  let asked = 0;
  return {
    async refresh(account, chosen, chainId) {
      const mine = ++asked;
      for (const side of ["sell", "buy"] as const) {
        const token = chosen[side];
        const balance = await account?.balance(token.address, chainId);
        // Other tokens were chosen meanwhile, or another account.
        if (mine !== asked) return;
        const text = balance === undefined ? "" : `Balance ${readable(balance.units, token.decimals)}`;
        FORM.balances[side].textContent = text;
        if (side === "buy") continue;
        held = balance === undefined ? undefined : { token: token.address, ...balance };
        FORM.max.hidden = balance === undefined || balance.units === 0n;
      }
    },
    most(sell, price) {
      if (held === undefined || held.token !== sell.address) return undefined;
      const ofPrice = BigInt(price?.totalNetworkFee ?? 0);
      const ofGas = GAS_UNKNOWN * held.gasPrice;
      const reserve = sell.address === NATIVE_TOKEN ? TIMES * (ofPrice > ofGas ? ofPrice : ofGas) : 0n;
      return toDecimal(held.units > reserve ? held.units - reserve : 0n, sell.decimals);
    },
  };
}
