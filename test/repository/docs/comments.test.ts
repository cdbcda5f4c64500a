import { describe, expect, it } from "vitest";
import { readComments } from "../../../tools/docs/comments.ts";

const complaints = (text: string) => readComments("src/layer/a.ts", text);

describe("comments", () => {
  it.each([
    ["a docstring", "/** What a block does. */\nexport const a = 1;"],
    ["a docstring of several lines", "/**\n * Where pools sleep.\n * They wake.\n */\nexport const a = 1;"],
    ["a line", "// Who waits is served.\nexport const a = 1;"],
    ["a line behind code", "export const a = 1; // Of a pool."],
    ["a docstring with another name for the thing", "/** The same, sorted. */\nexport const a = 1;"],
  ])("open with no clause in the place of a noun: %s", (_form, text) => {
    expect(complaints(text)).toHaveLength(1);
  });

  it.each([
    ["a noun", "/** Changes that one block makes. */\nexport const a = 1;"],
    ["a verb", "/** Reads what a block changed. */\nexport const a = 1;"],
    ["a word that begins alike", "/** Offers of makers. */\nexport const a = 1;"],
    ["the second line of a comment", "// Nobody knows it.\n// That is why it waits.\nexport const a = 1;"],
    ["text that is no comment", 'export const a = "/** What a block does. */";'],
  ])("may open with %s", (_form, text) => {
    expect(complaints(text)).toEqual([]);
  });
});
