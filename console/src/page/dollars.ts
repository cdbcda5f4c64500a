import { NATIVE_TOKEN, type Price, type SwapClient, toDecimal } from "../../../src/client/index.ts";

/** Values of amounts in US dollars, by the price of the chain's reference stable coin. For people only. */
export interface Dollars {
  /** Takes the coin's rate from a price that has it, else asks for it in the background: once in a few minutes. */
  learn(price: Price): void;
  /** A token's amount in words; empty where it is not known. `perNative`: units of the token per native token. */
  worth(units: bigint, decimals: number, perNative: string): string;
}

const KEEP_MS = 300_000;

/** `usdToken`: lower case; without one nothing is known. Calls `changed` when an answer came. */
export function createDollars(client: SwapClient, usdToken: string | undefined, changed: () => void): Dollars {
  let perNativeUsd: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(coin: string): Promise<void> {
    const request = { sellToken: NATIVE_TOKEN, buyToken: coin, sellAmount: 10n ** 18n };
    const rate = Number((await client.price(request)).buyTokenToEthRate);
    if (rate > 0) perNativeUsd = rate;
    changed();
  }

  return {
    learn(price) {
      if (usdToken === undefined) return;
      const { sellTokenAddress, buyTokenAddress, sellTokenToEthRate, buyTokenToEthRate } = price;
      const told = { [sellTokenAddress]: sellTokenToEthRate, [buyTokenAddress]: buyTokenToEthRate }[usdToken];
      const isDue = performance.now() - askedAt > KEEP_MS;
      if (told !== undefined && Number(told) > 0) {
        perNativeUsd = Number(told);
        askedAt = performance.now();
      } else if (isDue) {
        askedAt = performance.now();
        void ask(usdToken).catch(() => {});
      }
    },
    worth(units, decimals, perNative) {
      const rate = Number(perNative);
      if (perNativeUsd === undefined || !(rate > 0)) return "";
      return inDollars((Number(toDecimal(units, decimals)) / rate) * perNativeUsd);
    },
  };
}

function inDollars(value: number): string {
  if (value > 0 && value < 0.01) return "less than $0.01";
  if (value >= 1e15) return `about $${value.toExponential(2)}`;
  return `about ${value.toLocaleString("en-US", { style: "currency", currency: "USD" })}`;
}
