import { expect, it } from "vitest";
import { createScore } from "../../src/makers/score.ts";

/** A score with a clock that the test turns. */
function scored() {
  const clock = { now: 0 };
  return { clock, score: createScore(() => clock.now) };
}

it("a maker that nothing is known of is trusted", () => {
  expect(scored().score.figures()).toEqual({ answerRate: 1, keptRate: 1, fillRate: 1, score: 1 });
});

it("rates are parts of the latest hundred", () => {
  const { score } = scored();
  for (let i = 0; i < 60; i++) score.asked("good");
  for (const outcome of ["silent", "good", "faded", "good"] as const) for (let i = 0; i < 10; i++) score.asked(outcome);
  score.simulated("filled");
  score.simulated("failed");
  expect(score.figures()).toMatchObject({ answerRate: 0.9, keptRate: 80 / 90, fillRate: 0.5 });
  expect(score.figures().score).toBeCloseTo(0.9 * (80 / 90) * 0.5);
  for (let i = 0; i < 100; i++) score.asked("good");
  expect(score.figures()).toMatchObject({ answerRate: 1, keptRate: 1 });
  expect(score.totals.get("silent")).toBe(10);
});

it("three failures in a row close it, each further one for twice as long, one good answer opens it for good", () => {
  const { clock, score } = scored();
  score.asked("silent");
  score.asked("invalid");
  score.asked("good");
  score.asked("faded");
  score.asked("unfunded");
  expect(score.open).toBe(true);
  score.asked("refused");
  expect(score.open).toBe(false);
  clock.now += 9_999;
  expect(score.open).toBe(false);
  clock.now += 1;
  expect(score.open).toBe(true);
  score.asked("silent");
  clock.now += 19_999;
  expect(score.open).toBe(false);
  clock.now += 1;
  expect(score.open).toBe(true);
  score.asked("good");
  score.asked("silent");
  expect(score.open).toBe(true);
});

it("no pause is longer than ten minutes", () => {
  const { clock, score } = scored();
  for (let i = 0; i < 30; i++) {
    score.asked("silent");
    clock.now += 10 * 60_000;
    expect(score.open).toBe(true);
  }
});

it("questions that were open when it was closed do not make the pause longer, and count all the same", () => {
  const { clock, score } = scored();
  for (let i = 0; i < 12; i++) score.asked("silent");
  score.simulated("failed");
  expect(score.totals).toEqual(
    new Map([
      ["silent", 12],
      ["failed", 1],
    ]),
  );
  clock.now += 9_999;
  expect(score.open).toBe(false);
  clock.now += 1;
  expect(score.open).toBe(true);
  for (let i = 0; i < 5; i++) score.asked("silent");
  clock.now += 20_000;
  expect(score.open).toBe(true);
});

it("a maker that is good half of the time at most is left alone after twenty questions", () => {
  const { score } = scored();
  for (let i = 0; i < 6; i++) for (const outcome of ["good", "silent", "silent"] as const) score.asked(outcome);
  expect(score.open).toBe(true);
  score.asked("good");
  score.asked("silent");
  expect(score.open).toBe(false);
});

it("orders that fail on the chain count as failures", () => {
  const { score } = scored();
  for (let i = 0; i < 3; i++) {
    score.asked("good");
    score.simulated("failed");
  }
  expect(score.figures()).toMatchObject({ answerRate: 1, keptRate: 1, fillRate: 0, score: 0 });
});
