import { withPancakeV3 } from "../pools/pancake-v3.ts";
import { testTwoConcentratedPools } from "../pools/two-concentrated.ts";

testTwoConcentratedPools("PancakeSwap V3's pools", withPancakeV3);
