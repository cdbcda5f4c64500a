import type { Mutant } from "./mutant.ts";

/** What an operator may have been meant to be: comparisons off by one and turned round, sums, products, logic, shifts. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  "<": ["<="],
  "<=": ["<"],
  ">": [">="],
  ">=": [">"],
  "==": ["!="],
  "!=": ["=="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["/"],
  "&&": ["||"],
  "||": ["&&"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  "+=": ["=", "-="],
  "-=": ["=", "+="],
  "|=": ["=", "&="],
};

const OPERATOR = / (<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\|=|[<>+\-*/%&|]) /g;
/** A check that refuses, in one line. */
const CHECK = /(?<=\n *)if \((?:[^;{}]|\{\})*?\) (?:revert|return) [^;]*;/g;
/** A call or an assignment that stands by itself: no declaration, no return. */
const STATEMENT =
  /(?<=[;{}]\s*)(?!return\b|revert\b|emit\b|if\b|else\b|for\b|while\b|let\b|unchecked\b|assembly\b)[\w.([][^;{}=]*(?:\)|(?:[-+|]?=|\+\+|--)[^;{}]*)(?=;)/g;
const CONDITION = /(?<=\b(?:if|while) \()[^;{}]*?(?=\) (?:\{|(?!revert)[a-z]))/g;
const FUNCTION = /\b(?:function|modifier|constructor|receive)\b[^;{}]*\{/g;
const DECLARATION =
  /^(?:bytes|string|address|bool|uint\d*|int\d*|bytes\d+|[A-Z]\w*)(?:\[\])?(?: memory| calldata| storage)? \w+ =/;

/**
 * Every fault of a few plain kinds that the functions of a source can have: each operator turned into another, each check
 * and each statement left out, each condition always and never true. Many do not compile, as where a name is unknown then.
 */
export function generatedMutants(source: string): readonly Mutant[] {
  const code = withoutComments(source);
  const found: Mutant[] = [];
  const put = (from: number, to: number, text: string) => {
    const line = source.slice(0, from).split("\n").length;
    const was = source.slice(from, to).replace(/\s+/g, " ");
    const changed = `${source.slice(0, from)}${text}${source.slice(to)}`;
    found.push({ name: `line ${line}: ${was} -> ${text === "" ? "nothing" : text}`, changes: [[source, changed]] });
  };
  for (const [start, end] of bodiesOf(code)) {
    const body = code.slice(start, end);
    for (const { index, 1: operator } of body.matchAll(OPERATOR)) {
      const at = start + (index as number) + 1;
      for (const text of INSTEAD[operator as string] ?? []) put(at, at + (operator as string).length, text);
    }
    for (const { index, 0: text } of body.matchAll(CHECK)) put(start + index, start + index + text.length, "");
    for (const { index, 0: text } of body.matchAll(STATEMENT)) {
      if (!DECLARATION.test(text)) put(start + index, start + index + text.length, "");
    }
    for (const { index, 0: text } of body.matchAll(CONDITION)) {
      for (const always of ["true", "false"]) put(start + index, start + index + text.length, always);
    }
  }
  return found;
}

/** Comments and texts as blanks, so that places stay what they are. */
function withoutComments(source: string): string {
  return source.replace(/\/\/[^\n]*|"[^"\n]*"/g, (text) => " ".repeat(text.length));
}

/** Where functions begin and end that have a body. */
function bodiesOf(code: string): readonly (readonly [start: number, end: number])[] {
  return [...code.matchAll(FUNCTION)].map(({ index, 0: head }) => {
    const start = index + head.length;
    let depth = 1;
    let at = start;
    for (; depth > 0 && at < code.length; at += 1) {
      if (code[at] === "{") depth += 1;
      if (code[at] === "}") depth -= 1;
    }
    return [start, at - 1] as const;
  });
}
