import { expect, it } from "vitest";
import { entriesAt, solvePositive } from "../../src/routing/flow/linear.ts";
import { randomOf } from "../support/universe.ts";

it("solves what floats can tell where two tokens hang on the rest by far less than on each other", () => {
  const deep = 1e20;
  const matrix = Float64Array.of(deep, -deep, 0, deep + 1);
  const x = solvePositive(matrix, Float64Array.of(deep, 1), 2, new Float64Array(2), entriesAt(2, [0], [1]));
  expect([...x]).toEqual([1, 0]);
});

it("solves where a row has few entries and elimination adds others", () => {
  const size = 40;
  const random = randomOf(3);
  const [from, to]: [number[], number[]] = [[], []];
  const whole = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    whole[i * size + i]! += 0.1;
    for (const j of [i + 1, i + 17].filter((other) => other < size)) {
      const slope = random();
      from.push(j);
      to.push(i);
      whole[i * size + i]! += slope;
      whole[j * size + j]! += slope;
      whole[i * size + j]! -= slope;
      whole[j * size + i]! -= slope;
    }
  }
  const right = Float64Array.from({ length: size }, random);
  const x = solvePositive(
    whole.map((entry, at) => (at % size < Math.floor(at / size) ? Number.NaN : entry)),
    right,
    size,
    new Float64Array(size),
    entriesAt(size, from, to),
  );
  for (let i = 0; i < size; i++) {
    const row = whole.subarray(i * size, (i + 1) * size);
    expect(row.reduce((sum, entry, j) => sum + entry * (x[j] as number), 0)).toBeCloseTo(right[i] as number, 12);
  }
});
