import { Decimal } from "./decimal.ts";

/** What transfers of a token, simulated on the node, have shown. Amounts are base units. */
export type TokenVerdict =
  /** Every transfer took from its sender and gave to its receiver what was asked for, to the base unit. */
  | { readonly kind: "plain" }
  /** A part of what is sent does not arrive, or the sender pays more than that. Parts per million of the amount. */
  | { readonly kind: "fee"; readonly ppm: bigint }
  /** Sender or receiver see another amount than was asked for: balances are kept as rounded shares, as a rule. */
  | { readonly kind: "inexact"; readonly amount: bigint; readonly sent: bigint; readonly received: bigint }
  /** Balances change without a transfer of their owners. */
  | { readonly kind: "rebasing" }
  /** Transfers fail, whichever holder they begin from. */
  | { readonly kind: "refusing"; readonly reason: string }
  /** No transfer could be simulated. */
  | { readonly kind: "untestable"; readonly reason: string };

/** Why a token is kept out of routes, as the rest of a sentence that begins with the token; undefined when it is not. */
export function whyKeptOut(verdict: TokenVerdict): string | undefined {
  switch (verdict.kind) {
    case "plain":
    case "untestable":
      return undefined;
    case "fee":
      return `keeps ${new Decimal(verdict.ppm, 4)} % of what is transferred (${new Decimal(verdict.ppm, 2)} bps, fee on transfer)`;
    case "inexact": {
      const { amount, sent, received } = verdict;
      const sides = `takes ${sent} from the sender and gives the receiver ${received}`;
      return `is not exact: a transfer of ${amount} base units ${sides} (balances kept as shares, or rebasing)`;
    }
    case "rebasing":
      return "changes balances without a transfer (rebasing)";
    case "refusing":
      return `refuses transfers (${verdict.reason})`;
  }
}
