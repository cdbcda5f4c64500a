import type { VenueAbout } from "../venue.ts";

export const algebraV1About: VenueAbout = {
  pools:
    "Algebra v1 and v1.9 (QuickSwap V3, Camelot V3): concentrated liquidity, a fee by past prices, one for each direction",
  rereads: "fees",
  contracts: ["AlgebraV1Pool", "AlgebraV1DataStorageOperator", "DirectionalPool"],
  truth:
    "of v1 the makers' bytecode, whose hash is QuickSwap's (keccak256 0x6ec6c9c8…b294a4), with a quoter of ours; of v1.9 that bytecode behind a contract of ours with two fees; its makers' own pools and quoter where their contracts are given",
  tests: ["test/venues/algebra-v1.test.ts", "test/venues/algebra-v1.foreign.ts"],
};
