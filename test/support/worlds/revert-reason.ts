import { devnetChain } from "../../../src/devnet/chain.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { createRevertReader } from "../../../src/settlement/revert-reason.ts";
import { createSources } from "../../../src/venues/index.ts";

/** Reads reverts of all venues that stand in the devnet. */
export const revertReader = createRevertReader(createSources(devnetChain(devnetLayout(devnetAccounts().whale), 0)));

/** Explains revert data in words, as the service does. */
export const revertReason = revertReader.reason;
