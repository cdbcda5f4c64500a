import type { PoolId } from "../../domain/route.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { withSample } from "../../pools/sampled-ladder/levels-of.ts";
import { readWhole } from "../reading/read-whole.ts";
import { uintAt } from "../reading/words.ts";
import type { PropAmmAction } from "./action.ts";
import { propAmmErrors } from "./errors.ts";
import { listedPairs, MAX_PAIRS, pairRef } from "./pairs.ts";
import type { PropAmmRecord } from "./record.ts";
import { askedOf, Sampling, type Views } from "./sampling.ts";
import { viewCall } from "./view-call.ts";

/** IPropAMM's own. */
const STANDARD: NonNullable<PropAmmRecord["views"]> = {
  quote: "quote(address sold, address bought, uint256 amount)",
  isActive: "isActive(address sold, address bought)",
};
/** About what the known ones take (lambdaclass/propamm-router-contracts, docs/gas_report.md), with the transfers. */
const SWAP_GAS = 150_000;

/**
 * A contract that sets its prices itself: its quotes for some amounts, read with every block, are the ladders that routes are
 * found by, and a quote asks it for the very amount.
 */
export function propAmm(record: PropAmmRecord): LiquiditySource {
  const { venue, payment, pairs } = record;
  const views = viewsOf(record);
  const sampling = new Sampling({
    ...{ source: record.source, venue, holder: record.holder, views },
    swapGas: BigInt(record.swapGas ?? SWAP_GAS),
  });
  const fixed = (pairs ?? []).slice(0, MAX_PAIRS).map(([one, other]) => pairRef(venue, one, other));
  /** Those of the record and those that were listed: one that is switched off is looked at with every block. */
  const refs = new Map<PoolId, PoolRef>(fixed.map((ref) => [ref.id, ref]));
  const refOf = ({ tokens: [one, other] }: Pool) =>
    pairRef(venue, one as PoolRef["address"], other as PoolRef["address"]);
  return {
    id: record.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    callsForeignContracts: true,
    errors: propAmmErrors,
    fixed: () => [...refs.values()],
    ...(pairs === undefined && {
      async listed(chain, known, at) {
        const listing = await listedPairs(chain, { venue, known, at });
        for (const ref of listing.pools) refs.set(ref.id, ref);
        return listing;
      },
    }),
    ...readWhole((chain, wanted, at, reportUnserved) => sampling.read(chain, wanted, at, reportUnserved), refOf),
    action: (): PropAmmAction => ({ action: "prop-amm", venue, draws: payment === "drawn" }),
    fillData: () => ({ venue }),
    ask: (pool, { sell }, sellAmount) => ({
      call: { to: venue, data: views.quote(askedOf(pool, sell, sellAmount)), isForeignCall: true },
      answered: (answer) => told(pool, { sell, sellAmount, paid: views.paid(answer) }),
    }),
  };
}

/** A pool that pays what was quoted for an amount; undefined where that is nothing, or less than its ladder says. */
function told(
  pool: Pool,
  quote: { readonly sell: number; readonly sellAmount: bigint; readonly paid: bigint | undefined },
): Pool | undefined {
  const { sell, sellAmount: sold, paid } = quote;
  if (pool.curve !== "sampled-ladder" || paid === undefined) return undefined;
  const side = sell === 0 ? "bids" : "asks";
  const levels = withSample(pool.state[side], { sold, paid });
  return levels && { ...pool, state: { ...pool.state, [side]: levels } };
}

function viewsOf({ views = STANDARD }: PropAmmRecord): Views {
  const { quote, quoteWord = 0, isActive } = views;
  return {
    quote: viewCall(quote),
    paid: (answer) => uintAt(answer ?? "0x", quoteWord, 128),
    isActive: isActive === undefined ? undefined : viewCall(isActive),
  };
}
