import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { RfqFunction } from "../../../src/domain/maker-order.ts";
import { parseMakers } from "../../../src/makers/makers-file.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { outfit } from "../../promise/execute.ts";
import { RFQ_MAKER } from "../../settlement/pools/rfq-makers.ts";
import type { TestDevnet } from "../../support/worlds/devnet.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";
import { type StubVenues, startStubVenues } from "./stub-venues.ts";

export const FOREIGN_TAKER = testAccount(1);
const KEYS = { bebop: "key-of-bebop", hashflow: "key-of-hashflow", zeroEx: "key-of-0x" };

export interface ForeignWorld extends SwapWorld {
  readonly stub: StubVenues;
  readonly layout: ReturnType<typeof devnetLayout>;
  readonly contracts: Readonly<Record<RfqFunction, Address>>;
  pass(ms: number): void;
}

/** The service with the three makers of the stub, whose entries are those of docs/makers.md but for host and contract. */
export async function startForeignWorld(): Promise<ForeignWorld> {
  const layout = devnetLayout(devnetAccounts().whale);
  let elapsedMs = 0;
  let made: { readonly stub: StubVenues; readonly contracts: ForeignWorld["contracts"] } | undefined;
  const world = await startSwapWorld({
    elapsed: () => elapsedMs,
    makerDeadlineMs: 2_000,
    async makers(devnet) {
      const { wrappedNative } = devnet.chain;
      const contracts = await deployDoubles(devnet);
      const [weth, usdh] = [layout.token("WETH"), layout.token("USDH")];
      await stock(devnet, [weth.address, usdh.address], Object.values(contracts));
      const own = settlementContracts(wrappedNative);
      const parties = { executor: own.executor.address, trader: FOREIGN_TAKER };
      const stub = await startStubVenues({ base: weth, quote: usdh, parties, contracts, keys: KEYS });
      made = { stub, contracts };
      const chain = { chainId: devnet.chain.chainId, settlement: own.orders.address, never: [own.gateway.address] };
      return parseMakers(
        JSON.stringify({ makers: entries(stub.port, contracts, [weth.address, usdh.address]) }),
        chain,
      );
    },
  });
  const { stub, contracts } = made!;
  await outfit(world, [FOREIGN_TAKER]);
  await world.follow();
  await world.makers.firstLevels;
  return {
    ...world,
    ...{ stub, layout, contracts },
    pass(ms) {
      elapsedMs += ms;
    },
    async stop() {
      await world.stop();
      await stub.stop();
    },
  };
}

function entries(port: number, contracts: ForeignWorld["contracts"], pair: readonly Address[]): readonly object[] {
  const here = `http://127.0.0.1:${port}`;
  return [
    {
      name: "Bebop",
      protocol: "bebop",
      levelsUrl: `ws://127.0.0.1:${port}/bebop/pricing?format=protobuf`,
      ordersUrl: `${here}/bebop/quote?source=tributary`,
      headers: { name: "tributary", authorization: KEYS.bebop, "source-auth": KEYS.bebop },
      settlement: contracts["bebop-single"],
      allowPrivateNetwork: true,
    },
    {
      name: "Hashflow",
      protocol: "hashflow",
      levelsUrl: `${here}/hashflow/price-levels?source=tributary&baseChainType=evm&baseChainId=31337&marketMakers[]=mm1`,
      pollEveryMs: 100,
      ordersUrl: `${here}/hashflow/rfq?source=tributary`,
      headers: { authorization: KEYS.hashflow },
      settlement: contracts["hashflow-rfqt"],
      allowPrivateNetwork: true,
    },
    {
      name: "Zero",
      protocol: "0x",
      pairs: [pair],
      ordersUrl: `${here}/0x/rfqt/v2/quote`,
      headers: { "0x-api-key": KEYS.zeroEx },
      accounts: [RFQ_MAKER],
      settlement: contracts["0x-rfq"],
      allowPrivateNetwork: true,
    },
  ];
}

async function deployDoubles(devnet: TestDevnet): Promise<ForeignWorld["contracts"]> {
  const deployed: Address[] = [];
  for (const name of ["ZeroExDouble", "BebopDouble", "HashflowDouble"] as const) {
    const gas = "0x7a1200";
    const transaction = { from: devnet.whale, data: compiled(name).bytecode, gas };
    const hash = await devnet.rpc<Hex>("eth_sendTransaction", [transaction]);
    await devnet.mine();
    const receipt = await devnet.rpc<{ contractAddress: string }>("eth_getTransactionReceipt", [hash]);
    deployed.push(toAddress(receipt.contractAddress));
  }
  const [zeroEx, bebop, hashflow] = deployed as [Address, Address, Address];
  return { "0x-rfq": zeroEx, "0x-otc": zeroEx, "bebop-single": bebop, "hashflow-rfqt": hashflow };
}

async function stock(devnet: TestDevnet, tokens: readonly Address[], contracts: readonly Address[]): Promise<void> {
  const held = await devnet.balancesOf(tokens.map((token) => ({ token, account: devnet.whale })));
  await devnet.fundAll([
    { token: NATIVE_TOKEN, account: RFQ_MAKER, amount: 10n ** 19n },
    ...tokens.map((token, i) => ({ token, account: RFQ_MAKER, amount: held[i]! / 2n })),
  ]);
  for (const token of tokens) {
    for (const contract of new Set(contracts)) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [contract, maxUint256] });
      await devnet.sendTransaction(RFQ_MAKER, { to: token, data });
    }
  }
}
