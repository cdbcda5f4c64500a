import { costOfGas } from "../../src/routing/network-cost.ts";
import type { Contestant } from "./contestants.ts";
import { costIn, type Ours } from "./ours.ts";
import { startPeer } from "./peer.ts";
import { replay } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";
import type { Spent } from "./serve.ts";
import type { PeerUniverse } from "./universe.ts";

const WARM_UP = 2;
/** Answers below this many base units are rounded too coarsely to speak of basis points. */
export const FINE_ENOUGH = 1_000_000n;

/** How a peer stands beside answers of ours. */
export interface Score {
  /** How much less than ours the peer brings, in basis points of ours; negative where it brings more. */
  readonly behind: number[];
  better: number;
  equal: number;
  worse: number;
}

/** A request in which a peer does better. */
export interface Loss {
  readonly request: PeerRequest;
  readonly ours: string;
  readonly theirs: bigint;
}

export interface Tally {
  readonly spent: Spent[];
  readonly pools: number[];
  /** Why requests were not compared. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly losses: readonly Loss[];
  /** Beside our answers on all pools, and on those alone that the peer can see. */
  readonly onAll: Score;
  readonly onSame: Score;
}

/** Asks a peer everything, as long as its time lasts. `same` is what we answer on the pools that the peer can see. */
export async function meet(
  contestant: Contestant,
  universe: PeerUniverse,
  requests: readonly PeerRequest[],
  ours: { readonly all: readonly Ours[]; readonly same: readonly Ours[] },
  limits: { readonly capMs: number; readonly budgetMs: number },
): Promise<Tally> {
  const reasons = new Map<string, number>();
  const count = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const losses: Loss[] = [];
  const [spent, touched]: [Spent[], number[]] = [[], []];
  const [onAll, onSame] = [emptyScore(), emptyScore()];
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const peer = await startPeer(contestant.file, contestant.args, universe, limits.capMs);
  try {
    for (const request of requests.slice(0, WARM_UP)) await peer.ask(request);
    const start = performance.now();
    for (const [i, request] of requests.entries()) {
      if (performance.now() - start > limits.budgetMs) {
        count("not asked, its time was up");
        continue;
      }
      const answer = await peer.ask(request);
      if (answer.kind === "timed out" || answer.kind === "failed") {
        count(answer.kind === "failed" ? `failed (${answer.reason})` : answer.kind);
        continue;
      }
      spent.push(answer.spent);
      const mine = ours.all[i] as Ours;
      if (answer.kind === "no route") {
        count(mine.value === undefined ? "no route on either side" : "no route");
        continue;
      }
      const played = replay(answer.plan, request, pools, universe.time);
      if (!played.ok) {
        count(played.why);
        continue;
      }
      touched.push(played.pools);
      const theirs = played.buyAmount - costOfGas(costIn(universe, request.gasPrice), request.buyToken, played.gas);
      if (mine.value === undefined || theirs > mine.value) losses.push({ request, ours: inWords(mine), theirs });
      if (mine.value === undefined) count("a route where we have none");
      else score(onAll, mine.value, theirs);
      const same = ours.same[i]?.value;
      if (same !== undefined) score(onSame, same, theirs);
    }
  } finally {
    await peer.stop();
  }
  return { spent, pools: touched, reasons, losses, onAll, onSame };
}

function emptyScore(): Score {
  return { behind: [], better: 0, equal: 0, worse: 0 };
}

function score(into: Score, mine: bigint, theirs: bigint): void {
  if (mine > theirs) into.better++;
  else if (mine === theirs) into.equal++;
  else into.worse++;
  if (theirs > 0n && mine > FINE_ENOUGH) into.behind.push((Number(mine - theirs) / Number(mine)) * 1e4);
}

function inWords({ result, value }: Ours): string {
  return result.found ? String(value) : result.reason.kind;
}
