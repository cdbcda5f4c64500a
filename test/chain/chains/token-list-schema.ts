import schema from "@uniswap/token-lists/src/tokenlist.schema.json" with { type: "json" };
import { Ajv } from "ajv";
import formats from "ajv-formats";

const checker = new Ajv({ strict: false, allErrors: true });
formats.default(checker);
const validate = checker.compile(schema);

/** Errors of a list by the schema of tokenlists.org. */
export function againstTokenListSchema(list: unknown): readonly string[] {
  if (validate(list)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
