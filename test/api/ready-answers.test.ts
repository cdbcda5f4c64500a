import { expect, test } from "vitest";
import { createReadyAnswers } from "../../src/api/ready-answers.ts";

const bytes = (length: number) => Buffer.alloc(length);

test("an answer is found until the state is another one", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  const body = bytes(10);
  answers.place("a").put(body);
  expect(answers.place("a").bytes).toBe(body);
  expect(answers.place("b").bytes).toBeUndefined();
  state = {};
  expect(answers.place("a").bytes).toBeUndefined();
});

test("an answer that was begun at another state is not kept", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  const place = answers.place("a");
  state = {};
  place.put(bytes(10));
  expect(answers.place("a").bytes).toBeUndefined();
});

test("nothing is kept or found while there is no state", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  answers.place("a").put(bytes(10));
  state = undefined;
  expect(answers.place("a").bytes).toBeUndefined();
  answers.place("b").put(bytes(10));
  expect(answers.place("b").bytes).toBeUndefined();
});

test("the oldest answers make room for new ones", () => {
  const state = {};
  const answers = createReadyAnswers(() => state, 100);
  for (const key of ["a", "b", "c", "d"]) answers.place(key).put(bytes(40));
  answers.place("e").put(bytes(101));
  const found = ["a", "b", "c", "d", "e"].filter((key) => answers.place(key).bytes !== undefined);
  expect(found).toEqual(["c", "d"]);
});
