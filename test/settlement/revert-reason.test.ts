import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { executorArtifact, gatewayArtifact } from "../../src/settlement/artifacts.ts";
import { revertReason } from "../../src/settlement/revert-reason.ts";

const solidity = parseAbi(["error Error(string)", "error Panic(uint256)"]);
const error = (text: string) => encodeErrorResult({ abi: solidity, errorName: "Error", args: [text] });

describe("revertReason", () => {
  it("names our own errors with their numbers", () => {
    const data = encodeErrorResult({ abi: gatewayArtifact.abi, errorName: "InsufficientOutput", args: [5n, 3n] });
    expect(revertReason(data)).toBe("InsufficientOutput(5, 3)");
  });

  it("knows every error that our contracts declare", () => {
    const errors = [...gatewayArtifact.abi, ...executorArtifact.abi].filter(({ type }) => type === "error");
    expect(errors.length).toBeGreaterThan(20);
    for (const item of errors) {
      if (item.type !== "error") continue;
      const args = item.inputs.map(({ type }) => (type === "address" ? `0x${"ab".repeat(20)}` : 7n));
      const data = encodeErrorResult({ abi: [item], errorName: item.name, args });
      expect(revertReason(data)).toMatch(new RegExp(`^${item.name}\\(`));
    }
  });

  it("puts what pools say into words", () => {
    expect(revertReason(error("UniswapV2: K"))).toContain("paid too little");
    expect(revertReason(error("IIA"))).toContain("V3 pool");
    expect(revertReason(error("constructor"))).toBe("constructor");
  });

  it("passes on a stranger's text as one short printable line", () => {
    expect(revertReason(error("no\n\u202esuch luck"))).toBe("no such luck");
    expect(revertReason(error("x".repeat(999))).length).toBeLessThan(210);
    expect(revertReason(error(""))).toBe("reverted with an empty reason");
  });

  it("never throws", () => {
    expect(revertReason("0x")).toBe("reverted without a reason");
    expect(revertReason(encodeErrorResult({ abi: solidity, errorName: "Panic", args: [17n] }))).toContain("range");
    expect(revertReason("0x08c379a0ff")).toContain("unknown error 0x08c379a0ff");
    expect(revertReason("0x12345678")).toContain("unknown error");
  });
});
