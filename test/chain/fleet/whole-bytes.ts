import { ALL_ON } from "../../../src/domain/switches.ts";
import { differenceOf } from "../../../src/market/feed/difference.ts";
import { marketOf } from "../../../src/market/feed/feed-state.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { feedEncoder } from "../../../src/snapshot/feed-codec.ts";

/** All of a snapshot that answers are made of, in hex: block, prices, every pool in its slot, rates, how sources stand. */
export function encodeUpdateOf(snapshot: Snapshot): string {
  const state = { sequence: 1, market: marketOf(snapshot), off: ALL_ON, keptOut: new Map() };
  const terms = { chainId: snapshot.chainId, wrappedNative: snapshot.graph.hubs()[0]! };
  const parts = [...feedEncoder.encode(differenceOf(undefined, state, terms))].map((part) =>
    Buffer.from(part).toString("hex"),
  );
  const rates = [...snapshot.tokens].toSorted().map((token) => {
    const rate = snapshot.rates.perNative(token);
    return `${token} ${rate?.num}/${rate?.den}`;
  });
  const sources = [...snapshot.sources].map(([id, { pools, asleep, status, blockNumber }]) => {
    return `${id} ${pools} ${asleep} ${status} ${blockNumber}`;
  });
  return [...parts, ...rates, ...sources].join("\n");
}
