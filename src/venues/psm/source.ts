import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { PsmAction } from "./action.ts";
import { psmErrors } from "./errors.ts";
import type { PsmRecord } from "./record.ts";

const BALANCE_OF = toFunctionSelector("balanceOf(address)");
/** In the order in which their answers are read. */
const FIGURES = ["dai()", "gem()", "pocket()", "tin()", "tout()", "to18ConversionFactor()"].map((signature) =>
  toFunctionSelector(signature),
);
/** As a fee: nobody may trade in this direction. */
const HALTED = MAX_UINT256;

/**
 * Price stability modules of the record with DssLitePsm's interface. What they hold moves by transfers and fees by votes,
 * so that all of a module is read again for every block.
 */
export function psm(venue: PsmRecord): LiquiditySource {
  const refs = venue.modules.map(({ psm, dai, gem }) => refAt(psm, [dai, gem]));
  return {
    id: venue.source,
    kind: "wrapper",
    // Only where the gem has as many decimals as the stablecoin, which those in use have not.
    exactOut: false,
    assurance: "modelled",
    errors: psmErrors,
    ...listedAndReadWhole(refs, (chain, wanted, at) => syncModules(venue, chain, wanted, at)),
    action: (pool): PsmAction => ({ action: "psm", psm: addressOf(pool), gem: pool.tokens[1] as Address }),
    fillData: (pool) => ({ psm: pool.id, dai: pool.tokens[0] as Address, gem: pool.tokens[1] as Address }),
  };
}

async function syncModules(
  venue: PsmRecord,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = refs.map(({ address: to, tokens: [dai] }): readonly Call[] => [
    ...FIGURES.map((data) => ({ to, data })),
    { to: dai as Address, data: `${BALANCE_OF}${wordOf(BigInt(to))}` },
  ]);
  const answers = await callGroups(chain, calls, at);
  const found = refs.map((ref, index) => {
    const words = answers[index] ?? [];
    const [dai, gem, pocket] = words.map((word) => (word === undefined ? undefined : addressAt(word, 0)));
    const [tin, tout, to18, held] = words.slice(3).map((word) => (word === undefined ? undefined : uintAt(word, 0)));
    return { ref, dai, gem, pocket, tin, tout, to18, held };
  });
  const pockets = await chain.calls(
    found.map(({ ref, pocket }) => ({
      to: ref.tokens[1] as Address,
      data: `${BALANCE_OF}${wordOf(BigInt(pocket ?? ref.address))}`,
    })),
    at,
  );
  return found.flatMap(({ ref, dai, gem, pocket, tin, tout, to18, held }, index): Pool[] => {
    const gems = pockets[index] === undefined ? undefined : uintAt(pockets[index], 0);
    if (dai !== ref.tokens[0] || gem !== ref.tokens[1] || pocket === undefined) return [];
    if (tin === undefined || tout === undefined || !to18 || held === undefined || gems === undefined) return [];
    const state = {
      ...{ dai: held, gem: gems, to18 },
      ...(tin !== HALTED && { tin }),
      ...(tout !== HALTED && { tout }),
    };
    return [{ id: ref.id, source: venue.source, tokens: ref.tokens, curve: "psm", state }];
  });
}
