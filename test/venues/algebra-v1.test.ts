import { describe } from "vitest";
import { testAlgebraV1 } from "../support/suites/algebra-v1.ts";
import { deployDirectional } from "./worlds/algebra/directional.ts";
import { deployAlgebraV1 } from "./worlds/algebra/v1.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";

describe("pools of QuickSwap V3", () => {
  testAlgebraV1(deployAlgebraV1, { seed: 310, rounds: LONG ? 120 : 3, blocks: LONG ? 400 : 20 });
});

/**
 * The double has the first version's code, which steps over its own table of every 60th tick. Reading a table of all ticks takes
 * long: fewer rounds and blocks.
 */
describe("pools with Camelot V3's interface", () => {
  testAlgebraV1(deployDirectional, { seed: 312, rounds: LONG ? 60 : 2, blocks: LONG ? 100 : 6, steppedBy: 60 });
});
