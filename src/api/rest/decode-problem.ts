/** Problem of one input field that shows before its meaning is checked. */
export interface DecodeProblem {
  readonly kind: "unknown" | "repeated" | "type";
  /** The field as the caller named it; for known fields the JSON name. */
  readonly field: string;
  /** A sentence for the caller. */
  readonly description: string;
}
