import { withAlgebra } from "../pools/algebra.ts";
import { testTwoConcentratedPools } from "../pools/two-concentrated.ts";

testTwoConcentratedPools("Algebra's pools", withAlgebra);
