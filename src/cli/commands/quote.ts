import { toJson } from "@bufbuild/protobuf";
import { GetQuoteResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { type Command, EXIT } from "../command.ts";
import { connect } from "../connection.ts";
import { priceView, transactionView } from "../price-view.ts";
import { withProgress } from "../progress.ts";
import { SWAP_OPTIONS, SWAP_TAKES, swapRequestOf } from "../swap-command.ts";
import { readTokenBook } from "../token-book.ts";

export const quote: Command = {
  name: "quote",
  about: "Asks a running service for a price with the transaction that does exactly that.",
  takes: SWAP_TAKES,
  options: { ...SWAP_OPTIONS, "skip-validation": { about: "do not simulate the transaction" } },
  example: "quote ETH 100 USDH --taker 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  async run(given) {
    const connection = connect(given);
    const { client, call, url } = connection;
    const request = swapRequestOf(given, await readTokenBook(connection));
    const skipValidation = given.has("skip-validation");
    const answer = await withProgress(
      `waiting for ${url}`,
      given.note,
      client.quote({ ...request, skipValidation }, call),
    );
    const json = () => JSON.stringify(toJson(GetQuoteResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2);
    given.print(given.has("json") ? json() : `${priceView(answer)}\n\n${transactionView(answer)}`);
    return EXIT.ok;
  },
};
