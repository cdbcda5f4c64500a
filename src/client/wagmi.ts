import { type Config, getPublicClient, getWalletClient, sendCalls, waitForCallsStatus } from "@wagmi/core";
import type { Hex } from "viem";
import type { Answers } from "./answers.ts";
import { callsOf, sendQuote } from "./viem.ts";

/**
 * Does what a quote says with the account that is connected, as `sendQuote` does.
 * @throws Error when no account is connected to the quote's chain; whatever the wallet throws
 */
export async function sendQuoteWithWagmi(
  config: Config,
  { quote, approve }: { readonly quote: Answers["quote"]; readonly approve?: bigint | undefined },
): Promise<Hex> {
  const { chainId } = quote;
  const reader = getPublicClient(config, { chainId });
  if (reader === undefined) throw new Error(`the configuration of wagmi has no chain ${chainId}`);
  return sendQuote({ quote, wallet: await getWalletClient(config, { chainId }), reader, approve });
}

/**
 * Sends approvals and swap as one batch (EIP-5792), and waits until the wallet says how it went.
 * @returns the hash of the last transaction
 * @throws Error when the batch failed; whatever a wallet throws that takes no batches
 */
export async function sendQuoteAsBatch(config: Config, { quote }: { readonly quote: Answers["quote"] }): Promise<Hex> {
  const { id } = await sendCalls(config, { calls: callsOf(quote), chainId: quote.chainId });
  const { status, receipts = [] } = await waitForCallsStatus(config, { id });
  const last = receipts.at(-1);
  if (status !== "success" || last === undefined) throw new Error(`the batch ${id} has ended as ${status}`);
  return last.transactionHash;
}
