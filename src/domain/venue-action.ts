/**
 * How settlement trades one fill: a typed action of the executor by its name, and what the venue's own codec has to know
 * of the pool. Never a generic call.
 */
export interface VenueAction {
  readonly action: string;
}
