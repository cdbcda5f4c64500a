import type { VenueAbout } from "../venue.ts";

export const aquaAbout: VenueAbout = {
  pools:
    "strategies of two tokens that makers have shipped for the router of version 1.0.2, with programs of these instructions alone: " +
    "constant product, price range, pegged tokens, flat fee, Aqua's protocol fee, deadline and salt. None pays more than its " +
    "maker's wallet and allowance hold. Left out: programs that ask for a token of the taker or of the transaction's sender, " +
    "hooks, other contracts' fees, decay, jumps. The contracts' licence has terms for operators who earn by them: read it, and " +
    "leave the source out by its name if they do not suit you",
  rereads: "balances and allowances of makers' wallets",
  contracts: ["DevnetAqua", "DevnetAquaRouter"],
  truth:
    "our own contracts of the published formulas; once also the makers' sources, compiled by us: version 1.0.1 with the fee of 1.0.2, 21,245 cases, all equal",
  tests: ["test/pools/aqua/exactness.test.ts", "test/venues/aqua.test.ts", "test/settlement/aqua/aqua.test.ts"],
};
