import type { Violation, ViolationReason } from "../../domain/errors/violations.ts";
import { shown } from "../rest/shorten.ts";

export { shown };

/** Takes down what is wrong with a request, so that all of it can be told at once. */
export interface Report {
  /** Returns undefined, so that a parser can report and give up in one statement. */
  add(field: string, reason: ViolationReason, description: string): undefined;
  /** Takes down that something could not be looked up. What is wrong without it is told all the same. */
  fail(error: unknown): undefined;
  readonly violations: readonly Violation[];
  /** The first thing that could not be looked up, and why. */
  readonly failure: { readonly error: unknown } | undefined;
}

export function createReport(): Report {
  const violations: Violation[] = [];
  let failure: Report["failure"];
  return {
    violations,
    get failure() {
      return failure;
    },
    fail(error) {
      failure ??= { error };
      return undefined;
    },
    add(field, reason, description) {
      violations.push({ field, reason, description });
      return undefined;
    },
  };
}
