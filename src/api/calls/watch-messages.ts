import type { MessageInitShape } from "@bufbuild/protobuf";
import type { WatchPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import type { PriceUpdate } from "../../quoting/watch/price-update.ts";
import { codedViolation } from "../errors/violation-codes.ts";
import { priceResponse } from "./price-messages.ts";

/** One message of a watch as the contract spells it. */
export function watchResponse(update: PriceUpdate): MessageInitShape<typeof WatchPriceResponseSchema> {
  switch (update.kind) {
    case "price":
      return { update: { case: "price", value: priceResponse(update.answer) } };
    case "status": {
      const { reason, message, violations } = update.refusal;
      return {
        update: { case: "status", value: { reason, description: message, violations: violations.map(codedViolation) } },
      };
    }
    case "heartbeat": {
      const { block } = update;
      const value = block === undefined ? {} : { blockNumber: String(block.number), blockHash: block.hash };
      return { update: { case: "heartbeat", value } };
    }
  }
}
