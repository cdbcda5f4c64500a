import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  KnownRouteSchema,
  PairRoutes as PairMessage,
  PairRoutesSchema,
  KnownRoute as RouteMessage,
} from "#gen/snapshot/v1/feed_pb.ts";
import type { Address } from "../domain/address.ts";
import type { PairRoutes, SlotRoute } from "../market/known-routes.ts";

/** More tokens than a pool has: two of their places make one number. */
const TOKENS = 256;

/** The message of a pair's routes. */
export function writePairRoutes({
  sellToken,
  buyToken,
  routes,
}: PairRoutes): MessageInitShape<typeof PairRoutesSchema> {
  return { sellToken, buyToken, routes: routes.map(writeRoute) };
}

/** @throws SyntaxError for an amount that is no number */
export function readPairRoutes({ sellToken, buyToken, routes }: PairMessage): PairRoutes {
  return { sellToken: sellToken as Address, buyToken: buyToken as Address, routes: routes.map(readRoute) };
}

function writeRoute({ sellAmount, buyAmount, uses }: SlotRoute): MessageInitShape<typeof KnownRouteSchema> {
  return {
    sellAmount: String(sellAmount),
    buyAmount: String(buyAmount),
    slots: uses.map(({ slot }) => slot),
    tokens: uses.map(({ sell, buy }) => sell * TOKENS + buy),
  };
}

function readRoute({ sellAmount, buyAmount, slots, tokens }: RouteMessage): SlotRoute {
  return {
    sellAmount: BigInt(sellAmount),
    buyAmount: BigInt(buyAmount),
    uses: slots.map((slot, i) => {
      const pair = tokens[i] ?? 0;
      return { slot, sell: Math.floor(pair / TOKENS), buy: pair % TOKENS };
    }),
  };
}
