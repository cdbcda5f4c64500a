import { setTimeout as wait } from "node:timers/promises";
import { createVirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { describeClock } from "./clock.suite.ts";

describeClock("of the machine", () => ({ clock: systemClock, pass: wait }));
describeClock("of the tests", () => {
  const clock = createVirtualClock(1_700_000_000_000);
  return { clock, pass: clock.advance };
});
describeClock("of the tests, set back", () => {
  const clock = createVirtualClock(1_700_000_000_000);
  clock.setBack(60_000);
  return { clock, pass: clock.advance };
});
