import { gasIn } from "../../../fixtures/universes/gas-cost.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { PlanAnswer, Spent } from "../routers/serve.ts";
import type { Contestant } from "./contestants.ts";
import type { Ours } from "./ours.ts";
import { startPeer } from "./peer.ts";
import { type Outside, replay } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";

/** Answers below this many base units are rounded too coarsely to speak of basis points. */
export const FINE_ENOUGH = 1_000_000n;

/** Score of a peer against our answers. */
export interface Score {
  /** Shortfalls of the peer in basis points of our answer; negative if it brings more. */
  readonly behind: number[];
  better: number;
  equal: number;
  worse: number;
}

/** A request in which a peer's plan pays more than ours, or one that cannot be counted. Amounts are net of gas. */
export interface Case {
  readonly by: string;
  readonly request: PeerRequest;
  /** In words where we have no route. */
  readonly ours: bigint | string;
  readonly theirs: bigint;
  readonly outside?: Outside;
}

export interface Tally {
  readonly contestant: Contestant;
  readonly spent: readonly Spent[];
  readonly pools: readonly number[];
  /** Why requests were not compared. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly losses: readonly Case[];
  readonly outside: readonly Case[];
  /** Beside our answers on all pools, and on those alone that the peer can see, where these are not all. */
  readonly onAll: Score;
  readonly onSame: Score | undefined;
}

/** Asks a peer everything, as long as its processor time lasts. `same` is what we answer on the pools that it can see. */
export async function meet(
  contestant: Contestant,
  universe: PeerUniverse,
  asked: { readonly warmUp: readonly PeerRequest[]; readonly requests: readonly PeerRequest[] },
  ours: { readonly all: readonly Ours[]; readonly same: readonly Ours[] | undefined },
  limits: { readonly capMs: number; readonly budgetMs: number },
): Promise<Tally> {
  const reasons = new Map<string, number>();
  const count = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const [losses, outside]: [Case[], Case[]] = [[], []];
  const [spent, used]: [Spent[], number[]] = [[], []];
  const onAll = emptyScore();
  const onSame = ours.same === undefined ? undefined : emptyScore();
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const peer = await startPeer<PlanAnswer>(contestant.file, contestant.args, universe, limits.capMs);
  let left = limits.budgetMs;
  const ask = async (request: PeerRequest) => {
    const answer = await peer.ask(request);
    left -= answer.kind === "answered" ? answer.answer.spent.cpu : answer.kind === "ended" ? limits.capMs : 0;
    return answer;
  };
  try {
    for (const request of asked.warmUp) if (left > limits.budgetMs / 2) await ask(request);
    for (const [i, request] of asked.requests.entries()) {
      if (left <= 0) {
        count("not asked, its time was up");
        continue;
      }
      const answer = await ask(request);
      if (answer.kind !== "answered") {
        count(answer.kind === "failed" ? `failed (${answer.reason})` : "not finished in its time");
        continue;
      }
      const { plan } = answer.answer;
      spent.push(answer.answer.spent);
      const mine = ours.all[i] as Ours;
      if (plan === undefined) {
        count(mine.value === undefined ? "no route on either side" : "no route");
        continue;
      }
      const played = replay(plan, request, pools, universe.time);
      if (!played.ok) {
        count(played.why);
        continue;
      }
      const theirs = played.buyAmount - gasIn(universe, request, played.gas);
      const found: Case = { by: contestant.name, request, ours: mine.value ?? whyNone(mine), theirs };
      if (played.outside !== undefined) {
        count(`outside the feasible set (${played.outside})`);
        outside.push({ ...found, outside: played.outside });
        continue;
      }
      used.push(played.pools);
      if (mine.value === undefined) count("a route where we have none");
      else score(onAll, mine.value, theirs);
      if (mine.value === undefined || theirs > mine.value) losses.push(found);
      const same = ours.same?.[i]?.value;
      if (same !== undefined && onSame !== undefined) score(onSame, same, theirs);
    }
  } finally {
    await peer.stop();
  }
  return { contestant, spent, pools: used, reasons, losses, outside, onAll, onSame };
}

function emptyScore(): Score {
  return { behind: [], better: 0, equal: 0, worse: 0 };
}

function score(into: Score, mine: bigint, theirs: bigint): void {
  if (mine > theirs) into.better++;
  else if (mine === theirs) into.equal++;
  else into.worse++;
  const behind = behindOf(mine, theirs);
  if (behind !== undefined) into.behind.push(behind);
}

/** Basis points of our answer that another stays below it; undefined where there is too little to speak of them. */
export function behindOf(mine: bigint | string, theirs: bigint): number | undefined {
  if (typeof mine === "string" || theirs <= 0n || mine < FINE_ENOUGH) return undefined;
  return (Number(mine - theirs) / Number(mine)) * 1e4;
}

function whyNone({ result }: Ours): string {
  return result.found ? "no exact-in route" : result.reason.kind;
}
