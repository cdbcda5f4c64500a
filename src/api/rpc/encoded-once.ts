import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { oncePerObject } from "../rest/once-per-object.ts";

/**
 * Messages that are sent to many callers in binary, each encoded once. All fields of such a message are unknown fields,
 * whose bytes an encoder writes as they are: it cannot be read, or written as JSON.
 */
export function encodedOnce<D extends DescMessage>(desc: D): (answer: MessageInitShape<D> & object) => MessageShape<D> {
  return oncePerObject((answer) => {
    const { $unknown } = fromBinary(EmptySchema, toBinary(desc, create(desc, answer)));
    return Object.assign(create(desc), $unknown && { $unknown });
  });
}
