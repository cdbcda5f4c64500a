import { createRouterTransport, type Transport } from "@connectrpc/connect";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { SwapError } from "../../domain/errors/swap-error.ts";
import type { SwapCalls } from "../calls/swap-service.ts";
import { toConnectError } from "../errors/rpc-error.ts";

/** Connects a client in this process to the method that prices, with the refusals that it gives over the network. */
export function pricesInProcess(calls: Pick<SwapCalls, "getPrice">): Transport {
  return createRouterTransport(({ service }) => {
    service(SwapService, {
      async getPrice(request, { signal }) {
        try {
          return await calls.getPrice(request, { requestId: "", account: { keyId: "offline" }, problems: [], signal });
        } catch (error) {
          throw error instanceof SwapError ? toConnectError(error, "", "connect") : error;
        }
      },
    });
  });
}
