import { keccak256, toHex } from "viem/utils";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { PermitDomain } from "../../domain/terms/typed-data.ts";
import { nameOf } from "../../domain/token.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import type { QuoteAnswer, SwapRequest } from "../answer/types.ts";
import type { Settlement, SwapTerms, SwapTransaction } from "../ports.ts";
import { requestKey } from "../search/request-key.ts";
import type { SettleSetting } from "./settle-context.ts";

/** `approve(address,uint256)` of ERC-20. */
const APPROVE = "0x095ea7b3";

/**
 * A request with the signature that its transaction waits for by its mode; none where native token is sold. The nonce for
 * Permit2 is another one for each call and each request, so that no quote can be carried out twice.
 */
export function askedWithSignature(request: SwapRequest, requestId: string): SwapRequest {
  const { approvalMode: mode, sellToken, taker: owner = STAND_IN } = request;
  if (sellToken.address === NATIVE_TOKEN) return request;
  if (mode === "eip2612") return { ...request, signed: { kind: mode, owner } };
  if (mode !== "permit2") return request;
  const nonce = BigInt(keccak256(toHex(`${requestId} ${requestKey(request)}`)));
  return { ...request, signed: { kind: mode, owner, nonce } };
}

/** Spender that the taker of a request approves; the zero address where native token is sold. */
export function spenderOf({ sellToken, approvalMode }: SwapRequest, settlement: Settlement): Address {
  if (sellToken.address === NATIVE_TOKEN) return ZERO_ADDRESS;
  return approvalMode === "permit2" ? settlement.permit2 : settlement.allowanceTarget;
}

/**
 * The domain that a permit of the sold token is signed for; undefined where the mode is another one.
 * @throws SwapError where the token takes no permits, the chain has no Permit2, or the node does not tell
 */
export async function permitDomainFor(
  request: SwapRequest,
  { permits, snapshot, deadlineMs }: SettleSetting,
): Promise<PermitDomain | undefined> {
  const { signed, sellToken } = request;
  if (signed === undefined) return undefined;
  const { block } = snapshot;
  const unknown = (cause?: unknown) => {
    const message = "The node does not answer now how the token is approved by a signature. Try again.";
    return refuse("UNAVAILABLE", message, { cause });
  };
  if (permits === undefined) throw unknown();
  if (signed.kind === "permit2") {
    if (await asked(permits.hasPermit2(block, deadlineMs), unknown)) return undefined;
    throw noPermit("Permit2 is not on this chain.", "approve");
  }
  const domain = await asked(permits.domainOf(sellToken.address, signed.owner, block, deadlineMs), unknown);
  if (domain !== undefined) return domain;
  // A taxed token would be sent twice by Permit2.
  const isTaxed = taxOf(snapshot.graph, sellToken.address) !== undefined;
  const hasPermit2 = !isTaxed && (await asked(permits.hasPermit2(block, deadlineMs), unknown));
  throw noPermit(`${nameOf(sellToken)} accepts no EIP-2612 permit.`, hasPermit2 ? "permit2" : "approve");
}

function asked<Answer>(answer: Promise<Answer>, unknown: (cause: unknown) => Error): Promise<Answer> {
  return answer.catch((cause: unknown) => {
    throw unknown(cause);
  });
}

function noPermit(what: string, instead: string): Error {
  const description = `approvalMode cannot be used: ${what} Send approvalMode=${instead}.`;
  const violations = [{ field: "approvalMode", reason: "NOT_APPROVABLE", description }] as const;
  return refuse("INVALID_PARAMETERS", description, { violations });
}

/** Approvals of a quote. */
export function approvalsOf(
  request: SwapRequest,
  parts: {
    readonly transaction: SwapTransaction;
    readonly terms: SwapTerms;
    readonly allowance: QuoteAnswer["issues"]["allowance"];
    readonly domain: PermitDomain | undefined;
  },
  { settlement, snapshot }: SettleSetting,
): Pick<QuoteAnswer, "permit" | "calls"> {
  const { transaction, terms, allowance, domain } = parts;
  const approvals = approvalCalls(request, spenderOf(request, settlement), terms.maxSellAmount, allowance);
  if (terms.signed === undefined) return { permit: null, calls: [...approvals, transaction] };
  const eip712 = settlement.messageToSign(transaction, terms, snapshot.chainId, domain);
  return { permit: { type: terms.signed.kind === "permit2" ? "Permit2" : "EIP2612", eip712 }, calls: approvals };
}

/** Approvals of exactly what may be sold, by way of zero where less is approved: some tokens refuse anything else. */
function approvalCalls(
  { approvalMode, taker, sellToken }: SwapRequest,
  spender: Address,
  amount: bigint,
  lacking: QuoteAnswer["issues"]["allowance"],
): readonly SwapTransaction[] {
  const asks = approvalMode !== "none" && approvalMode !== "eip2612" && spender !== ZERO_ADDRESS;
  if (!asks || (taker !== undefined && lacking === null)) return [];
  const approve = (allowed: bigint) => ({ to: sellToken.address, data: approveCall(spender, allowed), value: 0n });
  return lacking !== null && lacking.actual > 0n ? [approve(0n), approve(amount)] : [approve(amount)];
}

function approveCall(spender: Address, amount: bigint): Hex {
  const word = (hex: string) => hex.padStart(64, "0");
  return `${APPROVE}${word(spender.slice(2))}${word(amount.toString(16))}`;
}
