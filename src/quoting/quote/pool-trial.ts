import { ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { evaluateExactIn } from "../../routing/plan/evaluate-exact-in.ts";
import type { Settlement, SimulationOutcome, Simulator, SwapTerms } from "../ports.ts";
import { isAsPromised } from "./as-promised.ts";
import { holdersOn } from "./tested-tokens.ts";

/** What a trial of a pool showed. Unknown: it could not be run. */
export type TrialOutcome =
  | { readonly kind: "works" }
  | { readonly kind: "fails"; readonly reason: string }
  | { readonly kind: "unknown" };

/** Runs a small swap with one pool alone on the node, each way, from a stand-in and without fee. */
export type PoolTrial = (pool: Pool, at: BlockRef) => Promise<TrialOutcome>;

/** A trial's swap moves the pool's price to this part of what it was. */
const PRICE_MOVED_TO = 0.999;
const TTL_SECONDS = 600n;

/** A pool works when every direction that can be tried does what its maths says, to the wei where it is run in time. */
export function createPoolTrial(options: {
  readonly settlement: Settlement;
  readonly simulator: Simulator;
  readonly sources: ReadonlyMap<string, Pick<LiquiditySource, "action">>;
}): PoolTrial {
  const { settlement, simulator, sources } = options;

  async function tryDirection(pool: Pool, direction: Direction, at: BlockRef): Promise<TrialOutcome> {
    const sellAmount = smallAmount(pool, direction, at.timestamp);
    const [sellToken, buyToken] = [pool.tokens[direction.sell]!, pool.tokens[direction.buy]!];
    const source = sources.get(pool.source);
    if (sellAmount === undefined || source === undefined) return { kind: "unknown" };
    const order = { kind: "exactIn", sellToken, buyToken, sellAmount } as const;
    const route = evaluateExactIn([{ pool, direction, share: SHARE_ONE }], order, at.timestamp);
    if ("broken" in route) return { kind: "unknown" };
    const terms: SwapTerms = {
      sellToken,
      buyToken,
      maxSellAmount: sellAmount,
      minBuyAmount: 1n,
      recipient: ZERO_ADDRESS,
      deadline: at.timestamp + TTL_SECONDS,
    };
    const outcome = await simulator.simulate({
      transaction: settlement.encode(route, terms, (fill) => source.action(pool, fill)),
      taker: undefined,
      terms,
      allowanceTarget: settlement.allowanceTarget,
      avoidHolders: holdersOn(route),
      at,
    });
    return judge(outcome, sellAmount, route.buyAmount, movesWithTime(pool));
  }

  return async (pool, at) => {
    if (!settlement.deployed) return { kind: "unknown" };
    let worked = false;
    for (const [sell] of pool.tokens.entries()) {
      const buy = (sell + 1) % pool.tokens.length;
      const outcome = await tryDirection(pool, { sell, buy }, at);
      if (outcome.kind === "fails") return outcome;
      worked ||= outcome.kind === "works";
    }
    return worked ? { kind: "works" } : { kind: "unknown" };
  };
}

function smallAmount(pool: Pool, direction: Direction, time: bigint): bigint | undefined {
  const curve = mathOf(pool).curve(pool.state, direction, time);
  if (curve === undefined) return undefined;
  const amount = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * PRICE_MOVED_TO), curve.maxSell);
  return Number.isFinite(amount) && amount >= 1 ? BigInt(Math.floor(amount)) : undefined;
}

function judge(outcome: SimulationOutcome, sellAmount: bigint, buyAmount: bigint, moves: boolean): TrialOutcome {
  if (outcome.kind === "incomplete") return { kind: "unknown" };
  if (outcome.kind === "reverted") return { kind: "fails", reason: outcome.reason };
  const asPromised = isAsPromised(outcome.bought, buyAmount, outcome.secondsLater, moves);
  if (outcome.sold === sellAmount && asPromised) return { kind: "works" };
  return { kind: "fails", reason: `it pays ${outcome.bought} for ${outcome.sold} instead of ${buyAmount}` };
}
