import type { MakerOrderAction, RfqOrderAction } from "../domain/maker-order.ts";
import type { QuotedSource } from "../quoting/answer/route-view.ts";
import type { MakerRecord } from "./maker-record.ts";

/** A maker as a source of liquidity. Its orders depend on what it holds, so that quotes are always simulated. */
export function makerSource({ name, levels }: MakerRecord): QuotedSource {
  return {
    id: name,
    kind: levels === undefined ? "rfq" : "maker",
    exactOut: true,
    assurance: "modelled",
    action(pool): MakerOrderAction | RfqOrderAction {
      if (pool.curve !== "signed-order") throw new Error(`${name} has signed nothing for ${pool.id}`);
      const { order, signature, settlement, call } = pool.state;
      if (call !== undefined) return { action: "rfq-order", settlement, order, call };
      return { action: "maker-order", settlement, order, signature };
    },
    fillData(pool): Readonly<Record<string, string>> {
      if (pool.curve !== "signed-order") return { indicative: "true" };
      const { order, signature, settlement, call } = pool.state;
      const fields = Object.entries(order).map(([field, value]) => [field, String(value)] as const);
      return { ...Object.fromEntries(fields), signature, settlement, ...call };
    },
  };
}
