import { concat, decodeFunctionData, zeroHash } from "viem";
import type { Address, Hex } from "../domain/address.ts";
import { PERMIT2, type PermitDomain, type TypedData } from "../domain/terms/typed-data.ts";
import type { SwapTerms } from "../quoting/ports.ts";
import { gatewayArtifact } from "./artifacts.ts";

/** An order as `Gateway` takes it (contracts/src/Terms.sol). */
export interface GatewayOrder {
  readonly executor: Address;
  readonly sellToken: Address;
  readonly maxSellAmount: bigint;
  readonly buyToken: Address;
  readonly minBuyAmount: bigint;
  readonly recipient: Address;
  readonly deadline: bigint;
  readonly fees: readonly { readonly recipient: Address; readonly ratePpm: bigint }[];
  readonly feesFromSold: boolean;
  readonly balanceShare: bigint;
  readonly quotedBuyAmount: bigint;
  readonly surplusPpm: bigint;
  readonly surplusRecipient: Address;
}

const fields = (...list: readonly `${string} ${string}`[]) =>
  list.map((each) => {
    const [type, name] = each.split(" ") as [string, string];
    return { name, type };
  });

const PERMIT2_TYPES = {
  PermitWitnessTransferFrom: fields(
    "TokenPermissions permitted",
    "address spender",
    "uint256 nonce",
    "uint256 deadline",
    "SwapOrder witness",
  ),
  TokenPermissions: fields("address token", "uint256 amount"),
  SwapOrder: fields(
    "address executor",
    "address buyToken",
    "uint256 minBuyAmount",
    "address recipient",
    "Fee[] fees",
    "bool feesFromSold",
    "uint256 balanceShare",
    "uint256 quotedBuyAmount",
    "uint256 surplusPpm",
    "address surplusRecipient",
    "bytes payload",
  ),
  Fee: fields("address recipient", "uint256 ratePpm"),
} as const;

const EIP2612_TYPES = {
  Permit: fields("address owner", "address spender", "uint256 value", "uint256 nonce", "uint256 deadline"),
} as const;

const DAI_TYPES = {
  Permit: fields("address holder", "address spender", "uint256 nonce", "uint256 expiry", "bool allowed"),
} as const;

/**
 * The transfer of Permit2's that lets `gateway` swap by exactly this order and payload, once.
 * `nonce`: any that the owner has not used; Permit2 keeps a bit for each.
 */
export function permit2TypedData(
  at: { readonly chainId: bigint; readonly gateway: Address },
  order: GatewayOrder,
  payload: Hex,
  nonce: bigint,
): TypedData {
  const { sellToken, maxSellAmount, deadline, ...signed } = order;
  return {
    domain: { name: "Permit2", chainId: at.chainId, verifyingContract: PERMIT2 },
    types: PERMIT2_TYPES,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: sellToken, amount: maxSellAmount },
      spender: at.gateway,
      nonce,
      deadline,
      witness: { ...signed, payload },
    },
  };
}

/**
 * The approval by EIP-2612 of exactly what an order may sell, signed until its deadline. DAI's own permit approves all, and
 * stays until it is taken back.
 */
export function permitTypedData(
  at: { readonly chainId: bigint; readonly gateway: Address },
  { sellToken, maxSellAmount, deadline }: Pick<GatewayOrder, "sellToken" | "maxSellAmount" | "deadline">,
  owner: Address,
  { form, name, version, nonce }: PermitDomain,
): TypedData {
  const spender = at.gateway;
  return {
    domain: { name, version, chainId: at.chainId, verifyingContract: sellToken },
    primaryType: "Permit",
    ...(form === "dai"
      ? { types: DAI_TYPES, message: { holder: owner, spender, nonce, expiry: deadline, allowed: true } }
      : { types: EIP2612_TYPES, message: { owner, spender, value: maxSellAmount, nonce, deadline } }),
  };
}

/**
 * EIP-712 message to sign for calldata that waits for a signature.
 * @throws Error if it waits for none, or a permit's domain is unknown
 */
export function messageToSign(
  at: { readonly chainId: bigint; readonly gateway: Address },
  data: Hex,
  terms: SwapTerms,
  domain: PermitDomain | undefined,
): TypedData {
  const [order, transfer, payload] = argumentsOf(data);
  switch (terms.signed?.kind) {
    case "permit2":
      return permit2TypedData(at, order, payload, (transfer as { readonly nonce: bigint }).nonce);
    case "eip2612":
      if (domain === undefined) throw new Error("a permit is signed for a domain");
      return permitTypedData(at, order, terms.signed.owner, domain);
    case undefined:
      throw new Error("the calldata waits for no signature");
  }
}

/** The order is taken from the calldata itself: what is signed is what is sent. */
function argumentsOf(data: Hex): readonly [order: GatewayOrder, transfer: unknown, payload: Hex] {
  const { args } = decodeFunctionData({ abi: gatewayArtifact.abi, data: concat([data, zeroHash]) });
  return args as unknown as readonly [GatewayOrder, unknown, Hex];
}
