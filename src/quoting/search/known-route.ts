import type { RouteResult } from "../../routing/router.ts";

type FoundRoute = Extract<RouteResult, { found: true }>;

/** A route that is known before a search over the same pools. */
export interface KnownRoute {
  readonly found: FoundRoute;
  /** Amount that it achieves, as a certificate counts it; undefined where nothing is known of that. */
  readonly achieved: bigint | undefined;
  /** Whether no search is needed: none could find more than the route's own certificate says. */
  readonly isBest: boolean;
}

/** The better of a known route and a search's result. The bound of the search holds for both. */
export function betterOf<None extends { readonly found: false }>(
  known: KnownRoute,
  searched: FoundRoute | None,
): FoundRoute | None {
  if (!searched.found) return known.found;
  const { certificate, route } = searched;
  const { achieved } = known;
  if (certificate === undefined || achieved === undefined) return searched;
  const isBetter = route.kind === "exactIn" ? achieved > certificate.achieved : achieved < certificate.achieved;
  return isBetter ? { ...known.found, certificate: { bound: certificate.bound, achieved } } : searched;
}
