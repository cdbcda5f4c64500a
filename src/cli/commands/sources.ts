import { toJson } from "@bufbuild/protobuf";
import { ListSourcesResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { withProgress } from "../connection/progress.ts";
import { columns } from "../view/table.ts";

export async function sources(given: Invocation): Promise<ExitCode> {
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
}
