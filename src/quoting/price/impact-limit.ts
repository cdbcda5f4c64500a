import { percentOf } from "../../domain/decimal.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Route } from "../../domain/route.ts";
import type { PoolGraph } from "../../routing/router.ts";
import { priceImpact } from "../answer/price-impact.ts";
import { shownOrder } from "../answer/shown-amount.ts";
import { FRACTION_ONE, type SwapRequest } from "../answer/types.ts";
import { amountField } from "../search/trade.ts";

/**
 * Holds the caller's own limit on price impact against a route. A limit cannot be held against an impact that is
 * unknown.
 * @throws SwapError PRICE_IMPACT_TOO_HIGH with both numbers.
 */
export function limitImpact(request: SwapRequest, route: Route, graph: PoolGraph): void {
  const limit = request.maxPriceImpact;
  if (limit === undefined || limit === FRACTION_ONE) return;
  const impact = priceImpact(route, graph);
  if (impact !== undefined && impact.num * FRACTION_ONE <= limit * impact.den) return;
  const allowed = `priceImpactProtectionPercentage allows ${percentOf({ num: limit, den: FRACTION_ONE })} %`;
  const size = impact === undefined ? "unknown" : `${percentOf(impact)} %`;
  const found = `the price impact of ${shownOrder(request)} is ${size}`;
  const field = amountField(request);
  const description = `${found}, ${allowed}; send a smaller ${field} or a higher limit`;
  const violation = { field, reason: "PRICE_IMPACT_TOO_HIGH", description } as const;
  throw refuse("PRICE_IMPACT_TOO_HIGH", description, { violations: [violation] });
}
