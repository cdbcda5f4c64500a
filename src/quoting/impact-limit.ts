import type { Route } from "../domain/route.ts";
import { SwapError } from "../domain/swap-error.ts";
import type { PoolGraph } from "../routing/router.ts";
import { FRACTION_ONE, type SwapRequest } from "./answers.ts";
import { amountField } from "./deal.ts";
import { formatPercent, priceImpact } from "./price-impact.ts";

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
  const allowed = `priceImpactProtectionPercentage allows ${formatPercent({ num: limit, den: FRACTION_ONE })} %`;
  const found = impact === undefined ? "the price impact is unknown" : `the price impact is ${formatPercent(impact)} %`;
  const description = `${found}, ${allowed}; send a smaller amount or a higher limit`;
  const violation = { field: amountField(request), code: 1004, reason: "PRICE_IMPACT_TOO_HIGH", description } as const;
  throw new SwapError("PRICE_IMPACT_TOO_HIGH", description, { violations: [violation] });
}
