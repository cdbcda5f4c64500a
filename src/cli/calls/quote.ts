import { toJson } from "@bufbuild/protobuf";
import { GetQuoteResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { withProgress } from "../connection/progress.ts";
import { readTokenBook } from "../connection/token-book.ts";
import { swapRequestOf } from "../swap-command.ts";
import { priceView, transactionView } from "../view/price-view.ts";

export async function quote(given: Invocation): Promise<ExitCode> {
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
}
