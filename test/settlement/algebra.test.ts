import { withAlgebra } from "./algebra-pools.ts";
import { testTwoConcentratedPools } from "./two-concentrated-pools.ts";

testTwoConcentratedPools("Algebra's pools", withAlgebra);
