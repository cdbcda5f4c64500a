import { withAlgebraV1 } from "../pools/algebra-v1.ts";
import { testTwoConcentratedPools } from "../pools/two-concentrated.ts";

testTwoConcentratedPools("pools of Algebra's first version", withAlgebraV1);
