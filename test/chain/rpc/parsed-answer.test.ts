import { expect, it } from "vitest";
import { parseQuantity } from "../../../src/chain/rpc/codec.ts";
import { parsedAnswer } from "../../../src/chain/rpc/parsed-answer.ts";
import { MalformedAnswerError, RpcError } from "../../../src/chain/rpc/provider-errors.ts";

/** A node that answers with each of these in turn. */
function answering(...answers: readonly unknown[]) {
  const left = [...answers];
  const request = async () => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { node: { request }, left };
}

const read = (value: unknown) => parseQuantity(value, "eth_chainId");

it("a broken answer is asked for again, twice at most", async () => {
  expect(await parsedAnswer(answering("0x", "{", "0x1").node, "eth_chainId", [], read)).toBe(1n);
  const { node, left } = answering("0x", "0x", "0x", "0x1");
  await expect(parsedAnswer(node, "eth_chainId", [], read)).rejects.toThrow(MalformedAnswerError);
  expect(left).toEqual(["0x1"]);
});

it("is asked once where one attempt is all there may be", async () => {
  const { node, left } = answering("0x", "0x1");
  await expect(parsedAnswer(node, "eth_chainId", [], read, { attempts: 1 })).rejects.toThrow(MalformedAnswerError);
  expect(left).toEqual(["0x1"]);
});

it("what the node itself refuses is its answer", async () => {
  const { node, left } = answering(new RpcError(-32601, "no such method"), "0x1");
  await expect(parsedAnswer(node, "eth_chainId", [], read)).rejects.toThrow("no such method");
  expect(left).toEqual(["0x1"]);
});
