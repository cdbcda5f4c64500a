import { Decimal } from "./decimal.ts";

/** Result of simulated transfers of a token on the node. Amounts are base units. */
export type TokenVerdict =
  /** Every transfer took from its sender and gave to its receiver what was asked for, to the base unit. */
  | { readonly kind: "plain" }
  /** A part of what is sent does not arrive, or the sender pays more than that. Parts per million of the amount. */
  | {
      readonly kind: "fee";
      readonly ppm: bigint;
      /** Tax on every transfer, or the reason why there is no such rule, as the rest of a sentence; absent: not measured. */
      readonly tax?: TokenTax | { readonly unknown: string };
    }
  /** Sender or receiver see another amount than was asked for: balances are kept as rounded shares, as a rule. */
  | { readonly kind: "inexact"; readonly amount: bigint; readonly sent: bigint; readonly received: bigint }
  /** Balances change without a transfer of their owners. */
  | { readonly kind: "rebasing" }
  /** Transfers fail, whichever holder they begin from. */
  | { readonly kind: "refusing"; readonly reason: string }
  /** No transfer could be simulated. */
  | { readonly kind: "untestable"; readonly reason: string };

/** Why a token is kept out of routes, as the rest of a sentence that begins with the token; undefined when it is not. */
export function keptOutReason(verdict: TokenVerdict): string | undefined {
  switch (verdict.kind) {
    case "plain":
    case "untestable":
      return undefined;
    case "fee": {
      const { ppm, tax } = verdict;
      const unknown = tax !== undefined && "unknown" in tax ? `, and ${tax.unknown}` : "";
      return `keeps ${new Decimal(ppm, 4)} % of what is transferred (${new Decimal(ppm, 2)} bps, fee on transfer)${unknown}`;
    }
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

/** The tax of a token whose transfers all keep the same part; undefined for any other token. */
export function taxIn(verdict: TokenVerdict): TokenTax | undefined {
  if (verdict.kind !== "fee" || verdict.tax === undefined || "unknown" in verdict.tax) return undefined;
  return verdict.tax;
}

/** Constant part of each transfer that a token keeps. */
export interface TransferTax {
  /** Parts per million of the amount that is sent. */
  readonly ppm: bigint;
  /** Whether a fraction of a base unit is kept as a whole one. Otherwise it reaches the receiver. */
  readonly roundsUp: boolean;
}

/** Taxes of a token by sender and receiver of a transfer. */
export interface TokenTax {
  /** From a pool to an account. */
  readonly buy: TransferTax;
  /** From an account to a pool. */
  readonly sell: TransferTax;
  /** From an account to an account. */
  readonly transfer: TransferTax;
}

/** Denominator of tax rates. */
export const TAX_ONE = 1_000_000n;

const NOTHING: TransferTax = { ppm: 0n, roundsUp: false };
/** The tax of a token that has none. */
export const NO_TAX: TokenTax = { buy: NOTHING, sell: NOTHING, transfer: NOTHING };

/** Tax on a transfer, in base units. */
export function taxOn(amount: bigint, { ppm, roundsUp }: TransferTax): bigint {
  const kept = amount * ppm;
  return roundsUp ? (kept + TAX_ONE - 1n) / TAX_ONE : kept / TAX_ONE;
}

export function isTaxed({ buy, sell, transfer }: TokenTax): boolean {
  return buy.ppm + sell.ppm + transfer.ppm > 0n;
}

export function isSameTax(one: TokenTax, other: TokenTax): boolean {
  return (["buy", "sell", "transfer"] as const).every(
    (way) => one[way].ppm === other[way].ppm && one[way].roundsUp === other[way].roundsUp,
  );
}
