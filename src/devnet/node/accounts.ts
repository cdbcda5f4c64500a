import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { type Address, toAddress } from "../../domain/address.ts";

/** Accounts that anvil unlocks: the first three and the last. Their keys are known to all the world: for development only. */
export interface DevnetAccounts {
  /** Holds all tokens and all liquidity of the devnet. */
  readonly whale: Address;
  /** Has only native tokens; deploys what is not part of the venues. */
  readonly deployer: LocalAccount;
  /** Does the background trades. */
  readonly trader: Address;
  /** The reference maker: has the tokens that it sells, and signs its orders. */
  readonly maker: LocalAccount;
}

export function devnetAccounts(): DevnetAccounts {
  return {
    whale: toAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
    deployer: privateKeyToAccount("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"),
    trader: toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"),
    maker: privateKeyToAccount("0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6"),
  };
}
