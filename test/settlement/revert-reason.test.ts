import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { executorArtifact, gatewayArtifact } from "../../src/settlement/artifacts.ts";
import { revertReader, revertReason } from "../support/worlds/revert-reason.ts";

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
    expect(revertReason(error("IIA"))).toBe("the pool was paid too little (IIA)");
    expect(revertReason(error("BAL#304"))).toBe("more is sold than a part of the pool's balance (BAL#304)");
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

  it("looks into nested errors, as deep as anybody means them", () => {
    const wrapper = parseAbi(["error WrappedError(address target, bytes4 selector, bytes reason, bytes details)"]);
    const target = `0x${"ab".repeat(20)}` as const;
    const wrapped = (reason: `0x${string}`) => {
      const args = [target, "0x12345678", reason, "0x"] as const;
      return encodeErrorResult({ abi: wrapper, errorName: "WrappedError", args });
    };
    expect(revertReason(wrapped(error("IIA")))).toBe(`the pool was paid too little (IIA), in ${target}`);
    expect(revertReason(wrapped(wrapped("0x")))).toBe(`reverted without a reason, in ${target}`);
    let deep = error("IIA");
    for (let depth = 0; depth < 12; depth++) deep = wrapped(deep);
    expect(revertReason(deep)).toMatch(/^unknown error 0x90bfb865/);
  });
});

describe("where a revert comes from", () => {
  const fills = [
    { source: "Uniswap_V2", poolId: "0x02" },
    { source: "Balancer_V2", poolId: "0xb2" },
    { source: "Curve", poolId: "0xc1" },
    { source: "Curve_Crypto", poolId: "0xc2" },
  ];

  it("is told by what only that venue says", () => {
    expect(revertReader.where(error("BAL#402"), fills)).toBe(", at Balancer_V2 (pool 0xb2)");
    expect(revertReader.where(error("UniswapV2: K"), fills)).toBe(", at Uniswap_V2 (pool 0x02)");
  });

  it("is any of several where their venues say the same, or nothing at all", () => {
    expect(revertReader.where("0x", fills)).toMatch(
      /^, at one of Curve \(pool 0xc1\), Curve_Crypto \(pool 0xc2\): perhaps one of the pool's bare asserts failed/,
    );
  });

  it("is the one pool of a route of one, and nowhere where nobody can tell", () => {
    expect(revertReader.where(error("out of luck"), fills.slice(0, 1))).toBe(", at Uniswap_V2 (pool 0x02)");
    expect(revertReader.where(error("out of luck"), fills)).toBe("");
  });
});
