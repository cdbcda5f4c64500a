import type { Account, Chain, Hex, PublicClient, Transport, WalletClient } from "viem";
import type { Answers } from "./answers.ts";
import { approvalsFor } from "./approval.ts";
import { messageToSign, withSignature } from "./signature.ts";
import { addressOf, type TransactionArguments, transactionOf } from "./transaction.ts";

type Quote = Answers["quote"];

/** A wallet that signs for one account, such as wagmi's `getWalletClient` or `useWalletClient` gives. */
export type QuoteWallet = Pick<
  WalletClient<Transport, Chain | undefined, Account>,
  "account" | "chain" | "sendTransaction" | "signTypedData"
>;
/** Reader of receipts: any public client of the chain. */
export type ReceiptReader = Pick<PublicClient, "waitForTransactionReceipt">;

/** A call of a batch, as `sendCalls` and `wallet_sendCalls` (EIP-5792) take it. */
export interface WalletCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
}

/**
 * Does what a quote says: sends the approvals that are lacking and waits for each, has the message of `approvalMode` signed
 * where there is one, and sends the swap. The quote has to be asked for with the wallet's address as `takerAddress`.
 * @param approve base units to approve; by default what the quote can spend at most
 * @returns the hash of the swap's transaction, which may still be pending
 * @throws RangeError for a wallet on another chain; Error when an approval is reverted; whatever the wallet throws
 */
export async function sendQuote({
  quote,
  wallet,
  reader,
  approve,
}: {
  readonly quote: Quote;
  readonly wallet: QuoteWallet;
  readonly reader: ReceiptReader;
  readonly approve?: bigint | undefined;
}): Promise<Hex> {
  const { account, chain } = wallet;
  if (chain?.id !== quote.chainId)
    throw new RangeError(`the quote is of chain ${quote.chainId}, and the wallet is on ${chain?.id ?? "none"}`);
  const send = (transaction: TransactionArguments) => wallet.sendTransaction({ ...transaction, account, chain });
  for (const approval of approvalsFor(quote, account.address, approve)) {
    const hash = await send(approval);
    const { status } = await reader.waitForTransactionReceipt({ hash });
    if (status === "reverted") throw new Error(`the approval ${hash} was reverted`);
  }
  const message = messageToSign(quote);
  if (message === undefined) return send(transactionOf(quote));
  const signature = await wallet.signTypedData({ ...message, account } as Parameters<QuoteWallet["signTypedData"]>[0]);
  return send(withSignature(quote, signature));
}

/**
 * The calls that do what a quote says, for a wallet that sends them as one batch (EIP-5792): approvals that are lacking, then
 * the swap. Send them on the quote's `chainId`.
 * @throws RangeError for a quote that waits for a signature: a batch carries none
 */
export function callsOf(quote: Pick<Quote, "calls" | "permit">): readonly WalletCall[] {
  if (quote.permit !== undefined)
    throw new RangeError('ask for the quote with approvalMode "approve" to batch its calls');
  return quote.calls.map(({ to, data, value }) => ({
    to: addressOf(to, "calls.to"),
    data: data as Hex,
    value: BigInt(value),
  }));
}
