import openapi from "./openapi.json" with { type: "json" };

/** The parts of an OpenAPI document that pages for people are made from. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Operations at a path, by HTTP method. */
export interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
}

/** An operation with its HTTP method. */
export interface VerbOperation {
  readonly verb: "GET" | "POST";
  readonly operation: Operation;
}

/** The operations at a path. */
export function operationsAt({ get, post }: PathItem): readonly VerbOperation[] {
  return [
    ...(get === undefined ? [] : [{ verb: "GET", operation: get } as const]),
    ...(post === undefined ? [] : [{ verb: "POST", operation: post } as const]),
  ];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** JSON body of a POST. */
  readonly requestBody?: Pick<Answer, "content">;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly "x-codeSamples"?: readonly CodeSample[];
}

/** A request as text to copy, as viewers show it beside an operation. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
}

/** The API as `tools/openapi.ts` wrote it down: of no service in particular. */
export const apiDocument = openapi as unknown as ApiDocument;

/** A schema's name for people, such as `Order[]` or `string or null`. */
export function typeName(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeName).join(" or ");
  if (schema.items !== undefined) return `${typeName(schema.items)}[]`;
  return typeof schema.type === "string" ? schema.type : (schema.type ?? []).join(" or ");
}
