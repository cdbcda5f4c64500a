import type { Random } from "../../../fixtures/random.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import type { DevnetToken } from "../../../src/devnet/plan/layout.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";

const PICO_USD = 1e12;

/** The concentrated one more often, since only large trades in it alone cross many ticks. */
export const SOURCES: readonly string[] = [
  ...Array<string>(6).fill("Uniswap_V3"),
  "Uniswap_V2",
  "PancakeSwap_V2",
  "PancakeSwap_V3",
  "Uniswap_V4",
  "Algebra",
  "Velodrome_V2",
  "Curve",
  "Curve_Crypto",
  "Slipstream",
  "Balancer_V2",
  "Balancer_V3",
  "LFJ_V2_2",
  "Infinity_CL",
];

/** Every token of the devnet, the native token among them, with its worth. Worked out once: their addresses take 0.1 s. */
export const DEVNET_TOKENS: readonly DevnetToken[] = withNative(devnetLayout(devnetAccounts().whale).tokens);

function withNative(tokens: readonly DevnetToken[]): readonly DevnetToken[] {
  const wrapped = tokens[0] as DevnetToken;
  return [{ ...wrapped, address: NATIVE_TOKEN, symbol: "ETH" }, ...tokens];
}

/** All sources; all but the ERC-4626 vaults, whose shares only their buffers make then; or one. */
function someSources(random: Random, sources: readonly string[]): SwapRequest["sources"] {
  const kind = random.pick(["all", "without", "only", "only"] as const);
  if (kind === "all") return { kind };
  return { kind, ids: kind === "only" ? [random.pick(sources)] : ["ERC4626"] };
}

/**
 * A request as somebody might send it: any two tokens, from dust to more than most pools hold, either amount, with and
 * without a fee, over all sources or one. Far tokens and large trades are taken more often than chance would, so that
 * long routes and routes over many ticks occur. A seed gives another request with other `sources` to pick from.
 */
export function randomRequest(
  random: Random,
  tokens: readonly DevnetToken[],
  parties: { readonly taker: Address; readonly feeRecipient: Address },
  sources = SOURCES,
): SwapRequest {
  const far = tokens.filter(({ symbol }) => ["MOSS", "REED", "FERN", "PEBL"].includes(symbol));
  const near = tokens.filter(({ symbol }) => ["ETH", "WETH", "USDH", "USDR", "WBT"].includes(symbol));
  const any = () => random.pick(random.chance(0.3) ? far : random.chance(0.5) ? near : tokens);
  const sellToken = any();
  let buyToken = any();
  while (buyToken.address === sellToken.address) buyToken = random.pick(tokens);
  const usd = random.pick([() => random.logUniform(1e-6, 1e5), () => random.logUniform(1e5, 3e6)])();
  const amountOf = (token: DevnetToken) => {
    const units = BigInt(Math.floor((usd * PICO_USD * 1e6) / Number(token.picoUsd))) * 10n ** BigInt(token.decimals);
    return units / 1_000_000n || 1n;
  };
  return {
    sellToken,
    buyToken,
    amount: random.chance(0.45)
      ? { kind: "exactOut", buyAmount: amountOf(buyToken) }
      : { kind: "exactIn", sellAmount: amountOf(sellToken) },
    slippage: FRACTION_ONE / 100n,
    taker: parties.taker,
    sources: someSources(random, sources),
    ...(random.chance(0.35) && {
      fee: { ratePpm: BigInt(random.pick([1, 250, 1_000, 10_000, 100_000])), recipient: parties.feeRecipient },
    }),
    skipValidation: false,
  };
}
