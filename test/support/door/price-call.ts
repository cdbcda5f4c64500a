import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";

/** A price that the fake gives, as every protocol is asked for it. */
export const REQUEST = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };
/** Its path and query over REST. */
export const PRICE = `/swap/v1/price?${new URLSearchParams(REQUEST)}`;
/** The call's path over Connect and gRPC. */
export const RPC = "/swap.v1.SwapService/GetPrice";
/** The headers of HTTP/2 that begin it over gRPC; the key is not among them. */
export const GRPC = { ":method": "POST", ":path": RPC, "content-type": "application/grpc", te: "trailers" };
