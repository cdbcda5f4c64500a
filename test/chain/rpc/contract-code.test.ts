import { concat, type Hex, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { codeFaults, sourcesWithCode } from "../../../src/chain/node/node-check.ts";
import { codeFault } from "../../../src/chain/rpc/reader.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";

const runtimeOf = (name: string) => (compiled(name) as unknown as { readonly deployedBytecode: Hex }).deployedBytecode;
const faultOf = (code: Hex) => codeFault(code, keccak256(code));

describe("runtime code", () => {
  it("is what it is named if it has the hash and runs nothing else, as solc compiles it", () => {
    for (const name of [
      "DevnetOtherFeeHooks",
      "DevnetCurrencyFeeHooks",
      "DevnetLiquidityFeeHooks",
      "DevnetWatchingHooks",
    ])
      expect(faultOf(runtimeOf(name)), name).toBeUndefined();
  });

  it("is refused with what was found", () => {
    const code = runtimeOf("DevnetWatchingHooks");
    const other = keccak256("0x12");
    expect(codeFault(code, other)).toBe(`its code hash is ${keccak256(code)}, not ${other}`);
    expect(codeFault("0x", keccak256("0x"))).toBe("there is no contract");
  });

  it("of a proxy is never trusted, even by its hash", () => {
    const minimal: Hex = `0x363d3d373d3d3d363d73${"12".repeat(20)}5af43d82803e903d91602b57fd5bf3`;
    expect(faultOf(minimal)).toContain("DELEGATECALL");
    expect(faultOf("0x600060006000f2")).toContain("CALLCODE");
    expect(faultOf("0x33ff")).toContain("SELFDESTRUCT");
  });

  it("may have such bytes as data of a PUSH, or where nothing comes to", () => {
    expect(faultOf("0x60f461f2ff00")).toBeUndefined();
    for (const end of ["00", "56", "f3", "fd", "fe"]) expect(faultOf(`0x5f${end}f4f2ff`), end).toBeUndefined();
    expect(faultOf(concat(["0xfe", "0xa264f4f2ff", "0x0005"]))).toBeUndefined();
    expect(faultOf(concat(["0xf4", "0xa26400f2ff", "0x0005"]))).toContain("DELEGATECALL");
  });

  it("is refused if a jump may come to such a byte, in what looks like metadata too", () => {
    expect(faultOf("0x600356f4")).toBeUndefined();
    expect(faultOf("0x6003565bf4")).toContain("DELEGATECALL");
    expect(faultOf("0x5f57f4")).toContain("DELEGATECALL");
    // PUSH1 6, JUMP, STOP, and a CBOR map with its length behind it: the jump leads into the map.
    expect(faultOf("0x60065600a1415bf40004")).toContain("DELEGATECALL");
    // A JUMPDEST that is data of a PUSH is none.
    expect(faultOf("0x6003565f5660605b00f4")).toBeUndefined();
  });

  it("is refused if the account runs another one's code", () => {
    expect(faultOf(`0xef0100${"12".repeat(20)}`)).toContain("delegation");
  });
});

describe("a source that names code", () => {
  const at = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n } as const;
  const [plain, named] = [
    sourceNamed("Plain"),
    { ...sourceNamed("Named"), code: [{ address: addressOf(1), hash: keccak256("0x12") }] },
  ];
  const reader = (fault: string | undefined) => ({
    hasCode: async (_address: Address) => true,
    codeFault: async () => fault,
  });

  it("is off where the code is another, and says what was found", async () => {
    const warnings: unknown[] = [];
    const logger = { warn: (fields: object) => warnings.push(fields) } as never;
    expect(await sourcesWithCode(reader(undefined), [plain, named], at, logger)).toEqual([plain, named]);
    expect(warnings).toEqual([]);
    expect(await sourcesWithCode(reader("its code hash is 0x34"), [plain, named], at, logger)).toEqual([plain]);
    expect(warnings).toEqual([{ source: "Named", faults: [`${addressOf(1)}: its code hash is 0x34`] }]);
    expect(await codeFaults(reader("x"), plain, at)).toEqual([]);
  });
});

function sourceNamed(id: string): LiquiditySource {
  return { id } as LiquiditySource;
}

function addressOf(n: number): Address {
  return toAddress(`0x${String(n).repeat(40)}`);
}
