import { expect, test } from "vitest";
import { createReadyAnswers } from "../../src/api/ready-answers.ts";

const written = (byteLength: number) => ({ text: "x".repeat(byteLength), byteLength });

test("an answer is found until the state is another one", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  const body = written(10);
  answers.place("a").put(body);
  expect(answers.place("a").answer).toBe(body);
  expect(answers.place("b").answer).toBeUndefined();
  state = {};
  expect(answers.place("a").answer).toBeUndefined();
});

test("an answer that was begun at another state is not kept", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  const place = answers.place("a");
  state = {};
  place.put(written(10));
  expect(answers.place("a").answer).toBeUndefined();
});

test("nothing is kept or found while there is no state", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  answers.place("a").put(written(10));
  state = undefined;
  expect(answers.place("a").answer).toBeUndefined();
  answers.place("b").put(written(10));
  expect(answers.place("b").answer).toBeUndefined();
});

test("the oldest answers make room for new ones", () => {
  const state = {};
  const answers = createReadyAnswers(() => state, 100);
  for (const key of ["a", "b", "c", "d"]) answers.place(key).put(written(40));
  answers.place("e").put(written(101));
  const found = ["a", "b", "c", "d", "e"].filter((key) => answers.place(key).answer !== undefined);
  expect(found).toEqual(["c", "d"]);
});
