/**
 * Settlement action of one fill: a typed action of the executor by its name, and the pool facts that the venue's codec
 * of the pool. Never a generic call.
 */
export interface VenueAction {
  readonly action: string;
}
