import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import { type OrderTerms, readOrder, UnusableAnswer } from "../../src/makers/order-answer.ts";
import type { FirmOrderRequest } from "../../src/quoting/maker-ports.ts";

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [GOLD, IRON, ACCOUNT, EXECUTOR, TAKER] = [1, 2, 3, 4, 5].map(address) as [never, never, never, never, never];
const TERMS: OrderTerms = { taker: EXECUTOR, trader: TAKER, expiry: 1_000n, latest: 2_000n };
const sides = { source: "Alpha", takerToken: GOLD, makerToken: IRON } as const;
const spot = { num: 2n, den: 1n };
const SOLD: FirmOrderRequest = {
  ...sides,
  amount: { kind: "exactIn", takerAmount: 100n },
  level: { amount: 200n, spot },
};
const BOUGHT: FirmOrderRequest = {
  ...sides,
  amount: { kind: "exactOut", makerAmount: 200n },
  level: { amount: 100n, spot },
};

const ORDER = {
  ...{ maker: ACCOUNT, taker: EXECUTOR, trader: TAKER, makerToken: IRON, takerToken: GOLD },
  ...{ makerAmount: "200", takerAmount: "100", minTakerAmount: "1", expiry: "1000", nonce: "0", refillable: false },
};
type Changes = Readonly<Record<string, unknown>>;
const answer = (changes: Changes = {}, signature: unknown = "0xAb") => ({ order: { ...ORDER, ...changes }, signature });

/** Why an answer is of no use; undefined where it is good. */
function fault(body: unknown, ask = SOLD): string | undefined {
  try {
    readOrder(body, ask, TERMS);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableAnswer)) throw error;
    return `${error.kind}: ${error.message}`;
  }
}

describe("a maker's answer", () => {
  it("is the order that was asked for, in numbers, with its signature in lower case", () => {
    const amounts = { makerAmount: 200n, takerAmount: 100n, minTakerAmount: 1n, expiry: 1_000n, nonce: 0n };
    expect(readOrder(answer(), SOLD, TERMS)).toEqual({ order: { ...ORDER, ...amounts }, signature: "0xab" });
    expect(fault(answer(), BOUGHT)).toBeUndefined();
  });

  it("is refused for each field that is another one than was asked for", () => {
    for (const field of ["taker", "trader", "makerToken", "takerToken"]) {
      expect(fault(answer({ [field]: address(9) }))).toBe(`invalid: ${field} is not as asked`);
    }
    expect(fault(answer({ takerAmount: "99" }))).toBe("invalid: takerAmount is not as asked");
    expect(fault(answer({ takerAmount: "101" }))).toBe("invalid: takerAmount is not as asked");
    for (const makerAmount of ["199", "201"])
      expect(fault(answer({ makerAmount }), BOUGHT)).toBe("invalid: makerAmount is not as asked");
  });

  it("lasts from what was asked for to an hour, to the second", () => {
    expect(fault(answer({ expiry: "999" }))).toBe("invalid: it expires too early");
    expect(fault(answer({ expiry: "2000" }))).toBeUndefined();
    expect(fault(answer({ expiry: "2001" }))).toBe("invalid: it expires too late");
  });

  it("is filled in parts from a half on", () => {
    expect(fault(answer({ minTakerAmount: "50" }))).toBeUndefined();
    expect(fault(answer({ minTakerAmount: "51" }))).toBe("invalid: minTakerAmount is above half of takerAmount");
    const one: FirmOrderRequest = { ...SOLD, amount: { kind: "exactIn", takerAmount: 1n } };
    expect(fault(answer({ takerAmount: "1", minTakerAmount: "1" }), one)).toBeUndefined();
  });

  it("keeps to the maker's own levels, where it has shown any", () => {
    expect(fault(answer({ makerAmount: "199" }))).toBe("faded: it gives less than its levels said");
    expect(fault(answer({ makerAmount: "201" }))).toBeUndefined();
    expect(fault(answer({ takerAmount: "101" }), BOUGHT)).toBe("faded: it takes more than its levels said");
    expect(fault(answer({ takerAmount: "99" }), BOUGHT)).toBeUndefined();
    expect(fault(answer({ makerAmount: "1" }), { ...SOLD, level: undefined })).toBeUndefined();
    expect(fault(answer({ takerAmount: "9999" }), { ...BOUGHT, level: undefined })).toBeUndefined();
  });

  it("may decline", () => {
    expect(fault(undefined)).toBe("refused: it declined");
    expect(fault({ declined: "no stock" })).toBe("refused: it declined");
  });

  it("has numbers that fit the contract, as whole decimal strings, and a signature of whole bytes, 4,096 at most", () => {
    const none = "invalid: the answer is no signed order";
    const numbers: readonly (readonly [string, readonly unknown[]])[] = [
      ["makerAmount", ["0", "-1", "1.5", "0x10", "1e3", "01", "", 200, null, String(2n ** 128n)]],
      ["takerAmount", ["0", String(2n ** 128n)]],
      ["minTakerAmount", ["0", String(2n ** 128n)]],
      ["expiry", ["0", String(2n ** 64n)]],
      ["nonce", ["-1", String(2n ** 256n)]],
      ["refillable", ["false", 0, undefined]],
      ["maker", ["0x12", 3, `${ACCOUNT}00`]],
    ];
    for (const [field, values] of numbers) {
      for (const value of values) expect(fault(answer({ [field]: value })), `${field} ${value}`).toBe(none);
    }
    expect(fault(answer({ nonce: String(2n ** 256n - 1n) }))).toBeUndefined();
    for (const signature of ["0x", "0xabc", "abcd", "0xgg", 12, undefined, `0x${"ab".repeat(4_097)}`]) {
      expect(fault({ order: ORDER, signature }), String(signature).slice(0, 9)).toBe(none);
    }
    expect(fault(answer({}, `0x${"ab".repeat(4_096)}`))).toBeUndefined();
    for (const body of [null, 1, "order", [], {}, { order: ORDER }]) expect(fault(body)).toBe(none);
  });
});
