import { encodeDeployData } from "viem";
import { toAddress } from "../../../src/domain/address.ts";
import type { EkuboRecord } from "../../../src/venues/ekubo/record.ts";
import { configWithSpacing } from "../../pools/ekubo/arbitrary-ekubo.ts";
import { deployEkubo } from "../../venues/worlds/singletons/ekubo.ts";
import type { TestDevnet } from "./devnet.ts";

const SPACING = 1_000;
/** Edge of a position over nearly all prices: so many spacings. */
const EDGE = 80_000;

/** A Core on the devnet, which has none of its own, with a pool of 100,000 or so of two tokens with 18 decimals. */
export async function ekuboOnDevnet(devnet: TestDevnet, symbols: readonly [string, string]): Promise<EkuboRecord> {
  const { rpc, mine, whale } = devnet;
  const { core, desk, create, modify } = await deployEkubo({
    ...{ rpc, mine },
    async deploy(abi, bytecode, args = []) {
      const receipt = await devnet.sendTransaction(whale, { data: encodeDeployData({ abi, bytecode, args }) });
      return toAddress(receipt.contractAddress as string);
    },
    async send(to, data) {
      const receipt = await devnet.sendTransaction(whale, { ...(to && { to }), data });
      if (!receipt.succeeded) throw new Error(`a transaction of the set-up reverted with ${receipt.revertData}`);
      return data;
    },
  });
  const tokens = symbols.map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address).sort();
  const [low, high] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
  for (const token of tokens) await devnet.approve(token, whale, desk, 2n ** 255n);
  const pool = await create([low, high], configWithSpacing(500n, SPACING), 17);
  await modify(pool, -EDGE * SPACING, EDGE * SPACING, 10n ** 23n);
  return { protocol: "ekubo", source: "Ekubo", factory: core, fromBlock: 0n, passiveExtensions: [] };
}
