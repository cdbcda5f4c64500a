import { type MessageShape, toJson } from "@bufbuild/protobuf";
import { GetPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import type { WatchUpdate } from "../../client/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { readTokenBook } from "../connection/token-book.ts";
import { swapRequestOf } from "../swap-command.ts";
import { priceLine } from "../view/price-view.ts";

export async function watch(given: Invocation): Promise<ExitCode> {
  const connection = connect(given);
  const most = countOf(given.text("count"));
  const request = swapRequestOf(given, await readTokenBook(connection));
  // Without a time of its own it goes on.
  const until = given.text("timeout") === undefined ? {} : connection.call;
  let told = 0;
  for await (const update of connection.client.watch(request, until)) {
    if (given.unread?.aborted) break;
    if (update.kind === "heartbeat") continue;
    given.print(given.has("json") ? jsonLine(update) : textLine(update));
    told += 1;
    if (told === most) break;
  }
  return EXIT.ok;
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--count: ${text} is not a number of lines: give a whole number above zero`);
  return Number(text);
}

type Told = Exclude<WatchUpdate, { readonly kind: "heartbeat" }>;

function textLine(update: Told): string {
  return update.kind === "price" ? priceLine(update.price) : `no price: ${update.reason}: ${update.description}`;
}

/** One JSON document in a line for each update. */
function jsonLine(update: Told): string {
  if (update.kind === "status") return JSON.stringify({ status: update });
  const price: MessageShape<typeof GetPriceResponseSchema> = update.price;
  return JSON.stringify({ price: toJson(GetPriceResponseSchema, price, { alwaysEmitImplicit: true }) });
}
