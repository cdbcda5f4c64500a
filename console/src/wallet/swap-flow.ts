import {
  approvalsFor,
  type Quote,
  type SwapClient,
  type SwapRequest,
  transactionOf,
} from "../../../src/client/index.ts";
import { type WalletAccount, WalletError } from "./wallet-account.ts";

/** Swap to offer. */
export interface Offer {
  readonly client: SwapClient;
  readonly request: SwapRequest;
}

/** State of a swap after a step. */
export type Step =
  /** Too little is approved: `approve` sends what is lacking, for the quote's allowanceTarget alone. */
  | { readonly kind: "approve"; readonly quote: Quote; approve(): Promise<Step> }
  /** Enough is approved as of this block; a fresh quote is asked for when it is sent. */
  | { readonly kind: "approved"; readonly blockNumber: bigint }
  /** Nothing is in the way: `send` sends the quote's transaction as it is. */
  | { readonly kind: "quoted"; readonly quote: Quote; send(): Promise<Step> }
  /** It is done. */
  | { readonly kind: "swapped"; readonly hash: string; readonly blockNumber: bigint; readonly received: bigint };

const AGAIN_MS = 300;
const TRIES = 100;

/**
 * Takes a swap as far as it goes without somebody's word: to an approval or to a quote that somebody has to agree to.
 * @param since a block that the quote must not be older than: what was sent before counts
 * @param tell what is being done now
 * @param units an amount of what is sold, in words
 * @throws WalletError, SwapCallError
 */
export async function prepareSwap(
  { client, request }: Offer,
  account: WalletAccount,
  since: bigint,
  tell: (what: string) => void,
  units: (sold: string) => string,
): Promise<Step> {
  tell("Asking for a quote …");
  const quote = await quoteSince(client, { ...request, takerAddress: account.address }, since);
  await account.useChain(quote.chainId);
  if (quote.issues?.balance !== undefined) {
    const { actual, expected } = quote.issues.balance;
    throw new WalletError(`The account holds too little: ${units(actual)}, and ${units(expected)} is sold.`);
  }
  const approvals = approvalsFor(quote, account.address);
  if (approvals.length > 0) {
    const approve = async (): Promise<Step> => {
      // Somebody thought it over meanwhile, and may have gone elsewhere.
      await account.useChain(quote.chainId);
      let blockNumber = 0n;
      for (const [index, approval] of approvals.entries()) {
        tell(approvals.length === 1 ? "Approving …" : `Approving, ${index + 1} of ${approvals.length} …`);
        ({ blockNumber } = await account.send(approval));
      }
      return { kind: "approved", blockNumber };
    };
    return { kind: "approve", quote, approve };
  }
  const send = async (): Promise<Step> => {
    tell("Swapping …");
    await account.useChain(quote.chainId);
    const { hash, blockNumber, received } = await account.send(transactionOf(quote));
    return { kind: "swapped", hash, blockNumber, received: received(quote.buyTokenAddress, account.address) };
  };
  return { kind: "quoted", quote, send };
}

/** The service is a moment behind the node: a quote that knows the block that an approval was mined in. */
async function quoteSince(client: SwapClient, request: SwapRequest, block: bigint): Promise<Quote> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const quote = await client.quote(request);
    if (BigInt(quote.blockNumber) >= block) return quote;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  throw new WalletError("The service does not see the newest block yet. Try again in a moment.");
}
