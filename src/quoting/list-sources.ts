import type { SourceId } from "../domain/source.ts";
import type { SourceState } from "../market/snapshot.ts";
import type { SourceRecord } from "./answers.ts";
import type { SourceCatalog } from "./route-view.ts";

/** Every source as the API lists it, by name. One that the market knows nothing of yet is off. */
export function listSources(
  sources: SourceCatalog,
  states: ReadonlyMap<SourceId, SourceState>,
): readonly SourceRecord[] {
  const records = [...sources.values()].map((source): SourceRecord => {
    const state = states.get(source.id);
    return {
      name: source.id,
      kind: source.kind,
      pools: state?.pools ?? 0,
      status: state?.status ?? "off",
      blockNumber: state?.blockNumber ?? 0n,
      exactOut: source.exactOut,
      assurance: source.assurance,
    };
  });
  return records.sort((a, b) => (a.name < b.name ? -1 : 1));
}
