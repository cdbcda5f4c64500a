import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Prefix of every key, so that scanners find keys that were published by mistake. */
const PREFIX = "trb";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const ID_LENGTH = 10;

/** 190 bits: nobody guesses it, so that one quick hash is enough to keep it. */
const SECRET_LENGTH = 32;

/** Base-62 digits that hold 32 bits. */
const CHECKSUM_LENGTH = 6;

const FORM = new RegExp(
  `^(${PREFIX}_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}}))_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** The parts of a key: `trb_<id>_<secret>_<checksum>`, all in base 62. The id is no secret. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

export function newKeyId(): string {
  return randomDigits(ID_LENGTH);
}

export function newSecret(): string {
  return randomDigits(SECRET_LENGTH);
}

/** The key as its owner gets it. */
export function keyText({ id, secret }: KeyParts): string {
  const body = `${PREFIX}_${id}_${secret}`;
  return `${body}_${checksum(body)}`;
}

/** The parts of a key, or undefined when the text is none or was mistyped. */
export function parseKeyText(text: string): KeyParts | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, body, id, secret, sum] = match as unknown as [string, string, string, string, string];
  return sum === checksum(body) ? { id, secret } : undefined;
}

/** CRC-32 of the text before it: tells a mistyped key from an unknown one without looking it up. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = DIGITS[rest % DIGITS.length] + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join("");
}
