import { randomUUID } from "node:crypto";

/** Form of a caller's own id: short, and harmless in a log. */
const ACCEPTABLE = /^[A-Za-z0-9._~-]{1,64}$/;

/** The caller's id for this request if it sent a usable one, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && ACCEPTABLE.test(header) ? header : randomUUID();
}
