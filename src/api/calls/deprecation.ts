import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  isFieldSet,
  type Message,
} from "@bufbuild/protobuf";
import { type Deprecation, field_deprecation, method_deprecation } from "#gen/rest/v1/options_pb.ts";

/** Headers for a call that uses deprecated parts of the contract; undefined for all others. */
export type DeprecationHeaders = (method: DescMethod, request: Message) => Readonly<Record<string, string>> | undefined;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The page that names what to use instead, by its path on the service. */
const LINK = '</docs>; rel="deprecation"; type="text/html"';

/**
 * Reads from the contract what is deprecated in its methods and requests.
 * @throws Error for a part that is marked deprecated without dates, or has dates without the mark
 */
export function createDeprecationHeaders(service: DescService): DeprecationHeaders {
  const inRequests = new Map<string, readonly DatedField[]>();
  for (const { input } of service.methods) readFields(input, inRequests);
  const ofMethods = new Map(service.methods.map((method) => [method.name, datesOf(method)]));
  return (method, request) => {
    const own = ofMethods.get(method.name);
    const used = [...(own === undefined ? [] : [own]), ...usedIn(request, inRequests)];
    return used.length === 0 ? undefined : headersOf(used);
  };
}

/** A field that is deprecated, or holds messages that may have such fields. */
interface DatedField {
  readonly field: DescField;
  readonly dates: Deprecation | undefined;
}

/** Notes a message's deprecated fields, and those that lead to some, by the message's name. Messages without any have an empty list. */
function readFields(desc: DescMessage, found: Map<string, readonly DatedField[]>): void {
  if (found.has(desc.typeName)) return;
  found.set(desc.typeName, []);
  const fields = desc.fields.map((field) => {
    if (field.message !== undefined) readFields(field.message, found);
    return { field, dates: datesOf(field) };
  });
  const isDated = ({ field, dates }: DatedField) =>
    dates !== undefined || (field.message !== undefined && found.get(field.message.typeName)?.length !== 0);
  found.set(desc.typeName, fields.filter(isDated));
}

function datesOf(desc: DescField | DescMethod): Deprecation | undefined {
  const dates =
    desc.kind === "field"
      ? hasOption(desc, field_deprecation) && getOption(desc, field_deprecation)
      : hasOption(desc, method_deprecation) && getOption(desc, method_deprecation);
  if (desc.deprecated !== (dates !== false)) {
    throw new Error(`${desc}: "deprecated" and the dates of its deprecation go together`);
  }
  if (dates === false) return undefined;
  for (const day of [dates.since, ...(dates.sunset === "" ? [] : [dates.sunset])]) {
    if (!DAY.test(day) || Number.isNaN(Date.parse(day))) throw new Error(`${desc}: no day is written ${day}`);
  }
  return dates;
}

/** Dates of the deprecated fields that are set in a message, and in those inside it. */
function* usedIn(message: Message, fields: ReadonlyMap<string, readonly DatedField[]>): Generator<Deprecation> {
  for (const { field, dates } of fields.get(message.$typeName) ?? []) {
    if (!isFieldSet(message, field)) continue;
    if (dates !== undefined) yield dates;
    if (field.message === undefined) continue;
    const value = (message as Message & Readonly<Record<string, unknown>>)[field.localName];
    for (const inner of Array.isArray(value) ? value : [value]) yield* usedIn(inner as Message, fields);
  }
}

/** The earliest days are those that the caller has to reckon with. */
function headersOf(used: readonly Deprecation[]): Readonly<Record<string, string>> {
  const [since = ""] = used.map((dates) => dates.since).sort();
  const [sunset] = used.flatMap((dates) => (dates.sunset === "" ? [] : [dates.sunset])).sort();
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    link: LINK,
  };
}
