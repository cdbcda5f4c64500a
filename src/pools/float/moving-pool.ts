import { mathOf, type Pool } from "../pool.ts";
import { isRejection, type MovingPool } from "../pool-math.ts";

/** A pool that trades move: in floats where its maths has that, else by its quotes. */
export function movingPool(pool: Pool, time: bigint): MovingPool {
  return mathOf(pool).moving?.(pool.state) ?? movingByQuotes(pool, pool.state, time);
}

function movingByQuotes(pool: Pool, first: Pool["state"], time: bigint): MovingPool {
  const math = mathOf(pool);
  let state = first;
  return {
    rate: (direction) => math.curve(state, direction, time)?.marginalRate(0) ?? 0,
    most: (direction) => Number(math.limits(state, direction, time).maxSell),
    pays: (direction, sellAmount) => math.curve(state, direction, time)?.buyAmountFor(sellAmount) ?? 0,
    move(direction, sellAmount) {
      const quote = math.quoteExactIn(state, direction, BigInt(Math.floor(sellAmount)), time);
      if (!isRejection(quote)) state = quote.next;
    },
    copy: () => movingByQuotes(pool, state, time),
    curve: (direction) => math.curve(state, direction, time),
  };
}
