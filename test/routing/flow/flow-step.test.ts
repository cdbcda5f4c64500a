import { expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { FlowStep } from "../../../src/routing/flow/flow-step.ts";
import { FRESH } from "../../../src/routing/session/workspace.ts";

const SIZE = 24;
const TRUST = 3;
const LEAST = 1e-9;

/** Tokens, and edges between them of which most begin to carry at about the prices at hand, some steeply. */
function steepKinks(seed: number) {
  const { below, chance, logUniform } = createRandom(seed);
  const edges = Array.from({ length: 6 * SIZE }, () => {
    const from = below(SIZE + 1);
    const to = (from + 1 + below(SIZE)) % (SIZE + 1);
    const carried = chance(0.4) ? logUniform(1e-6, 1e2) : -logUniform(1e-9, 1e-2);
    return { from, to, carried, slope: logUniform(1e-1, 1e8) };
  });
  const gradient = Float64Array.from({ length: SIZE + 1 }, () => (chance(0.5) ? 1 : -1) * logUniform(1e-4, 10));
  return { edges, gradient };
}

type Case = ReturnType<typeof steepKinks>;

/** Growth of a dual after a step, if each edge carries what grows by its slope from where it begins to. */
function growth({ edges, gradient }: Case, step: Float64Array): number {
  const by = (node: number) => (node < SIZE ? (step[node] as number) : 0);
  let sum = 0;
  for (let node = 0; node < SIZE; node++) {
    const slope = gradient[node] as number;
    sum += 0.5 * (Math.abs(slope) / TRUST + LEAST) * by(node) ** 2 - slope * by(node);
  }
  for (const { from, to, carried, slope } of edges) {
    const lift = by(from) - by(to);
    const begins = carried > 0 ? carried / slope : carried;
    const earned = (at: number) => 0.5 * slope * Math.max(0, begins + at) ** 2;
    sum += earned(lift) - earned(0) - Math.max(0, carried) * lift;
  }
  return sum;
}

function stepOf({ edges, gradient }: Case) {
  const from = Int32Array.from(edges, (edge) => edge.from);
  const to = Int32Array.from(edges, (edge) => edge.to);
  const dual = { nodes: Array.from({ length: SIZE + 1 }, (_, node) => node), from, to };
  const carried = Float64Array.from(edges, (edge) => edge.carried);
  const slopes = Float64Array.from(edges, (edge) => edge.slope);
  const down = new FlowStep(dual, FRESH);
  down.solve({ gradient, carried, slopes }, TRUST, LEAST, 0);
  return down;
}

it("takes a step that leads down, however many edges begin to carry on the way", () => {
  for (let seed = 0; seed < 300; seed++) {
    const one = steepKinks(seed);
    const { step, promise } = stepOf(one);
    expect(growth(one, step)).toBeLessThan(0);
    expect(promise).toBeGreaterThan(-growth(one, step));
  }
});

it("moves two tokens as one that are tied to each other by far more than to the rest", () => {
  const dual = { nodes: [0, 1, 2], from: Int32Array.of(0, 1), to: Int32Array.of(1, 2) };
  const point = {
    gradient: Float64Array.of(1, 0, -1),
    carried: Float64Array.of(1, 1),
    slopes: Float64Array.of(1e28, 1),
  };
  const down = new FlowStep(dual, FRESH);
  down.solve(point, TRUST, 0, 0);
  const { step, promise } = down;
  const move = 1 / (1 + 1 / TRUST);
  expect(step[0]).toBeCloseTo(move, 12);
  expect(step[1]).toBeCloseTo(move, 12);
  expect(promise).toBeCloseTo(move, 12);
});
