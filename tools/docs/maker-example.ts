import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { MakerOrder } from "../../src/domain/maker-order.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { makerOrderDigest } from "../../src/settlement/maker-order-digest.ts";

/** Request to a maker of the devnet and its answer, with the current contracts: the example of docs/makers.md. */
export async function makerExample(): Promise<{ readonly question: string; readonly answer: string }> {
  const chainId = 31337;
  const { whale, maker } = devnetAccounts();
  const { token } = devnetLayout(whale);
  const { executor, orders } = settlementContracts(token("WETH").address);
  const terms = {
    taker: executor.address,
    trader: whale,
    takerToken: token("WETH").address,
    makerToken: token("USDH").address,
    takerAmount: 3_000_000_000_000_000_000n,
  };
  const { takerToken, makerToken, takerAmount, ...parties } = terms;
  const order: MakerOrder = {
    maker: toAddress(maker.address),
    ...parties,
    makerToken,
    takerToken,
    makerAmount: 6_298_000_000n,
    takerAmount,
    minTakerAmount: 1n,
    expiry: 1_749_945_720n,
    nonce: 1n,
    refillable: false,
  };
  const signature = await maker.sign?.({ hash: makerOrderDigest(order, chainId, orders.address) });
  const question = {
    type: "order",
    requestId: "7f1c2a52-5a3e-4d1b-9d3a-0f6f6a1e2b11",
    chainId,
    settlement: orders.address,
    ...terms,
    expiry: 1_749_945_690n,
  };
  return { question: block(question), answer: block({ order, signature }) };
}

/** Numbers that can be large stand as text. */
function block(value: object): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part), 2);
  return `\`\`\`json\n${text}\n\`\`\``;
}
