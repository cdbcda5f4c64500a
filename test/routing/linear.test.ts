import { expect, it } from "vitest";
import { solvePositive } from "../../src/routing/flow/linear.ts";

it("solves what floats can tell where two tokens hang on the rest by far less than on each other", () => {
  const deep = 1e20;
  const matrix = Float64Array.of(deep, 0, -deep, deep + 1);
  const x = solvePositive(matrix, Float64Array.of(deep, 1), 2, new Float64Array(2), new Int32Array(2));
  expect([...x]).toEqual([1, 0]);
});
