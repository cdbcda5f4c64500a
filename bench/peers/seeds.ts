/**
 * Our router beside one other on requests of many seeds, where `compare.ts` has one: which plans of the other pay more.
 *
 *   node bench/peers/seeds.ts UNIVERSE FROM TO [requests per seed] [router]
 *
 * UNIVERSE is one of `meeting/universes.ts`, the router one of `meeting/contestants.ts`, without it the greedy fill.
 */
import { CONTESTANTS } from "./meeting/contestants.ts";
import { behindOf, meet } from "./meeting/meeting.ts";
import { answersOf } from "./meeting/ours.ts";
import { requestsFor } from "./meeting/requests.ts";
import { universeOf } from "./meeting/universes.ts";

const [key = "", from = "1", to = from, count = "150", router = "greedy, 1,000 chunks"] = process.argv.slice(2);
const GAS_PRICE = 50_000_000_000n;
const LIMITS = { capMs: 10_000, budgetMs: 600_000 };

const universe = universeOf(key);
const contestant = CONTESTANTS.find(({ name }) => name === router);
if (contestant === undefined) {
  console.error(`say which router: ${CONTESTANTS.map(({ name }) => name).join("; ")}`);
  process.exit(2);
}
const all = { counted: 0, more: 0 };
for (let seed = Number(from); seed <= Number(to); seed++) {
  const requests = requestsFor(universe, Number(count), GAS_PRICE, seed);
  const asked = { warmUp: requests.slice(0, 5), requests };
  const ours = await answersOf(universe, asked);
  const { onAll, losses } = await meet(contestant, universe, asked, { all: ours, same: undefined }, LIMITS);
  all.counted += onAll.better + onAll.equal + onAll.worse;
  all.more += losses.length;
  const listed = losses.map(({ request, ours: mine, theirs }) => {
    const behind = behindOf(mine, theirs);
    const by = behind === undefined ? `${mine} against ${theirs}` : `${(-behind).toPrecision(3)} bp`;
    return `#${requests.indexOf(request)} ${by}`;
  });
  console.log(
    `seed ${seed}: ${[`${onAll.better} less, ${onAll.equal} the same, ${losses.length} more`, ...listed].join("; ")}`,
  );
}
console.log(`Of ${all.counted} plans ${all.more} pay more than ours.`);
