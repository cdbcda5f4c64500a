import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { toAddress } from "../../src/domain/address.ts";
import { readLevels } from "../../src/makers/levels-message.ts";
import { parseMakers } from "../../src/makers/makers-file.ts";
import { readOrder } from "../../src/makers/order-answer.ts";
import { Signers } from "../../src/makers/signer.ts";
import { levelsMath } from "../../src/pools/levels/math.ts";
import type { FirmOrderRequest } from "../../src/quoting/maker-ports.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { MAKER_ORDER_TYPES, makerOrderDigest } from "../../src/settlement/maker-order-digest.ts";

const page = readFileSync(new URL("../../docs/makers.md", import.meta.url), "utf8");

function example(name: string): string {
  const found = page.match(new RegExp(`<!-- (?:example|table): ${name} -->\\n\`\`\`\\w*\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (found === undefined) throw new Error(`there is no example ${name}`);
  return found.trim();
}

const { whale, maker } = devnetAccounts();
const layout = devnetLayout(whale);
const contracts = settlementContracts(layout.contracts.weth);
const question = JSON.parse(example("maker-question"));
const settlement = toAddress(question.settlement);
const takerAmount = BigInt(question.takerAmount);

describe("docs/makers.md", () => {
  it("shows levels that can be read, and a question that fits them and these contracts", () => {
    const [pair] = readLevels(JSON.parse(example("levels")), 31337);
    const paid = levelsMath.quoteExactIn(pair!.state, { sell: 0, buy: 1 }, takerAmount, 0n);
    expect(paid).toMatchObject({ amount: BigInt(JSON.parse(example("maker-answer")).order.makerAmount) });
    expect(question).toMatchObject({ chainId: 31337, trader: whale });
    expect([toAddress(question.takerToken), toAddress(question.makerToken)]).toEqual([pair?.base, pair?.quote]);
    expect([pair?.base, pair?.quote]).toEqual([layout.token("WETH").address, layout.token("USDH").address]);
    expect([question.settlement, question.taker]).toEqual([contracts.orders.address, contracts.executor.address]);
  });

  it("shows an answer that is good, and whose signature is the devnet maker's", async () => {
    const ask: FirmOrderRequest = {
      source: "Alpha",
      takerToken: question.takerToken,
      makerToken: question.makerToken,
      amount: { kind: "exactIn", takerAmount },
      level: { amount: 6_298_000_000n, spot: { num: 21n, den: 10n ** 10n } },
    };
    const { taker, trader } = question;
    const expiry = BigInt(question.expiry);
    const { order, signature } = readOrder(JSON.parse(example("maker-answer")), ask, {
      taker,
      trader,
      expiry,
      latest: expiry + 3_600n,
    });
    const digest = makerOrderDigest(order, 31337, settlement);
    expect(signature).toBe(await maker.sign?.({ hash: digest }));
    expect(new Signers().signerOf(digest, signature, [])).toBe(toAddress(maker.address));
  });

  it("shows the type that is signed", () => {
    const fields = MAKER_ORDER_TYPES.MakerOrder.map(({ name, type }) => `${type} ${name}`).join();
    expect(example("type")).toBe(`MakerOrder(${fields})`);
  });

  it("shows a file of makers that can be read", () => {
    const makers = parseMakers(example("file"), { chainId: 31_337, settlement, never: [] });
    expect(makers.map(({ name, levels }) => [name, levels?.transport])).toEqual([
      ["Alpha", "socket"],
      ["Beta_RFQ", undefined],
    ]);
  });

  it("shows makers with protocols of their own, whose published contracts settle", () => {
    const makers = parseMakers(example("protocols"), { chainId: 1, settlement, never: [] });
    expect(makers.map(({ levels, settles }) => [settles?.protocol, settles?.contract, levels?.transport])).toEqual([
      ["bebop", "0xbbbbbbb520d69a9775e85b458c58c648259fad5f", "socket"],
      ["hashflow", "0x55084ee0fef03f14a305cd24286359a35d735151", "poll"],
      ["0x", "0xdef1c0ded9bec7f1a1670819833240f027b25eff", undefined],
    ]);
  });
});
