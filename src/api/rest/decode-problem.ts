/** What is wrong with one input field before anybody asked what it means. */
export interface DecodeProblem {
  readonly kind: "unknown" | "repeated" | "type";
  /** The field as the caller named it; for known fields the JSON name. */
  readonly field: string;
  /** A sentence for the caller. */
  readonly description: string;
}
