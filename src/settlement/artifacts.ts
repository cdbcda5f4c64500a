import type { Abi } from "viem";
import aquaOrders from "../../contracts/out/AquaOrders.json" with { type: "json" };
import balancerV2 from "../../contracts/out/BalancerV2.json" with { type: "json" };
import balancerV3 from "../../contracts/out/BalancerV3.json" with { type: "json" };
import curvePools from "../../contracts/out/CurvePools.json" with { type: "json" };
import erc4626Vaults from "../../contracts/out/Erc4626Vaults.json" with { type: "json" };
import executor from "../../contracts/out/Executor.json" with { type: "json" };
import fluidPools from "../../contracts/out/FluidPools.json" with { type: "json" };
import gateway from "../../contracts/out/Gateway.json" with { type: "json" };
import kuruMarkets from "../../contracts/out/KuruMarkets.json" with { type: "json" };
import liquidityBook from "../../contracts/out/LiquidityBook.json" with { type: "json" };
import makerOrders from "../../contracts/out/MakerOrders.json" with { type: "json" };
import maverickPools from "../../contracts/out/MaverickPools.json" with { type: "json" };
import orderSettlement from "../../contracts/out/OrderSettlement.json" with { type: "json" };
import paidPools from "../../contracts/out/PaidPools.json" with { type: "json" };
import propAmms from "../../contracts/out/PropAmms.json" with { type: "json" };
import rateTokens from "../../contracts/out/RateTokens.json" with { type: "json" };
import rfqOrders from "../../contracts/out/RfqOrders.json" with { type: "json" };
import stabilityModules from "../../contracts/out/StabilityModules.json" with { type: "json" };
import type { Hex } from "../domain/address.ts";
import type { PartName } from "./venue-codes.ts";

/** A compiled contract of ours, as `tools/contracts/compile-contracts.ts` writes it. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Runtime code; immutables are zero in it. */
  readonly deployedBytecode: Hex;
  /** Positions of each immutable in the runtime code, in bytes. */
  readonly immutableReferences: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >;
}

export const gatewayArtifact = gateway as unknown as Artifact;
export const executorArtifact = executor as unknown as Artifact;
export const orderSettlementArtifact = orderSettlement as unknown as Artifact;

/** The executor's parts, whose addresses it knows. */
export const partArtifacts = {
  CurvePools: curvePools,
  Erc4626Vaults: erc4626Vaults,
  MakerOrders: makerOrders,
  BalancerV2: balancerV2,
  BalancerV3: balancerV3,
  RateTokens: rateTokens,
  StabilityModules: stabilityModules,
  LiquidityBook: liquidityBook,
  PropAmms: propAmms,
  FluidPools: fluidPools,
  PaidPools: paidPools,
  RfqOrders: rfqOrders,
  AquaOrders: aquaOrders,
  MaverickPools: maverickPools,
  KuruMarkets: kuruMarkets,
} as unknown as Readonly<Record<PartName, Artifact>>;
