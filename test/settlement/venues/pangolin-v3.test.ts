import { withPangolinV3 } from "../pools/pangolin-v3.ts";
import { testTwoConcentratedPools } from "../pools/two-concentrated.ts";

testTwoConcentratedPools("Pangolin V3's pools", withPangolinV3);
