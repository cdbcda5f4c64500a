import { expect, it } from "vitest";
import { createRandom, randomOf } from "../../../fixtures/random.ts";
import { entriesAt, solveGrounded } from "../../../src/routing/flow/linear.ts";

it("solves where a row has few entries and elimination adds others", () => {
  const size = 40;
  const random = randomOf(3);
  const [from, to]: [number[], number[]] = [[], []];
  const between = new Float64Array(size * size).fill(Number.NaN);
  const whole = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    whole[i * size + i]! += 0.1;
    for (let j = i + 1; j < size; j++) between[i * size + j] = 0;
    for (const j of [i + 1, i + 17].filter((other) => other < size)) {
      const slope = random();
      from.push(j);
      to.push(i);
      between[i * size + j] = slope;
      whole[i * size + i]! += slope;
      whole[j * size + j]! += slope;
      whole[i * size + j]! -= slope;
      whole[j * size + i]! -= slope;
    }
  }
  const right = Float64Array.from({ length: size }, random);
  const ground = new Float64Array(size).fill(0.1);
  const x = solveGrounded(between, ground, right, size, new Float64Array(size), entriesAt(size, from, to));
  for (let i = 0; i < size; i++) {
    const row = whole.subarray(i * size, (i + 1) * size);
    expect(row.reduce((sum, entry, j) => sum + entry * (x[j] as number), 0)).toBeCloseTo(right[i] as number, 12);
  }
});

it("tells what a chain's nodes answer to each other and to the ground, however steep its slopes are beside each other", () => {
  const size = 12;
  for (let seed = 0; seed < 100; seed++) {
    const { below, logUniform } = createRandom(seed);
    const chain = Array.from({ length: size }, (_, node) => node);
    for (let i = size - 1; i > 0; i--) {
      const other = below(i + 1);
      [chain[i], chain[other]] = [chain[other] as number, chain[i] as number];
    }
    const between = new Float64Array(size * size);
    const ground = new Float64Array(size);
    const right = Float64Array.from({ length: size }, () => logUniform(1e-10, 1e10));
    const expected = new Float64Array(size);
    // The flow into a node and all nodes behind it passes the slope before it.
    for (let i = 0; i < size; i++) {
      const node = chain[i] as number;
      const passing = chain.slice(i).reduce((sum, later) => sum + (right[later] as number), 0);
      const slope = logUniform(1e-10, 1e30);
      const before = chain[i - 1];
      if (before === undefined) ground[node] = slope;
      else between[Math.min(before, node) * size + Math.max(before, node)] = slope;
      expected[node] = (before === undefined ? 0 : (expected[before] as number)) + passing / slope;
    }
    const entries = entriesAt(size, chain.slice(1), chain.slice(0, -1));
    const x = solveGrounded(between, ground, right, size, new Float64Array(size), entries);
    x.forEach((potential, node) => {
      expect(potential / (expected[node] as number)).toBeCloseTo(1, 12);
    });
  }
});
