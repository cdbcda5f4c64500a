import type { SourceId } from "../../domain/source.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { SourceState } from "../../market/snapshot.ts";
import type { SourceCatalog } from "./route-view.ts";
import type { SourceRecord } from "./types.ts";

/** Every source as the API lists it, by name. Off: the market knows nothing of it yet, or the operator switched it off. */
export function listSources(
  sources: SourceCatalog,
  states: ReadonlyMap<SourceId, SourceState>,
  off: SwitchedOff,
): readonly SourceRecord[] {
  const records = [...sources.values()].map((source): SourceRecord => {
    const state = states.get(source.id);
    return {
      name: source.id,
      kind: source.kind,
      pools: state?.pools ?? 0,
      sleepingPools: state?.asleep ?? 0,
      leftOut: state?.leftOut?.() ?? [],
      status: off.source.has(source.id) ? "off" : (state?.status ?? "off"),
      blockNumber: state?.blockNumber ?? 0n,
      exactOut: source.exactOut,
      assurance: source.assurance,
    };
  });
  return records.sort((a, b) => (a.name < b.name ? -1 : 1));
}
