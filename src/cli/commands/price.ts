import { toJson } from "@bufbuild/protobuf";
import { GetPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { type Command, EXIT } from "../command.ts";
import { connect } from "../connection.ts";
import { priceView } from "../price-view.ts";
import { withProgress } from "../progress.ts";
import { SWAP_OPTIONS, SWAP_TAKES, swapRequestOf } from "../swap-command.ts";
import { readTokenBook } from "../token-book.ts";

export const price: Command = {
  name: "price",
  about: "Asks a running service for a price with its route.",
  takes: SWAP_TAKES,
  options: SWAP_OPTIONS,
  example: "price 1.5 ETH USDH",
  async run(given) {
    const { client, call, url } = connect(given);
    const request = swapRequestOf(given, await readTokenBook(url));
    const answer = await withProgress(`waiting for ${url}`, given.note, client.price(request, call));
    const json = () => JSON.stringify(toJson(GetPriceResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2);
    given.print(given.has("json") ? json() : priceView(answer));
    return EXIT.ok;
  },
};
