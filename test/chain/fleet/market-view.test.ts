import { clearPrefix, hasRedis, ownPrefix } from "../../../fixtures/fleet/redis.ts";
import { describeMarketView } from "../../quoting/market-view.suite.ts";
import { createWorldOfPairs, type Member, startMember } from "./members.ts";

/** A member that leads, and one that follows it: `which` of them is looked at. */
async function underTest(which: 0 | 1) {
  const fake = createWorldOfPairs(11);
  const prefix = ownPrefix();
  const members: Member[] = [];
  const atHead = async () => {
    while (members.some((member) => member.snapshot()?.block.hash !== fake.head.hash))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  for (let index = 0; index < 2; index++) {
    members.push(await startMember(fake, prefix));
    await atHead();
  }
  return {
    market: members[which]!.chain.market,
    sources: [...members[which]!.snapshot()!.sources.keys()],
    async move() {
      fake.mine({ trades: 3, pairs: 1 });
      await atHead();
    },
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
      await clearPrefix(prefix);
    },
  };
}

if (await hasRedis()) {
  describeMarketView("that a process tells its fleet", () => underTest(0));
  describeMarketView("that a process of a fleet is told", () => underTest(1));
}
