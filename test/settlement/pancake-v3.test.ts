import { withPancakeV3 } from "./pancake-v3-pools.ts";
import { testTwoConcentratedPools } from "./two-concentrated-pools.ts";

testTwoConcentratedPools("PancakeSwap V3's pools", withPancakeV3);
