import { useMutation, useQuery } from "@tanstack/react-query";
import {
  type Answers,
  approvalsFor,
  type Quote,
  SwapCallError,
  type SwapClient,
  toBaseUnits,
  toDecimal,
} from "@tributary/client/rest";
import { sendQuoteWithWagmi } from "@tributary/client/wagmi";
import { useState } from "react";
import { useConfig, useConnect, useConnection, useConnectors } from "wagmi";
import { waitForTransactionReceipt } from "wagmi/actions";

interface Token {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Quotes while the reader types, and swaps with the wallet that is connected. */
export function Preview(props: {
  readonly tributary: SwapClient<Answers>;
  readonly native: Token;
  readonly token: Token;
}) {
  const { tributary, native, token } = props;
  const [text, setText] = useState("1");
  const [[sell, buy], setPair] = useState([native, token] as const);
  const config = useConfig();
  const { address: taker } = useConnection();
  const sellAmount = toBaseUnits(text, sell.decimals);

  const quote = useQuery({
    queryKey: ["quote", sell.address, String(sellAmount), taker],
    queryFn: ({ signal }) =>
      tributary.quote(
        {
          sellToken: sell.address,
          buyToken: buy.address,
          sellAmount: sellAmount ?? 0n,
          ...(taker !== undefined && { takerAddress: taker }),
        },
        { signal },
      ),
    enabled: sellAmount !== undefined,
    // Long before a quote's expiry. Retries are the client's own.
    refetchInterval: 2_000,
    retry: false,
  });
  const swap = useMutation({
    mutationFn: async (accepted: Quote) => {
      const hash = await sendQuoteWithWagmi(config, { quote: accepted });
      const { status, blockNumber } = await waitForTransactionReceipt(config, { hash });
      if (status !== "success") throw new Error(`The swap ${hash} was reverted.`);
      return blockNumber;
    },
  });
  // A quote of a block before the last swap does not know the new balances.
  const isCurrent = quote.data !== undefined && BigInt(quote.data.blockNumber) >= (swap.data ?? 0n);

  return (
    <>
      <label>
        Sell {sell.symbol}
        <input id="amount" inputMode="decimal" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button id="flip" type="button" onClick={() => setPair([buy, sell])}>
        Sell {buy.symbol} instead
      </button>
      <output id="preview">
        {sellAmount === undefined && "Enter an amount."}
        {sellAmount !== undefined && quote.isPending && "…"}
        {quote.isError && messageOf(quote.error)}
        {quote.isSuccess && <Terms quote={quote.data} token={buy} taker={taker} />}
      </output>
      {taker === undefined ? (
        <Wallets />
      ) : (
        <button
          id="swap"
          type="button"
          disabled={!isCurrent || swap.isPending}
          onClick={() => quote.data !== undefined && swap.mutate(quote.data)}
        >
          {swap.isPending ? "Waiting for the wallet and the chain…" : "Swap"}
        </button>
      )}
      <output id="outcome">
        {swap.isSuccess && `Swapped in block ${swap.data}.`}
        {swap.isError && messageOf(swap.error)}
      </output>
    </>
  );
}

/** What a signer has to know: received, at least, impact, approvals. */
function Terms(props: { readonly quote: Quote; readonly token: Token; readonly taker: string | undefined }) {
  const { quote, token, taker } = props;
  const show = (units: string) => `${toDecimal(BigInt(units), token.decimals)} ${token.symbol}`;
  const approvals = approvalsFor(quote, taker).length;
  return (
    <dl>
      <dt>You receive</dt>
      <dd>{show(quote.buyAmount)}</dd>
      <dt>At least</dt>
      <dd>{show(quote.minBuyAmount)}</dd>
      <dt>Price impact</dt>
      <dd>{quote.estimatedPriceImpact === undefined ? "unknown" : `${quote.estimatedPriceImpact} %`}</dd>
      <dt>Approvals first</dt>
      <dd>{approvals === 0 ? "none" : approvals}</dd>
      {quote.issues?.balance !== undefined && <dd>You have too little.</dd>}
    </dl>
  );
}

function Wallets() {
  const connect = useConnect();
  const wallets = useConnectors();
  if (wallets.length === 0) return <p>This browser has no wallet.</p>;
  return wallets.map((connector) => (
    <button key={connector.uid} type="button" onClick={() => connect.mutate({ connector })}>
      Connect {connector.name}
    </button>
  ));
}

/** Errors of the service are written for people; a wallet would branch on `kind`. */
function messageOf(error: Error): string {
  return error instanceof SwapCallError ? error.message : (error.message.split("\n", 1)[0] ?? "");
}
