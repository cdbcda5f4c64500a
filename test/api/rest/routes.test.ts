import { describe, expect, test } from "vitest";
import type { DecodeProblem } from "../../../src/api/rest/decode-problem.ts";
import { createRestRoutes } from "../../../src/api/rest/routes.ts";
import { createShelfService } from "./shelf-service.ts";

const ROUTES = createRestRoutes([createShelfService("/v1/echo")]);

/** Answer of a service that echoes its request, to a query. */
function echo(
  query: string,
  path = "/v1/echo",
  routes = ROUTES,
): { json: Record<string, unknown>; problems: readonly DecodeProblem[] } {
  const route = routes.find("GET", path);
  if (route === undefined || "allow" in route) throw new Error(`no route for ${path}`);
  const { message, problems } = route.decode(query);
  return { json: JSON.parse(route.render(message)), problems };
}

describe("values of query parameters", () => {
  test.each([
    ["text=a%20b%2Fc%25", "text", "a b/c%"],
    ["text=a+b%2Bc", "text", "a b+c"],
    ["text=", "text", ""],
    ["text=größe", "text", "größe"],
    ["flag=true", "flag", true],
    ["flag=false", "flag", false],
    ["rawBytes=_-8", "rawBytes", "/+8="],
    ["rawBytes=/%2B8%3D", "rawBytes", "/+8="],
    ["i32=-2147483648", "i32", -2147483648],
    ["i64=9223372036854775807", "i64", "9223372036854775807"],
    ["u32=4294967295", "u32", 4294967295],
    ["u64=18446744073709551615", "u64", "18446744073709551615"],
    ["s32=2147483647", "s32", 2147483647],
    ["f64=0", "f64", "0"],
    ["s64=-9223372036854775808", "s64", "-9223372036854775808"],
    ["f32=4294967295", "f32", 4294967295],
    ["sf32=-2147483648", "sf32", -2147483648],
    ["sf64=9223372036854775807", "sf64", "9223372036854775807"],
    ["f64=18446744073709551615", "f64", "18446744073709551615"],
    ["single=0.5", "single", 0.5],
    ["single=Infinity", "single", "Infinity"],
    ["ratio=-1e308", "ratio", -1e308],
    ["ratio=1.5e3", "ratio", 1500],
    ["rawBytes=YWI", "rawBytes", "YWI="],
    ["rawBytes=YWI%3D", "rawBytes", "YWI="],
    ["rawBytes=", "rawBytes", ""],
    ["unset=", "unset", ""],
    ["left=a", "left", "a"],
    ["right=-7", "right", -7],
    ["text=%F0%9F%8C%8A", "text", "🌊"],
    ["text=%zz", "text", "%zz"],
    ["ratio=NaN", "ratio", "NaN"],
    ["ratio=-Infinity", "ratio", "-Infinity"],
    ["color=COLOR_RED", "color", "COLOR_RED"],
    ["color=1", "color", "COLOR_RED"],
    ["many=a&many=b%2Cc", "many", ["a", "b,c"]],
    ["numbers=1,2&numbers=3", "numbers", [1, 2, 3]],
    ["inner.deepText=x", "inner", { deepText: "x" }],
    ["inner.deep_text=x", "inner", { deepText: "x" }],
    ["inner.again.again.deepText=x", "inner", { deepText: null, again: { deepText: null, again: { deepText: "x" } } }],
  ] as const)("%s", (query, name, expected) => {
    const { json, problems } = echo(query);
    expect(problems).toEqual([]);
    expect(json[name]).toEqual(expected);
  });

  test.each([
    ["i32=2147483648", "type", "i32"],
    ["i32=-2147483649", "type", "i32"],
    ["i32=1.0", "type", "i32"],
    ["i32=0x10", "type", "i32"],
    ["i32=", "type", "i32"],
    ["i32=%205", "type", "i32"],
    ["i64=9223372036854775808", "type", "i64"],
    ["u32=-1", "type", "u32"],
    ["u32=4294967296", "type", "u32"],
    ["u64=18446744073709551616", "type", "u64"],
    ["s32=2147483648", "type", "s32"],
    ["s64=9223372036854775808", "type", "s64"],
    ["f32=-1", "type", "f32"],
    ["f32=4294967296", "type", "f32"],
    ["sf32=2147483648", "type", "sf32"],
    ["sf64=-9223372036854775809", "type", "sf64"],
    ["f64=-1", "type", "f64"],
    ["single=1e39", "type", "single"],
    ["single=one", "type", "single"],
    ["ratio=1e309", "type", "ratio"],
    ["ratio=infinity", "type", "ratio"],
    ["tags=a", "type", "tags"],
    ["tags.a=b", "unknown", "tags.a"],
    ["key=1", "unknown", "key"],
    ["ratio=ten", "type", "ratio"],
    ["ratio=", "type", "ratio"],
    ["flag=1", "type", "flag"],
    ["flag=True", "type", "flag"],
    ["rawBytes=%24", "type", "rawBytes"],
    ["color=COLOR_BLUE", "type", "color"],
    ["color=7", "type", "color"],
    ["numbers=1,x", "type", "numbers"],
    ["inner=x", "type", "inner"],
    ["inners=x", "type", "inners"],
    ["text=a&text=b", "repeated", "text"],
    ["rawBytes=YQ&raw_bytes=YQ", "repeated", "rawBytes"],
    ["nope=1", "unknown", "nope"],
    ["inner.nope=1", "unknown", "inner.nope"],
    ["text.nope=1", "unknown", "text.nope"],
    ["inners.deepText=x", "unknown", "inners.deepText"],
    ["__proto__.x=1", "unknown", "__proto__.x"],
    ["=1", "unknown", ""],
    ["api_key=1", "unknown", "api_key"],
  ] as const)("%s is refused", (query, kind, field) => {
    const { json, problems } = echo(query);
    expect(problems.map((problem) => [problem.kind, problem.field])).toEqual([[kind, field]]);
    expect(json).toEqual(echo("").json);
  });
});

