import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  getOption,
  hasOption,
  toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import {
  type FieldRules,
  FieldRulesSchema,
  field as fieldRules,
  message as messageRules,
  predefined,
  type RepeatedRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import fc from "fast-check";
import { NATIVE, TAKER, USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The contract with its rules: generated code has none. */
export interface Contract {
  readonly registry: FileRegistry;
  /** Texts of a pattern. It takes a while to understand one, and many fields have the same. */
  readonly matching: (pattern: RegExp) => fc.Arbitrary<string>;
}

export function readContract(): Contract {
  const image = execFileSync(join(root, "node_modules/.bin/buf"), ["build", "--as-file-descriptor-set", "-o", "-"], {
    cwd: root,
  });
  const made = new Map<string, fc.Arbitrary<string>>();
  return {
    registry: createFileRegistry(fromBinary(FileDescriptorSetSchema, image)),
    matching(pattern) {
      const texts = made.get(String(pattern)) ?? fc.stringMatching(pattern);
      made.set(String(pattern), texts);
      return texts;
    },
  };
}

/** Fields of a request in their JSON names; undefined leaves one out. */
export type Changes = Readonly<Record<string, unknown>>;

/** A rule with changes to a valid request, of which some keep to it and some do not. */
export interface RuleCase {
  readonly name: string;
  /** Name of the field that it is of; undefined for those between fields. */
  readonly field?: string;
  readonly changes: fc.Arbitrary<Changes>;
  /** One for each border of the rule. */
  readonly borders: readonly fc.Arbitrary<Changes>[];
}

/** One case for each rule of a message: those of its fields, then those between them. */
export function ruleCases(contract: Contract, desc: DescMessage): readonly RuleCase[] {
  const ofFields = desc.fields
    .filter((field) => hasOption(field, fieldRules))
    .map((field) => fieldCase(contract, field));
  if (!hasOption(desc, messageRules)) return ofFields;
  const { cel, oneof } = getOption(desc, messageRules);
  const between = [
    ...oneof.map(({ fields }) => ({ name: fields.join(" or "), names: fields })),
    ...cel.map(({ id, expression }) => ({ name: id, names: namesIn(expression) })),
  ];
  const cases = between.map(({ name, names }) => {
    const fields = desc.fields.filter((field) => names.includes(field.name));
    const values = fields.map((field) => [field.jsonName, anyValue(contract, field)] as const);
    return { name, changes: fc.record(Object.fromEntries(values)), borders: [] };
  });
  return [...ofFields, ...cases];
}

/** Rules of a field in their JSON form, to compare. */
export function rulesOf(contract: Contract, field: DescField): unknown {
  return hasOption(field, fieldRules)
    ? toJson(FieldRulesSchema, getOption(field, fieldRules), { registry: contract.registry })
    : undefined;
}

function namesIn(expression: string): readonly string[] {
  return [...expression.matchAll(/this\.([a-z_]+)/g)].map(([, name]) => name as string);
}

function fieldCase(contract: Contract, field: DescField): RuleCase {
  const rules = getOption(field, fieldRules);
  const ofElement = elementRules(rules);
  const asValue = (text: unknown) => (field.fieldKind === "list" ? [text] : text);
  const near = ofElement && nearValue(contract, ofElement).map(asValue);
  const borders = ofElement === undefined ? [] : bordersOf(contract, ofElement).map((each) => each.map(asValue));
  const others = [
    ...(rules.required ? [undefined] : []),
    ...(/_token$/.test(field.name) ? ADDRESSES : []),
    ...(rules.type.case === "repeated" ? listsOf(field.name, rules.type.value) : []),
  ].map((value) => fc.constant<unknown>(value));
  const toChanges = (value: unknown) => ({ [field.jsonName]: value, ...besides(field, value) });
  return {
    name: field.name,
    field: field.name,
    changes: (near ?? fc.oneof(...others)).map(toChanges),
    borders: [...borders, ...others].map((each) => each.map(toChanges)),
  };
}

/** Rules of a field's values, or of the elements of a list of texts. */
function elementRules(rules: FieldRules): FieldRules | undefined {
  if (rules.type.case !== "repeated") return rules;
  return rules.type.value.items?.type.case === "string" ? rules.type.value.items : undefined;
}

/** Changes to other fields, so that it is for this field alone if the request breaks a rule. */
function besides({ name }: DescField, value: unknown): Changes {
  const asMany = (text: string) => String(value).split(",").fill(text).join();
  if (name === "buy_amount") return { sellAmount: undefined };
  if (name === "buy_amounts") return { sellAmounts: undefined };
  if (name === "integrator_percentage_fee") return { integratorRecipientAddress: asMany(TAKER) };
  if (name === "integrator_recipient_address") return { integratorPercentageFee: asMany("0.01") };
  return {};
}

/** Lists as long as they may be, one longer and one shorter. */
function listsOf(name: string, { minItems, maxItems }: RepeatedRules): readonly unknown[] {
  const borders = [minItems, maxItems].filter((border) => border > 0n).map(Number);
  const lengths = borders.flatMap((border) => [border - 1, border, border + 1]);
  return lengths.map((length) => Array<unknown>(length).fill(LIST_ELEMENTS[name]));
}

/** An element with which a list is filled. */
const LIST_ELEMENTS: Readonly<Record<string, unknown>> = {
  overrides: { address: WETH.address, topics: [`0x${"1".repeat(64)}`] },
  requests: { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1" },
  sell_amounts: "1",
  buy_amounts: "1",
  addresses: WETH.address,
  topics: `0x${"1".repeat(64)}`,
};

/** Values inside a rule, and one edit away from that. */
function nearValue(contract: Contract, rules: FieldRules): fc.Arbitrary<unknown> {
  if (rules.type.case === "uint32") return fc.integer({ min: 0, max: 120 });
  const inside = insideOf(contract, rules);
  return fc.oneof({ weight: 1, arbitrary: inside }, { weight: 2, arbitrary: edited(inside) });
}

/** Values on either side of each border of a rule. */
function bordersOf(contract: Contract, rules: FieldRules): readonly fc.Arbitrary<unknown>[] {
  if (rules.type.case === "uint32") {
    const { greaterThan, lessThan } = rules.type.value;
    const borders = [Number(greaterThan.value), Number(lessThan.value)];
    return borders.flatMap((border) => [border - 1, border, border + 1]).map((value) => fc.constant(value));
  }
  const { patterns, words } = textsOf(contract, rules);
  return [...patterns.flatMap(endsOf).map((end) => contract.matching(end)), ...words.map((word) => fc.constant(word))];
}

/** The pattern with one of its parts as often as it may be there, once more, and once less. Optional groups are there too. */
function endsOf({ source, flags }: RegExp): readonly RegExp[] {
  return [...source.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].flatMap(({ 0: text, 1: least, 2: most = least, index }) => {
    const counts = [Number(least) - 1, Number(most), Number(most) + 1].filter((count) => count >= 0);
    const withCount = (count: number) =>
      `${source.slice(0, index)}{${count}}${source.slice(index + text.length)}`.replaceAll(")?", ")");
    return counts.map((count) => new RegExp(withCount(count), flags));
  });
}

/** Texts that a rule accepts, but for those at its borders. */
function insideOf(contract: Contract, rules: FieldRules): fc.Arbitrary<string> {
  if (rules.type.case !== "string") throw new Error(`no values are made for rules of the type ${rules.type.case}`);
  const texts = textsOf(contract, rules);
  const patterns = texts.patterns.map(contract.matching);
  const all = [...patterns, ...(texts.words.length > 0 ? [fc.constantFrom(...texts.words)] : [])];
  return fc.oneof(...all).filter((text) => text.isWellFormed());
}

/** Patterns and words of a rule, numbers with those around them. */
function textsOf(
  contract: Contract,
  rules: FieldRules,
): { readonly patterns: readonly RegExp[]; readonly words: readonly string[] } {
  if (rules.type.case !== "string") return { patterns: [], words: [] };
  const { pattern, in: words } = rules.type.value;
  const json = toJson(FieldRulesSchema, rules, { registry: contract.registry }) as {
    readonly string?: Readonly<Record<string, unknown>>;
  };
  const expressions = Object.keys(json.string ?? {}).flatMap((name) => {
    const extension = contract.registry.getExtension(name.replace(/^\[(.*)\]$/, "$1"));
    return extension === undefined ? [] : getOption(extension, predefined).cel.map(({ expression }) => expression);
  });
  const quoted = expressions.flatMap((text) => [...text.matchAll(/(!?)this(\.matches\(r?| == | <= )'([^']*)'/g)]);
  const found = quoted.map(([, not, how = "", text = ""]) => ({
    isWanted: not === "",
    isPattern: how.startsWith("."),
    text,
  }));
  const patterns = [pattern, ...found.filter((each) => each.isPattern && each.isWanted).map(({ text }) => text)];
  return {
    patterns: patterns.filter((text) => text !== "").map(toJavaScript),
    words: [...words, ...found.filter((each) => !each.isPattern).flatMap(({ text }) => around(text))],
  };
}

function around(word: string): readonly string[] {
  if (!/^[0-9]+$/.test(word)) return [word];
  return [-1n, 0n, 1n].map((step) => String(BigInt(word) + step));
}

/** A pattern of RE2 in JavaScript, whose \s has all the spaces that the rules name one by one. */
function toJavaScript(pattern: string): RegExp {
  const isDotAll = pattern.startsWith("(?s)");
  return new RegExp(pattern.replace("(?s)", "").replaceAll("\\s\\v\\pZ\\x{feff}", "\\s"), isDotAll ? "s" : "");
}

/** Characters that are put into texts: those that forms are made of, and spaces of several kinds. */
const CHARACTERS = [..."0123456789abefxXG.,:+-", " ", "\t", "\v", "\u00a0", "\u2003", "\ufeff", "é", ""];

/** Texts with one character taken out, put in, or changed. */
function edited(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.nat(), fc.constantFrom(...CHARACTERS), fc.boolean())
    .map(([text, at, character, replaces]) => {
      const where = at % (text.length + 1);
      return (text.slice(0, where) + character + text.slice(where + (replaces ? 1 : 0))).toWellFormed();
    });
}

const ADDRESSES = [WETH, USDC, NATIVE].flatMap(({ address }) => [address, `0x${address.slice(2).toUpperCase()}`]);

/** Values for rules between fields: absent, or what makes a difference to another field. */
function anyValue(contract: Contract, field: DescField): fc.Arbitrary<unknown> {
  return fc.option(presentValue(contract, field), { nil: undefined, freq: 2 });
}

function presentValue(contract: Contract, field: DescField): fc.Arbitrary<unknown> {
  if (/_token$/.test(field.name)) return fc.constantFrom(...ADDRESSES);
  if (field.scalar === 8) return fc.boolean();
  if (/_sources$/.test(field.name))
    return fc.constantFrom([], [""], [" ,\u00a0"], ["Uniswap_V2"], ["", "\tuniswap_v3 ,"]);
  if (field.fieldKind === "list" && field.listKind === "message") return fc.constantFrom([], [LIST_ELEMENTS.overrides]);
  if (/^(sell|buy)_amounts$/.test(field.name)) return fc.constantFrom([], ["1"]);
  if (!hasOption(field, fieldRules)) return fc.constant("");
  const rules = getOption(field, fieldRules);
  if (rules.type.case === "uint32") return fc.constant(1);
  if (rules.type.case === "repeated" && rules.type.value.items !== undefined) {
    return fc.array(insideOf(contract, rules.type.value.items), { minLength: 1, maxLength: 1 });
  }
  return insideOf(contract, rules);
}
