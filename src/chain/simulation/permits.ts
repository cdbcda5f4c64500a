import { decodeAbiParameters, domainSeparator } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import { PERMIT2, type PermitDomain } from "../../domain/terms/typed-data.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PermitReader } from "../../quoting/ports.ts";
import { NAME, uintOf } from "../rpc/erc20.ts";

const VERSION: Hex = "0x54fd4d50";
const DOMAIN_SEPARATOR: Hex = "0x3644e515";
const PERMIT_TYPEHASH: Hex = "0x30adf81f";
/** keccak256 of "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)", as DAI tells it. */
const DAI_PERMIT: Hex = "0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb";
const nonces = (owner: Address): Hex => `0x7ecebe00${owner.slice(2).padStart(64, "0")}`;

/** Versions of tokens that do not tell theirs: nearly all have the first, and some have none in their domain. */
const UNTOLD = "1";

/**
 * Reads how tokens are approved by a signature. A token is believed when the separator that it tells is that of the domain
 * made of its name and version: a signature for any other one would be refused by it.
 */
export function createPermitReader(reader: ChainReader, chainId: number): PermitReader {
  const separatorOf = (domain: { readonly name: string; readonly version?: string }, verifyingContract: Address) =>
    domainSeparator({ domain: { ...domain, chainId, verifyingContract } });
  return {
    async domainOf(token, owner, at, deadlineMs): Promise<PermitDomain | undefined> {
      const calls = [NAME, VERSION, DOMAIN_SEPARATOR, nonces(owner), PERMIT_TYPEHASH].map((data) => ({
        to: token,
        data,
      }));
      const [named, versioned, separator, next, type] = await reader.calls(calls, at, { deadlineMs });
      const [name, nonce] = [stringOf(named), uintOf(next)];
      if (name === undefined || nonce === undefined || separator === undefined) return undefined;
      const version = stringOf(versioned) ?? UNTOLD;
      const form = type === DAI_PERMIT ? "dai" : "eip2612";
      return separator === separatorOf({ name, version }, token) ? { form, name, version, nonce } : undefined;
    },
    async hasPermit2(at, deadlineMs) {
      const [separator] = await reader.calls([{ to: PERMIT2, data: DOMAIN_SEPARATOR }], at, { deadlineMs });
      return separator === separatorOf({ name: "Permit2" }, PERMIT2);
    },
  };
}

/** An answer that is a text; undefined where it is none. */
function stringOf(answer: Hex | undefined): string | undefined {
  if (answer === undefined) return undefined;
  try {
    return decodeAbiParameters([{ type: "string" }], answer)[0];
  } catch {
    return undefined;
  }
}
