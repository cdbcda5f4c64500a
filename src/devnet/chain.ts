import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { oncePer } from "../domain/address.ts";
import type { AnyRecord } from "../venues/index.ts";
import { balancerV2Controllers, balancerV2Venue } from "./markets/balancer-v2.ts";
import { balancerV3BuffersVenue, balancerV3Controllers, balancerV3Venue } from "./markets/balancer-v3.ts";
import { curveVenue } from "./markets/curve.ts";
import { curveCryptoVenue } from "./markets/curve-crypto.ts";
import { wrapperVenues } from "./markets/wrappers.ts";
import { devnetAccounts } from "./node/accounts.ts";
import { DEVNET_CHAIN_ID } from "./node/anvil.ts";
import type { DevnetLayout } from "./plan/layout.ts";

/** A chain with venues that are known as such. */
interface DevnetRecord extends ChainRecord {
  readonly venues: readonly AnyRecord[];
}

/** The devnet as a chain like any other. */
export function devnetChain(layout: DevnetLayout, blockTimeMs: number): DevnetRecord {
  return { ...recordOf(layout), blockTimeMs };
}

const recordOf = oncePer((layout: DevnetLayout): Omit<DevnetRecord, "blockTimeMs"> => {
  const { contracts } = layout;
  return {
    chainId: DEVNET_CHAIN_ID,
    name: "Tributary devnet",
    native: { symbol: "ETH", name: "Ether" },
    wrappedNative: contracts.weth,
    multicall3: contracts.multicall3,
    finalityDepth: 64,
    allowedControllers: [
      ...new Set([...balancerV2Controllers(contracts.weth, devnetAccounts().whale), ...balancerV3Controllers()]),
    ],
    usdToken: layout.token("USDH").address,
    venues: [
      {
        protocol: "uniswap-v2",
        source: "Uniswap_V2",
        factory: contracts.uniswapV2Factory,
        feeNum: 3n,
        feeDen: 1_000n,
        fromBlock: 1n,
      },
      {
        protocol: "uniswap-v2",
        source: "PancakeSwap_V2",
        factory: contracts.pancakeV2Factory,
        // Pairs of PancakeSwap's first version check balance × 1000 − in × 2.
        feeNum: 2n,
        feeDen: 1_000n,
        fromBlock: 1n,
      },
      { protocol: "uniswap-v3", source: "Uniswap_V3", factory: contracts.uniswapV3Factory, fromBlock: 1n },
      { protocol: "pancakeswap-v3", source: "PancakeSwap_V3", factory: contracts.pancakeV3Factory, fromBlock: 1n },
      { protocol: "algebra", source: "Algebra", factory: contracts.algebraFactory, fromBlock: 1n },
      { protocol: "uniswap-v4", source: "Uniswap_V4", factory: contracts.poolManager, fromBlock: 1n },
      { protocol: "slipstream", source: "Slipstream", factory: contracts.slipstreamFactory, fromBlock: 1n },
      { protocol: "solidly", source: "Velodrome_V2", factory: contracts.solidlyFactory, fromBlock: 1n },
      { protocol: "liquidity-book", source: "LFJ_V2_2", factory: contracts.liquidityBookFactory, fromBlock: 1n },
      { protocol: "infinity-cl", source: "Infinity_CL", factory: contracts.clPoolManager, fromBlock: 1n },
      curveVenue(layout),
      curveCryptoVenue(layout),
      ...wrapperVenues(layout),
      balancerV2Venue(layout),
      balancerV3Venue(),
      balancerV3BuffersVenue(layout),
    ],
  };
});
