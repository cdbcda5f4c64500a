import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TypedData } from "../../domain/terms/typed-data.ts";

const DOMAIN_TYPES: Readonly<Record<string, string>> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
};

/** Typed data as `eth_signTypedData_v4` takes it: integers as decimal text, and the domain's own type among the types. */
export function wireTypedData({ domain, types, primaryType, message }: TypedData): JsonObject {
  const domainType = Object.keys(DOMAIN_TYPES)
    .filter((name) => name in domain)
    .map((name) => ({ name, type: DOMAIN_TYPES[name] as string }));
  return {
    domain: { ...domain, chainId: Number(domain.chainId) },
    types: { EIP712Domain: domainType, ...(wireOf(types) as JsonObject) },
    primaryType,
    message: wireOf(message),
  };
}

function wireOf(value: unknown): JsonValue {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(wireOf);
  if (value === null || typeof value !== "object") return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wireOf(each)]));
}
