import { cors } from "@connectrpc/connect";
import type { Request, Response } from "./messages.ts";

const ALLOWED_METHODS = [...cors.allowedMethods, "HEAD"].join(", ");
const ALLOWED_HEADERS = [...cors.allowedHeaders, "api-key", "x-request-id", "traceparent", "tracestate"].join(", ");
const EXPOSED_HEADERS = [
  ...[...cors.exposedHeaders, "x-request-id", "retry-after", "ratelimit", "ratelimit-policy"],
  ...["deprecation", "sunset", "link"],
].join(", ");

/** Seconds for which a browser may remember a preflight. */
const MAX_AGE = "7200";

/**
 * Lets browsers of the given origins read answers ("*" = any origin; there are no cookies to protect).
 * @returns true when the request was a preflight and has been answered
 */
export function applyCors(request: Request, response: Response, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  const any = origins.includes("*");
  if (!any) response.setHeader("vary", "origin");
  const { origin } = request.headers;
  if (origin === undefined || !(any || origins.includes(origin))) return false;
  response.setHeader("access-control-allow-origin", any ? "*" : origin);
  response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  response.statusCode = 204;
  response.setHeader("access-control-allow-methods", ALLOWED_METHODS);
  response.setHeader("access-control-allow-headers", ALLOWED_HEADERS);
  response.setHeader("access-control-max-age", MAX_AGE);
  response.end();
  return true;
}
