import { vi } from "vitest";
import { testWoofi } from "../../support/suites/woofi.ts";
import { deployWoofi } from "../../venues/worlds/singletons/woofi.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testWoofi({ what: "half-spread", seed: 501, deploy: (anvil, decimals) => deployWoofi(anvil, { decimals }) });
testWoofi({
  ...{ what: "own-spreads", seed: 502 },
  deploy: (anvil, decimals) => deployWoofi(anvil, { decimals, halvesSpread: false }),
});
