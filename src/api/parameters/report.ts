import type { ValidationCode, Violation } from "../../domain/swap-error.ts";
import { shown } from "../rest/query.ts";

export { shown };

/** Takes down what is wrong with a request, so that all of it can be told at once. */
export interface Report {
  /** Returns undefined, so that a parser can report and give up in one statement. */
  add(field: string, code: ValidationCode, reason: string, description: string): undefined;
  readonly violations: readonly Violation[];
}

export function createReport(): Report {
  const violations: Violation[] = [];
  return {
    violations,
    add(field, code, reason, description) {
      violations.push({ field, code, reason, description });
      return undefined;
    },
  };
}
