import type { TokenCallParts } from "../api/calls/token-service.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { slicing, systemClock } from "../chain/rpc/clock.ts";
import { NATIVE_TOKEN } from "../domain/address.ts";
import { PERMIT2 } from "../domain/terms/typed-data.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { VERSION } from "../ops/version.ts";
import { createTokenDirectory } from "../quoting/tokens/create-token-directory.ts";
import type { ServedChain } from "../quoting/tokens/served-chain.ts";
import { TOKEN_PAGE } from "../quoting/tokens/token-directory.ts";
import { settlementContracts } from "../settlement/contracts.ts";
import type { RunningEngine } from "./engine.ts";

/** Composes the calls for token lists and the chain's description. */
export function composeListing(parts: {
  readonly config: Config;
  readonly record: ChainRecord;
  readonly engine: Pick<RunningEngine, "chain" | "deployment" | "switchedOff">;
  readonly logger: Logger;
}): TokenCallParts {
  const { config, record, engine, logger } = parts;
  const { chain, deployment, switchedOff } = engine;
  const { wrappedNative, native } = record;
  const directory = createTokenDirectory({
    market: { current: chain.market.current, onSnapshot: chain.onSnapshot },
    names: chain.tokens,
    verdicts: chain.verdicts,
    switchedOff,
    native: { address: NATIVE_TOKEN, ...native, decimals: 18 },
    wrappedNative,
    pausing: () => slicing(systemClock),
    elapsed: systemClock.elapsed,
    onDefect: (error) => logger.error({ err: error }, "counting the tokens failed"),
  });
  const { gateway, orders } = settlementContracts(wrappedNative);
  const fixed = {
    network: record,
    contracts: { gateway: gateway.address, permit2: PERMIT2, orderSettlement: orders.address },
    limits: {
      maxHops: config.MAX_HOPS,
      maxFills: config.MAX_FILLS,
      maxPageSize: TOKEN_PAGE.mostTokens,
      maxAddresses: TOKEN_PAGE.mostAddresses,
      quoteTtlSeconds: config.QUOTE_TTL_SECONDS,
    },
    version: VERSION,
  };
  const now = (): ServedChain["now"] => {
    const current = chain.market.current();
    return "unavailable" in current ? current : current.snapshot;
  };
  return { directory, chain: () => ({ ...fixed, now: now(), deployed: deployment.deployed }) };
}
