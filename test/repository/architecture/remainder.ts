/** Module memory that is left: an entry leaves the list together with its code, and none is added. */
export const MODULE_MEMORY: readonly string[] = ["src/api/keys/key-copy.ts: NO_DIGEST"];

/** Facts of the wire that are left behind the door: an entry leaves the list together with its code, and none is added. */
export const WIRE_FACTS: readonly string[] = [
  "src/domain/message-of.ts: decimal text by String",
  "src/domain/token-verdict.ts: decimal text by String",
  "src/quoting/answer/decimal.ts: decimal text by formatRatio",
  "src/quoting/answer/decimal.ts: decimal text by formatScaled",
  "src/quoting/answer/decimal.ts: decimal text by toString",
  "src/quoting/answer/price-impact.ts: decimal text by formatScaled",
  "src/quoting/answer/proportions.ts: decimal text by formatScaled",
  "src/quoting/answer/shown-amount.ts: decimal text by formatScaled",
  "src/quoting/cost/data-fee.ts: size ENVELOPE_BYTES",
  "src/quoting/cost/data-fee.ts: size TOUCH_BYTES",
  "src/quoting/price/price-answer.ts: decimal text by formatScaled",
  "src/quoting/price/prices.ts: decimal text by formatRatio",
  "src/quoting/price/prices.ts: decimal text by formatScaled",
  "src/quoting/quote/wrap.ts: size WRAP_CALLDATA_BYTES",
];

/** Entries of folders above the limit: a figure may only shrink, and leaves the list at the limit. */
export const FOLDERS_ABOVE_THE_LIMIT: Readonly<Record<string, number>> = {
  "src/routing/search": 30,
  test: 21,
};

/** Lines of files above the limit: a figure may only shrink. */
export const FILES_ABOVE_THE_LIMIT: Readonly<Record<string, number>> = {
  "src/api/http/listener.ts": 305,
};

/** Lines of functions above the limit, outside the router: a figure may only shrink. */
export const LONG_FUNCTIONS: Readonly<Record<string, number>> = {
  "src/api/http/connections.ts: createConnections": 120,
  "src/api/http/listener.ts: createListener": 118,
  "src/api/request-handler.ts: createRequestHandler": 160,
  "src/api/rpc/reflection.ts: createReflection": 62,
  "src/api/rpc/rpc-service.ts: createRpcService": 78,
  "src/api/server.ts: createServer": 122,
  "src/chain/audit/audit.ts: createAudit": 131,
  "src/chain/audit/node-vote.ts: createPanel": 88,
  "src/chain/blocks/blocks.ts: createBlocks": 100,
  "src/chain/blocks/turns.ts: createTurns": 69,
  "src/chain/node/node.ts: createNode": 118,
  "src/chain/node/nodes.ts: createNodes": 141,
  "src/chain/pools/background-search.ts: startBackgroundSearch": 78,
  "src/chain/pools/pool-trials.ts: createTrials": 104,
  "src/chain/rpc/pace.ts: createRequestPace": 68,
  "src/chain/rpc/reader.ts: createChainReader": 126,
  "src/chain/simulation/simulator.ts: createSimulator": 160,
  "src/chain/tokens/token-trial.ts: createTokenTrial": 69,
  "src/chain/tokens/token-verdicts.ts: createTokenTests": 127,
  "src/cli/checks/node-checks.ts: nodeChecks": 71,
  "src/cli/commands/deploy.ts: deploy": 63,
  "src/compose/serve.ts: start": 127,
  "src/devnet/maker/reference-maker.ts: startReferenceMaker": 113,
  "src/makers/levels-feed.ts: followSocket": 82,
  "src/makers/makers.ts: createMakers": 108,
  "src/market/hop-tokens.ts: createHopTokens": 65,
  "src/market/market.ts: createMarket": 167,
  "src/market/pool-store.ts: createPoolStore": 71,
  "src/pools/concentrated/swap.ts: swap": 62,
  "src/pools/cryptoswap/curve.ts: cryptoswapCurve": 108,
  "src/pools/float/point-curve.ts: pointCurve": 94,
  "src/pools/math-at-moments.ts: mathAtMoments": 61,
  "src/pools/stableswap/changes.ts: changesAround": 65,
  "src/pools/stableswap/curve.ts: stableswapCurve": 68,
  "src/quoting/price/price-cache.ts: createPriceCache": 72,
  "src/quoting/quoting.ts: createQuoting": 130,
  "src/quoting/search/search-queue.ts: queueSearches": 86,
  "src/quoting/search/thread-turns.ts: createThreadTurns": 72,
  "src/quoting/watch/price-watches.ts: createPriceWatches": 190,
  "src/settlement/revert-reason.ts: createRevertReader": 76,
  "src/stores/sqlite/key-database.ts: openKeyDatabase": 63,
};