test.each([
  ["left=a&right=1", "right", /together with left/],
  ["right=1&left=", "left", /together with right/],
] as const)("two fields of a oneof: %s", (query, field, says) => {
  expect(echo(query).problems).toEqual([{ kind: "repeated", field, description: expect.stringMatching(says) }]);
});

describe("answers", () => {
  test("show every implicit field, null where the option says so, and no other unset field", () => {
    expect(echo("").json).toEqual({
      text: "",
      flag: false,
      rawBytes: "",
      i32: 0,
      i64: "0",
      u32: 0,
      u64: "0",
      s32: 0,
      f64: "0",
      ratio: 0,
      s64: "0",
      f32: 0,
      sf32: 0,
      sf64: "0",
      single: 0,
      tags: {},
      color: "COLOR_UNSPECIFIED",
      many: [],
      numbers: [],
      inners: [],
      unset: null,
    });
  });
});

describe("paths", () => {
  test.each([
    ["/v1/{text}", "/v1/a%2Fb%20c", { text: "a/b c" }],
    ["/v1/{text}/x/{i32}", "/v1/a/x/7", { text: "a", i32: 7 }],
    ["/v1/{text=shelves/*}", "/v1/shelves/5", { text: "shelves/5" }],
    ["/v1/{text=shelves/*/books/*}", "/v1/shelves/a%2Fb/books/c", { text: "shelves/a%2Fb/books/c" }],
    ["/v1/{text=**}", "/v1/a/b/c", { text: "a/b/c" }],
    ["/v1/{text}:echo", "/v1/a:echo", { text: "a" }],
    ["/v1/*/x", "/v1/anything/x", {}],
    ["/v1/{inner.deep_text}", "/v1/a", { inner: { deepText: "a" } }],
    ["/v1/{color}", "/v1/COLOR_RED", { color: "COLOR_RED" }],
  ])("%s takes %s", (template, path, expected) => {
    const { json, problems } = echo("", path, createRestRoutes([createShelfService(template)]));
    expect(problems).toEqual([]);
    expect(json).toMatchObject(expected);
  });

  test.each([
    ["/v1/{text}", "/v1"],
    ["/v1/{text}", "/v1/"],
    ["/v1/{text}", "/v1/a/b"],
    ["/v1/{text}", "/v2/a"],
    ["/v1/{text}", "/v1/%zz"],
    ["/v1/{text}:echo", "/v1/a"],
    ["/v1/{text=shelves/*}", "/v1/books/5"],
    ["/v1/echo", "/v1/echo/"],
    ["/v1/echo", "v1/echo"],
    ["/v1/echo", ""],
  ])("%s does not take %j", (template, path) => {
    expect(createRestRoutes([createShelfService(template)]).find("GET", path)).toBeUndefined();
  });

  test("a variable cannot be a query parameter too", () => {
    const { problems } = echo("text=b", "/v1/a", createRestRoutes([createShelfService("/v1/{text}")]));
    expect(problems).toMatchObject([{ kind: "repeated", field: "text" }]);
  });

  test("a variable of the wrong type is a problem of its field", () => {
    const { problems } = echo("", "/v1/x", createRestRoutes([createShelfService("/v1/{i32}")]));
    expect(problems).toMatchObject([{ kind: "type", field: "i32" }]);
  });

  test("a variable and a parameter cannot both be set in a oneof", () => {
    const { json, problems } = echo("right=1", "/v1/a", createRestRoutes([createShelfService("/v1/{left}")]));
    expect(problems).toMatchObject([{ kind: "type", description: expect.stringContaining("side") }]);
    expect(json).toEqual(echo("").json);
  });

  test("additional bindings", () => {
    const routes = createRestRoutes([createShelfService("/v1/echo", ["/v2/{text}"])]);
    expect(echo("", "/v2/a", routes).json.text).toBe("a");
    expect(echo("text=b", "/v1/echo", routes).json.text).toBe("b");
  });

  test("other methods are not allowed", () => {
    expect(ROUTES.find("POST", "/v1/echo")).toEqual({ allow: "GET, HEAD" });
    expect(ROUTES.find("POST", "/v1/other")).toBeUndefined();
    expect(ROUTES.find("HEAD", "/v1/echo")).toHaveProperty("decode");
  });

  test.each(["v1/echo", "/v1/{nope}", "/v1/{inner}", "/v1/{many}", "/v1/**/x", "/v1/{text", ""])(
    "the rule %j is refused at the start",
    (template) => {
      expect(() => createRestRoutes([createShelfService(template)])).toThrow();
    },
  );
});
