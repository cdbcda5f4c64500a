import type { VenueAbout } from "../venue.ts";

export const propAmmAbout: VenueAbout = {
  pools:
    "contracts with the public interface of proprietary AMMs (IPropAMM, BAP-710), or with other views that the record names: " +
    "ladders of quotes, always simulated",
  rereads: "everything: a dozen quotes per direction",
  contracts: ["DevnetPropAmm"],
  truth: "our own contract of the public interface",
  tests: [
    "test/venues/prop-amm/sampling.test.ts",
    "test/venues/prop-amm/quotes.test.ts",
    "test/venues/prop-amm/turns.test.ts",
  ],
};
