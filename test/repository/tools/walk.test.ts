import { describe, expect, it } from "vitest";
import { ENTERED, instrumented, type Place, roomOf } from "../../../tools/walk/instrument.ts";
import { betweenRooms, type Step, walkOf } from "../../../tools/walk/steps.ts";

/** Runs a module's text, and names the functions that were entered, in their order. */
function enteredBy(text: string): readonly string[] {
  const places: Place[] = [];
  const entered: string[] = [];
  const code = instrumented("src/room/file.ts", text, (place) => places.push(place) - 1);
  new Function(ENTERED, code)((number: number) => entered.push(places[number]?.name ?? ""));
  return entered.map((name) => name.replace("src/room/file.ts: ", ""));
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
    const lines = instrumented("src/room/file.ts", text, () => 0).split("\n");
    expect(lines.map((line) => line.replaceAll(`${ENTERED}(0)`, ""))).toEqual([
      "const a = () => (,1);",
      "function b() {;",
      "  return a();",
      "}",
      "",
    ]);
  });

  it("stands in the room of its path, with its chamber; pools and venues are one room each", () => {
    const paths = ["src/main.ts", "src/market/rates.ts", "src/api/http/send.ts", "src/pools/psm/math.ts"];
    expect(paths.map(roomOf)).toEqual(["src", "market", "api/http", "pools"]);
  });
});

describe("a walk", () => {
  const step = (from: string, to: string): Step => ({ from: { room: from, name: from }, to: { room: to, name: to } });
  const steps = [
    step("outside", "api/http"),
    step("api/http", "quoting"),
    step("quoting", "market"),
    step("market", "quoting"),
    step("quoting", "api/rest"),
    step("api/rest", "api/http"),
  ];

  it("enters rooms one after the other, and returns to those that it had left", () => {
    expect(walkOf(steps)).toMatchObject({
      sequence: ["api/http", "quoting", "market", "quoting", "api/rest", "api/http"],
      rooms: ["api/http", "quoting", "market", "api/rest"],
      returns: 2,
    });
  });

  it("goes back and forth between rooms that call each other", () => {
    expect(walkOf(steps).backAndForth.map(({ between, steps: both }) => [between, both.length])).toEqual([
      [["quoting", "market"], 2],
    ]);
  });

  it("makes no step between chambers where whole rooms count", () => {
    expect(walkOf(betweenRooms(steps)).sequence).toEqual(["api", "quoting", "market", "quoting", "api"]);
  });
});
