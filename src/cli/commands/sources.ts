import { toJson } from "@bufbuild/protobuf";
import { ListSourcesResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { type Command, EXIT } from "../command.ts";
import { CONNECTION_OPTIONS, connect } from "../connection.ts";
import { withProgress } from "../progress.ts";
import { columns } from "../table.ts";

export const sources: Command = {
  name: "sources",
  about: "Lists the liquidity that is live, and how fresh it is.",
  takes: "",
  options: CONNECTION_OPTIONS,
  example: "sources",
  async run(given) {
    const { client, call, url } = connect(given);
    const answer = await withProgress(`waiting for ${url}`, given.note, client.sources(call));
    if (given.has("json")) {
      given.print(JSON.stringify(toJson(ListSourcesResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2));
      return EXIT.ok;
    }
    const rows = answer.sources.map((it) => [
      ...[it.name, it.kind, it.pools, it.sleepingPools, it.status, it.blockNumber],
      ...[it.exactOut ? "yes" : "no", it.assurance],
    ]);
    const head = ["source", "kind", "pools", "asleep", "status", "block", "exact-out", "maths"];
    given.print(columns([head, ...rows], [2, 3, 5]).join("\n"));
    return EXIT.ok;
  },
};
