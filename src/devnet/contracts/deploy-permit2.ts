import { concat, type Hex } from "viem";
import type { Address } from "../../domain/address.ts";
import { CREATE2_DEPLOYER } from "../../settlement/create2-deployer.ts";
import { bundled } from "./bundle.ts";

/** The salt by which Permit2 was brought to its address on every chain. */
const PERMIT2_SALT = "0x0000000000000000000000000000000000000000d3af2663da51c10215000000";

/** The transaction that puts Permit2 where it stands on every chain. */
export function permit2Deployment(): { readonly to: Address; readonly data: Hex } {
  return { to: CREATE2_DEPLOYER, data: concat([PERMIT2_SALT, bundled("Permit2").bytecode]) };
}
