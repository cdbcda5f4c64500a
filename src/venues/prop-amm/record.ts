import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";
import { parametersOf } from "./view-call.ts";

const signature = z.string().refine((text) => parametersOf(text) !== undefined, {
  error:
    'must be a function whose parameters are named sold, bought and amount: "quote(address sold, address bought, uint256 amount)"',
});

/** View functions of a contract whose interface is another one than the public standard. */
const views = z.strictObject({
  /** Function that quotes the payment for an amount sold. */
  quote: signature,
  /** The word of its answer that tells this; the first by default. */
  quoteWord: z.int().min(0).max(15).optional(),
  /** Whether a swap would succeed now. Absent: its quotes tell. */
  isActive: signature.optional(),
});

/** One contract that sets its prices itself: IPropAMM's interface, or what `views` says. */
export const propAmmRecord = z.strictObject({
  protocol: z.literal("prop-amm"),
  ...RECORD_FIELDS,
  venue: address,
  /** `sent`: what is sold is transferred before `swap` is called, as the standard has it; `drawn`: by an allowance. */
  payment: z.enum(["sent", "drawn"]),
  /** Account from whose balances it pays: no more than these is offered. Absent: unknown. */
  holder: address.optional(),
  /** Pairs of tokens; absent: the contract lists them (`getPairs`). */
  pairs: z
    .array(z.tuple([address, address]))
    .min(1)
    .readonly()
    .optional(),
  views: views.optional(),
  /** Gas of one swap, as measured; 150,000 by default. */
  swapGas: z.int().min(21_000).max(10_000_000).optional(),
});

export type PropAmmRecord = z.infer<typeof propAmmRecord>;
