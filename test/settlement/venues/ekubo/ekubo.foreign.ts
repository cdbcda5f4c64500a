import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { createWorld } from "../../../../fixtures/settlement/venues.ts";
import { ekuboOfMakers } from "../../../pools/ekubo/makers.ts";
import { testRoutes } from "../../chain/modelled-routes.ts";
import { singletonRoutes } from "../../chain/singleton-routes.ts";
import { withEkubo } from "../../pools/ekubo.ts";

describe.skipIf(!existsSync(ekuboOfMakers.file))("pools in the Core of its makers", () => {
  let ekubo: Awaited<ReturnType<typeof withEkubo>>;
  beforeAll(async () => {
    const [abi, bytecode] = ekuboOfMakers.read();
    ekubo = await withEkubo(await createWorld(), { abi, bytecode });
  });
  afterEach(() => ekubo.world.restore());
  afterAll(() => ekubo?.world.node.stop());

  testRoutes(
    () => ekubo.world,
    singletonRoutes(() => ekubo),
    (name) => (name.includes("both in one lock") ? 0.2 : 0.15),
  );
});
