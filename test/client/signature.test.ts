import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GetQuoteResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { messageToSign, withSignature } from "../../src/client/index.ts";

const quoteOf = (type?: string) =>
  create(GetQuoteResponseSchema, {
    ...{ to: `0x${"11".repeat(20)}`, data: "0x1234", value: "0", gas: "21000" },
    ...(type !== undefined && { permit: { type, eip712: { primaryType: "Permit" } } }),
  });
const word = (value: string) => value.padStart(64, "0");

describe("withSignature", () => {
  it("puts length and bytes in whole words behind the calldata, with v as contracts take it", () => {
    for (const [v, written] of [
      ["00", "1b"],
      ["01", "1c"],
      ["1c", "1c"],
    ]) {
      const { data } = withSignature(quoteOf("EIP2612"), `0x${"ab".repeat(64)}${v}`);
      expect(data).toBe(`0x1234${word("41")}${"ab".repeat(64)}${written}${"00".repeat(31)}`);
    }
  });

  it("takes whatever a smart wallet signs for Permit2, and 65 bytes for a permit", () => {
    expect(withSignature(quoteOf("Permit2"), "0x0001").data).toBe(`0x1234${word("2")}0001${"00".repeat(30)}`);
    expect(() => withSignature(quoteOf("EIP2612"), "0x0001")).toThrow("65 bytes, not 2");
  });

  it("refuses what is no signature, and a quote that waits for none", () => {
    for (const bad of ["", "0x", "0x1", "hello"]) {
      expect(() => withSignature(quoteOf("Permit2"), bad)).toThrow("not hex");
    }
    expect(() => withSignature(quoteOf(), "0x01")).toThrow("waits for no signature");
    expect(messageToSign(quoteOf())).toBeUndefined();
    expect(messageToSign(quoteOf("Permit2"))).toEqual({ primaryType: "Permit" });
  });
});
