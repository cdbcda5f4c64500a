import { expect, test } from "vitest";
import { createReadyAnswers } from "../../src/api/ready-answers.ts";

const written = (byteLength: number) => ({ text: "x".repeat(byteLength), byteLength });

/** Makes an answer as often as it takes to be kept. */
function putTwice(answers: ReturnType<typeof createReadyAnswers>, key: string, byteLength: number): void {
  for (let i = 0; i < 2; i += 1) answers.place(key).put(written(byteLength));
}

test("an answer is kept from the second time on that it is made", () => {
  const state = {};
  const answers = createReadyAnswers(() => state, 100);
  const [first, second, third] = [written(10), written(10), written(10)];
  answers.place("a").put(first);
  expect(answers.place("a").answer).toBeUndefined();
  answers.place("a").put(second);
  expect(answers.place("a").answer).toBe(second);
  answers.place("a").put(third);
  expect(answers.place("a").answer).toBe(second);
});

test("an answer is found until the state is another one", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  putTwice(answers, "a", 10);
  expect(answers.place("a").answer).toEqual(written(10));
  expect(answers.place("b").answer).toBeUndefined();
  state = {};
  expect(answers.place("a").answer).toBeUndefined();
});

test("an answer that was begun at another state is not kept", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  answers.place("a").put(written(10));
  const place = answers.place("a");
  state = {};
  place.put(written(10));
  answers.place("a").put(written(10));
  expect(answers.place("a").answer).toBeUndefined();
});

test("nothing is kept or found while there is no state", () => {
  let state: object | undefined = {};
  const answers = createReadyAnswers(() => state, 100);
  putTwice(answers, "a", 10);
  state = undefined;
  expect(answers.place("a").answer).toBeUndefined();
  putTwice(answers, "b", 10);
  expect(answers.place("b").answer).toBeUndefined();
});

test("the oldest answers make room for new ones", () => {
  const state = {};
  const answers = createReadyAnswers(() => state, 100);
  for (const key of ["a", "b", "c", "d"]) putTwice(answers, key, 40);
  putTwice(answers, "e", 101);
  const found = ["a", "b", "c", "d", "e"].filter((key) => answers.place(key).answer !== undefined);
  expect(found).toEqual(["c", "d"]);
});
