import { readFileSync } from "node:fs";
import { type Abi, encodeDeployData, type Hex } from "viem";
import type { Address } from "../../domain/address.ts";
import type { DevnetToken } from "../plan/layout.ts";

/** Creation code of a token that mints `supply` base units to `holder`, compiled from `contracts/devnet`. */
export function tokenCreationCode(token: DevnetToken, holder: Address, supply: bigint): Hex {
  const contract = token.returnless ? "DevnetReturnlessToken" : "DevnetToken";
  const file = new URL(`../../../contracts/out/${contract}.json`, import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(file, "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };
  return encodeDeployData({ abi, bytecode, args: [token.name, token.symbol, token.decimals, holder, supply] });
}
