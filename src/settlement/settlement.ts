import { size } from "viem";
import type { Address } from "../domain/address.ts";
import { fillsOf } from "../domain/route.ts";
import { PERMIT2 } from "../domain/terms/typed-data.ts";
import type { Settlement } from "../quoting/ports.ts";
import { type ActionCodec, encodersByAction, verifiersByCode } from "./action-codec.ts";
import { transactionBytes, USUAL_USE, usualCalldataBytes } from "./calldata-size.ts";
import { settlementContracts } from "./contracts.ts";
import { encodeSwap } from "./encode.ts";
import { swapGas, unseenGas } from "./gas.ts";
import { gasLimit } from "./gas-limit.ts";
import { messageToSign } from "./permits.ts";
import type { RevertReader } from "./revert-reason.ts";
import { verifySwap } from "./verify.ts";

/** Our own contracts as a settlement: the gateway that takers approve, the executor that runs routes, and what fills makers' orders. */
export function createSettlement(chain: {
  /** The chain's wrapped native token, which the executor is built for. */
  readonly wrappedNative: Address;
  /** Codec of each venue's actions. */
  readonly codecs: readonly ActionCodec[];
  /** Last result of `isDeployed`; undefined before the first. */
  readonly deployed: boolean | undefined;
  /** Reads reverts, where simulations are to be explained. */
  readonly reverts?: RevertReader;
}): Settlement {
  const contracts = settlementContracts(chain.wrappedNative);
  const gateway = contracts.gateway.address;
  const executor = contracts.executor.address;
  const orders = contracts.orders.address;
  const { wrappedNative, codecs } = chain;
  const encoders = encodersByAction(codecs);
  const ofVenues = codecs.map(({ encoder }) => encoder);
  const expected = { gateway, executor, orders, wrappedNative, verifiers: verifiersByCode(codecs) };
  return {
    allowanceTarget: gateway,
    permit2: PERMIT2,
    contracts: [gateway, executor, orders, ...contracts.parts.map(({ address }) => address)],
    get deployed() {
      return chain.deployed;
    },
    encode: (route, terms, action) => encodeSwap({ contracts, encoders }, route, terms, action),
    verify: (transaction, route, terms, action) =>
      verifySwap(action === undefined ? expected : { ...expected, action }, transaction, route, terms),
    messageToSign: ({ data }, terms, chainId, domain) =>
      messageToSign({ chainId: BigInt(chainId), gateway }, data, terms, domain),
    revertLocation: (data, route) => chain.reverts?.where(data, fillsOf(route)) ?? "",
    gas: swapGas,
    gasLimit,
    unseenGas,
    usualUse: USUAL_USE,
    transactionBytes: (data) => transactionBytes(size(data)),
    usualTransactionBytes: (route, fills, poolOf) =>
      transactionBytes(usualCalldataBytes(ofVenues, route, fills, poolOf)),
  };
}
