import { describe, expect, it } from "vitest";
import { ENTERED, instrumented, layerOf, type Place } from "../../../tools/quote-path/instrument.ts";
import { betweenLayers, pathOf, type Step } from "../../../tools/quote-path/steps.ts";

/** Runs a module's text, and names the functions that were entered, in their order. */
function enteredBy(text: string): readonly string[] {
  const places: Place[] = [];
  const entered: string[] = [];
  const code = instrumented("src/layer/file.ts", text, (place) => places.push(place) - 1);
  new Function(ENTERED, code)((number: number) => entered.push(places[number]?.name ?? ""));
  return entered.map((name) => name.replace("src/layer/file.ts: ", ""));
}

describe("an instrumented file", () => {
  it("notes every function as it is entered, whatever its form, and does what it did", () => {
    const text = `
      function declared() { return arrow(2); }
      const arrow = (x) => ({ twice: x * 2 });
      class Box { get inside() { return declared(); } }
      const { twice } = new Box().inside;
      if (twice !== 4) throw new Error("another result");
    `;
    expect(enteredBy(text)).toEqual(["inside", "declared", "arrow"]);
  });

  it("keeps its lines", () => {
    const text = "const a = () => 1;\nfunction b() {\n  return a();\n}\n";
    const lines = instrumented("src/layer/file.ts", text, () => 0).split("\n");
    expect(lines.map((line) => line.replaceAll(`${ENTERED}(0)`, ""))).toEqual([
      "const a = () => (,1);",
      "function b() {;",
      "  return a();",
      "}",
      "",
    ]);
  });

  it("stands in the layer of its path, with its folder; pools and venues are one layer each", () => {
    const paths = ["src/main.ts", "src/market/rates.ts", "src/api/http/send.ts", "src/pools/psm/math.ts"];
    expect(paths.map(layerOf)).toEqual(["src", "market", "api/http", "pools"]);
  });
});

describe("the path of a quote", () => {
  const step = (from: string, to: string): Step => ({ from: { layer: from, name: from }, to: { layer: to, name: to } });
  const steps = [
    step("outside", "api/http"),
    step("api/http", "quoting"),
    step("quoting", "market"),
    step("market", "quoting"),
    step("quoting", "api/rest"),
    step("api/rest", "api/http"),
  ];

  it("enters layers one after the other, and returns to those that it had left", () => {
    expect(pathOf(steps)).toMatchObject({
      sequence: ["api/http", "quoting", "market", "quoting", "api/rest", "api/http"],
      layers: ["api/http", "quoting", "market", "api/rest"],
      returns: 2,
    });
  });

  it("goes back and forth between layers that call each other", () => {
    expect(pathOf(steps).backAndForth.map(({ between, steps: both }) => [between, both.length])).toEqual([
      [["quoting", "market"], 2],
    ]);
  });

  it("makes no step between folders where whole layers count", () => {
    expect(pathOf(betweenLayers(steps)).sequence).toEqual(["api", "quoting", "market", "quoting", "api"]);
  });
});
