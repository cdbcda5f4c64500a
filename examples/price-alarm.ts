/**
 * A bot on WatchPrice: says when 1 ETH pays at least so many USDH, and ends. It lives through restarts of the service.
 *
 *   TRIBUTARY_API_KEY=… npm exec -- node examples/price-alarm.ts 2000
 */
import { createGrpcTransport } from "../src/client/grpc-transport.ts";
import { createSwapClient, NATIVE_TOKEN, toBaseUnits, toDecimal, withRetries } from "../src/client/index.ts";

const { TRIBUTARY_URL = "http://127.0.0.1:8080", TRIBUTARY_API_KEY = "" } = process.env;

// A call is made again, and a stream opened again, where that may help.
const tributary = withRetries(
  createSwapClient({ transport: createGrpcTransport(TRIBUTARY_URL), apiKey: TRIBUTARY_API_KEY }),
);
const { tokens } = await tributary.tokens({ search: "USDH" });
const token = tokens.find(({ symbol }) => symbol === "USDH");
if (token?.decimals === undefined) throw new Error("the service does not trade USDH");
const { address, decimals } = token;
const least = toBaseUnits(process.argv[2] ?? "", decimals);
if (least === undefined) throw new Error("say how many USDH 1 ETH has to pay, such as 2000");

for await (const update of tributary.watch({ sellToken: NATIVE_TOKEN, buyToken: address, sellAmount: 10n ** 18n })) {
  // There is no price for now, or the service is not reached: one follows as soon as there is.
  if (update.kind === "status") console.log(`no price: ${update.description}`);
  if (update.kind !== "price") continue;
  const { buyAmount, blockNumber } = update.price;
  const isGood = BigInt(buyAmount) >= least;
  console.log(`block ${blockNumber}: ${toDecimal(BigInt(buyAmount), decimals)} USDH${isGood ? ", sell!" : ""}`);
  if (isGood) break;
}
process.exit(0);