/** Parameters of functions that take more than four, outside the router: a figure may only shrink. */
export const WIDE_FUNCTIONS: Readonly<Record<string, number>> = {
  "src/api/http/send-events.ts: sendEvents": 5,
  "src/api/http/send.ts: sendRefusal": 5,
  "src/api/parameters/amount.ts: parseInteger": 5,
  "src/api/parameters/parse-request.ts: parseAmounts": 5,
  "src/api/parameters/sources.ts: resolve": 5,
  "src/api/rest-service.ts: placeOf": 5,
  "src/api/rpc/rpc-service.ts: readCall": 5,
  "src/chain/rpc/parsed-answer.ts: parsedAnswer": 5,
  "src/chain/rpc/range-logs.ts: verify": 5,
  "src/chain/simulation/accounts.ts: balanceAndAllowance": 5,
  "src/chain/simulation/balance-slot.ts: works": 6,
  "src/chain/simulation/balance-slot.ts: fund": 5,
  "src/chain/simulation/simulated-calls.ts: run": 5,
  "src/chain/simulation/simulated-calls.ts: without a name": 5,
  "src/devnet/markets/v3-position.ts: mintPosition": 5,
  "src/devnet/traffic/liquidity-changes.ts: liquidityChanges": 5,
  "src/devnet/traffic/liquidity-changes.ts: newPosition": 6,
  "src/devnet/traffic/swaps.ts: swaps": 6,
  "src/makers/firm-orders.ts: askMaker": 5,
  "src/makers/levels-feed.ts: followSocket": 5,
  "src/makers/levels-feed.ts: poll": 6,
  "src/market/hop-tokens.ts: heldWei": 5,
  "src/market/rates.ts: stepsFrom": 5,
  "src/market/rates.ts: stepOf": 5,
  "src/math/swap-step.ts: swapStep": 6,
  "src/pools/balancer-v3/math.ts: swapped": 6,
  "src/pools/composable-stable/invariant.ts: stableBalance": 5,
  "src/pools/concentrated/ticks.ts: withEdge": 5,
  "src/pools/constant-product/math.ts: traded": 5,
  "src/pools/float/hull.ts: cover": 5,
  "src/pools/solidly/math.ts: traded": 6,
  "src/pools/stableswap/invariant.ts: balanceAt": 7,
  "src/pools/stableswap/invariant.ts: balanceFor": 5,
  "src/pools/weighted/curve.ts: weightedShape": 5,
  "src/quoting/answer/issues.ts: findIssues": 6,
  "src/quoting/price/plan.ts: transactionOf": 5,
  "src/quoting/quote/prove.ts: run": 5,
  "src/quoting/quote/prove.ts: difference": 5,
  "src/quoting/quote/settle.ts: nextPlan": 5,
  "src/quoting/quote/wrap.ts: wrapAnswer": 5,
  "src/quoting/quoting.ts: answerOf": 5,
  "src/quoting/search/no-route.ts: describe": 5,
  "src/settlement/verify-fill.ts: readFill": 5,
  "src/venues/algebra/sync.ts: readBits": 5,
  "src/venues/balancer-v3/sync.ts: stateFrom": 5,
  "src/venues/erc4626/source.ts: syncVaults": 5,
  "src/venues/rate-token/source.ts: syncTokens": 5,
  "src/venues/uniswap-v3/heads.ts: withTicks": 5,
  "src/venues/uniswap-v3/source.ts: namedPools": 5,
  "src/venues/uniswap-v3/sync.ts: syncPools": 5,
  "src/venues/uniswap-v3/sync.ts: readHeads": 5,
  "src/venues/uniswap-v4/sync.ts: readOfEach": 5,
  "src/venues/uniswap-v4/sync.ts: readWords": 5,
};

/**
 * Interfaces and implementations that no suite holds to the same: none is added. Curves of pools are held by what makes them
 * (`test/support/suites/pool-contract.ts`); those of the router are not.
 */
export const WITHOUT_SUITE: readonly string[] = ["src/pools/pool-math.ts: PoolCurve"];
