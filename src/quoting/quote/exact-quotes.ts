import { type Fill, fillsOf, type PoolId, type Route } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PriceQuestion } from "../../market/liquidity-source.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Pool } from "../../pools/pool.ts";
import { directionOf } from "../../pools/pool-math.ts";
import type { BrokenPlan } from "../../routing/plan/execution.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import { evaluateOver } from "./evaluate-over.ts";

/** Limit on rounds of asking contracts for one route: a payment above the estimate changes the next pool's amount. */
const MAX_ROUNDS = 4;

/** Setting in which contracts are asked. */
export interface AskSetting {
  /** Absent: there is no node to ask, and pools are taken at their word. */
  readonly reader?: Pick<ChainReader, "calls"> | undefined;
  readonly snapshot: Pick<Snapshot, "graph" | "block">;
  readonly sources: SourceCatalog;
  /** When the caller stops waiting, milliseconds since 1970. */
  readonly deadlineMs?: number | undefined;
}

/** A route with the amounts that contracts have quoted for it, or pools that a route has to do without. */
export type Asked = { readonly route: Route } | Unfit;

/** Pools that do not take what they would be sold. */
interface Unfit {
  readonly unfit: readonly PoolId[];
  /** Those of them whose contracts quote less than was read of them. Others are to take more than they can, for no fault of theirs. */
  readonly contradicted: readonly PoolId[];
}

/** One fill of a pool that is asked, by pool, direction and amount. */
interface Question extends PriceQuestion {
  readonly key: string;
  readonly poolId: PoolId;
}

/**
 * A route whose amounts are what the contracts on it quote for just these amounts, at the snapshot's block: some pools' states say
 * no more than what they pay at least. The fills' shares stay. Where the node cannot be asked the route stays as it is, which
 * promises no more than that.
 */
export async function withExactQuotes(route: Route, setting: AskSetting): Promise<Asked> {
  const { reader, snapshot } = setting;
  if (reader === undefined || route.kind === "exactOut") return { route };
  const known = new Map<string, Pool>();
  let exact: Route = route;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = questionsOn(exact, setting).filter(({ key }) => !known.has(key));
    if (open.length === 0) return { route: exact };
    const answers = await answersTo(open, setting);
    if (answers === undefined) return { route };
    const contradicted: PoolId[] = [];
    for (const [index, { key, poolId, answered }] of open.entries()) {
      const pool = answered(answers[index]);
      if (pool === undefined) contradicted.push(poolId);
      else known.set(key, pool);
    }
    if (contradicted.length > 0) return { unfit: contradicted, contradicted };
    const told = new Map(questionsOn(exact, setting).map(({ key, poolId }) => [poolId, known.get(key) as Pool]));
    const poolOf = ({ poolId }: Fill) => told.get(poolId) ?? snapshot.graph.pool(poolId);
    const again = evaluateOver(exact, poolOf, snapshot.block.timestamp);
    if ("broken" in again) return { unfit: faultsOf(again, [...told.keys()]), contradicted: [] };
    exact = again;
  }
  return { route: exact };
}

/** The pools that a plan is broken at; `all` where none is named. */
function faultsOf({ broken }: BrokenPlan, all: readonly PoolId[]): readonly PoolId[] {
  return broken.length > 0 ? broken.map(({ use }) => use.pool.id) : all;
}

/** Questions to the contracts on a route about its amounts. */
function questionsOn(route: Route, { snapshot, sources }: AskSetting): readonly Question[] {
  return fillsOf(route).flatMap(({ poolId, source, sellToken, buyToken, sellAmount }): readonly Question[] => {
    const pool = snapshot.graph.pool(poolId);
    if (pool === undefined) return [];
    const direction = directionOf(pool, sellToken, buyToken);
    const question = sources.get(source)?.ask?.(pool, direction, sellAmount);
    if (question === undefined) return [];
    return [{ ...question, key: `${poolId} ${sellToken} ${sellAmount}`, poolId }];
  });
}

/** Undefined where the node does not answer, or not in time. */
function answersTo(questions: readonly Question[], { reader, snapshot, deadlineMs }: AskSetting) {
  const calls = questions.map(({ call }) => call);
  return reader?.calls(calls, snapshot.block, { deadlineMs }).catch(() => undefined);
}
