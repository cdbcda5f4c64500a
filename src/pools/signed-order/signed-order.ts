import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT } from "../curve/curve-gas.ts";
import { signedOrderMath } from "./math.ts";
import type { SignedOrderState } from "./state.ts";

/** Gas limit for a contract maker's check of a signature (contracts/src/OrderSettlement.sol), and the call around it. */
const ERC1271_GAS = 210_000n;

/** Room for a contract of a maker's own, whose gas nobody measured here: what its proxies, fees and checks may add. */
const FOREIGN_CONTRACT_GAS = 250_000n;

/** A maker's firm order. */
export const signedOrder = {
  math: signedOrderMath,
  gas: {
    // The token paid may be new to the maker, and is to the contract that passes it on.
    most: ({ gas }, { judgesItself, call }) =>
      gas +
      2n * NEW_SLOT +
      (judgesItself === true ? ERC1271_GAS : 0n) +
      (call === undefined ? 0n : FOREIGN_CONTRACT_GAS),
  },
  offer: "firm",
  expiry: ({ order }) => order.expiry,
} satisfies Curve<SignedOrderState>;
