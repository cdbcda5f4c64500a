import { describe, expect, it } from "vitest";
import { NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import { parseMakers } from "../../src/makers/makers-file.ts";

const SETTLEMENT = toAddress(`0x${"51".repeat(20)}`);
const ACCOUNT = `0x${"aa".repeat(20)}`;
const MAKER = {
  name: "Alpha",
  levelsUrl: "wss://maker.example/levels",
  ordersUrl: "https://maker.example/orders",
  accounts: [ACCOUNT],
};
const GATEWAY = toAddress(`0x${"9a".repeat(20)}`);
const CHAIN = { chainId: 1, settlement: SETTLEMENT, never: [GATEWAY] };
const parse = (...makers: object[]) => parseMakers(JSON.stringify({ makers }), CHAIN);
const { levelsUrl: _, ...rfq } = MAKER;

describe("a file of makers", () => {
  it("names each maker with all that it needs", () => {
    expect(parse(MAKER)[0]).toEqual({
      name: "Alpha",
      levels: { transport: "socket", url: new URL(MAKER.levelsUrl) },
      ordersUrl: new URL(MAKER.ordersUrl),
      accounts: [ACCOUNT],
      pairs: [],
      signers: [],
      erc1271: false,
      headers: {},
      allowPrivateNetwork: false,
    });
    const polled = parse({ ...MAKER, levelsUrl: "https://maker.example/levels" });
    expect(polled[0]?.levels).toMatchObject({ transport: "poll", everyMs: 1_000 });
    expect(parse({ ...rfq, pairs: [[ACCOUNT, SETTLEMENT]] })[0]?.levels).toBeUndefined();
    expect(parse({ ...MAKER, settlement: SETTLEMENT })).toHaveLength(1);
  });

  const wrong: readonly (readonly [string, object, RegExp])[] = [
    ["a name with spaces", { ...MAKER, name: "Al pha" }, /name must be letters/],
    ["an unknown field", { ...MAKER, levelURL: "x" }, /levelURL/],
    ["no TLS", { ...MAKER, levelsUrl: "ws://maker.example" }, /allowPrivateNetwork must be true/],
    ["no TLS for orders", { ...MAKER, ordersUrl: "http://maker.example" }, /allowPrivateNetwork must be true/],
    [
      "a URL of another kind",
      { ...MAKER, ordersUrl: "file:///etc/passwd" },
      /ordersUrl must be a URL that begins with https/,
    ],
    ["no accounts", { ...MAKER, accounts: [] }, /accounts/],
    ["neither levels nor pairs", rfq, /pairs are needed/],
    ["levels and pairs", { ...MAKER, pairs: [[ACCOUNT, SETTLEMENT]] }, /pairs are for makers without levelsUrl/],
    ["the native token as such in a pair", { ...rfq, pairs: [[ACCOUNT, NATIVE_TOKEN]] }, /pairs.0.1 .*wrapped/],
    ["a URL that goes on after a #", { ...MAKER, levelsUrl: "wss://maker.example/levels#a" }, /levelsUrl .*#/],
    ["a poll of a socket", { ...MAKER, pollEveryMs: 500 }, /pollEveryMs/],
    ["no accounts", { ...MAKER, accounts: [] }, /accounts are needed/],
    ["an unknown protocol", { ...MAKER, protocol: "native" }, /protocol/],
    [
      "signers of a contract's own",
      { ...MAKER, protocol: "bebop", signers: [ACCOUNT] },
      /leave out signers and erc1271/,
    ],
    ["levels of 0x", { ...MAKER, protocol: "0x" }, /show no levels: name their pairs/],
    [
      "a contract of ours",
      { ...MAKER, protocol: "bebop", settlement: GATEWAY },
      /is no contract of bebop: leave it out/,
    ],
    ["another settlement contract", { ...MAKER, settlement: ACCOUNT }, /orders are filled at 0x5151/],
    ["a header with a line break", { ...MAKER, headers: { authorization: "secret\r\nhost: x" } }, /headers/],
  ];
  for (const [what, maker, reason] of wrong) {
    it(`with ${what} is refused`, () => {
      expect(() => parse(maker)).toThrow(reason);
    });
  }

  it("is refused as a whole with two makers of a name, and where it is no JSON", () => {
    expect(() => parse(MAKER, { ...MAKER, name: "ALPHA" })).toThrow("two makers have the same name");
    const bebop = JSON.stringify({ makers: [{ ...MAKER, protocol: "bebop" }] });
    expect(() => parseMakers(bebop, { ...CHAIN, chainId: 7 })).toThrow("on chain 7: name it as settlement");
    expect(() => parseMakers("{", CHAIN)).toThrow("it is not JSON");
  });

  it("tells nobody its secrets when it is wrong", () => {
    const headers = { authorization: "Bearer hush\u0000" };
    let message = "";
    try {
      parse({ ...MAKER, headers });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("headers.authorization");
    expect(message).not.toContain("hush");
  });
});
