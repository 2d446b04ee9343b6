import { JsonFault } from './json-fault.js';
import { setOwn } from './plain-object.js';

/** Limit of the nesting of arrays and objects (Jackson's stream constraint). */
export const DEPTH_MAX = 1000;
/** Limit of the characters of a number (Jackson's stream constraint). */
const NUMBER_LENGTH_MAX = 1000;

const ESCAPES = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);
const EXPECTED_VALUE = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

const BETWEEN = 'Unexpected end-of-input within/between Object entries';
const UNFINISHED_OBJECT = 'Unexpected end-of-input: expected close marker for Object (start marker at %OPENER%)';
const UNFINISHED_ARRAY = 'Unexpected end-of-input: expected close marker for Array (start marker at %OPENER%)';

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isIdentifier = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f || byte === 0x24;
const describe = (byte: number): string =>
  byte < 0x20 ? `CTRL-CHAR, code ${byte}` : `'${String.fromCharCode(byte)}' (code ${byte})`;

/**
 * What the next token may be; `first-…`: or the end of the container. `separator` is a comma or the end of the
 * container, after the root the end of the text.
 */
type Expect = 'root' | 'first-item' | 'item' | 'first-key' | 'key' | 'member' | 'separator' | 'end';

type Container = unknown[] | Record<string, unknown>;

/** An open container. */
interface OpenContainer {
  readonly container: Container;
  readonly isArray: boolean;
  /** Offset of its opening bracket. */
  readonly start: number;
  /** Key of the member that is being read. */
  key: string;
}

/**
 * Bytes that values take in V8's heap, measured: an empty container with its slot in its parent; a key that the text
 * has had before, and a new one, which needs a name, a shape of its own and, in a large object, room in a table that is
 * copied when it grows; a number or a literal; what a string or a long integer takes besides its bytes.
 */
const WEIGHTS = { container: 64, knownKey: 8, newKey: 400, scalar: 8, text: 32 };
/** Keys that are known at a time. Records repeat few keys; a text of ever new keys must not be held twice. */
const KNOWN_KEYS_MAX = 4_096;

/**
 * JSON parser that accepts what Elasticsearch accepts (RFC 8259 and comments), refuses duplicate keys, and reads
 * integers beyond 2^53 as bigint. Throws `JsonFault` with Jackson's wording and position. It does not recurse and may
 * be left after any token, so that a large text is read in slices. This is the slow path: short and valid text without
 * such integers is parsed by `JSON.parse` (`parseJson`).
 */
export class StrictParser {
  readonly #bytes: Buffer;
  readonly #keepsLast: boolean;
  readonly #stack: OpenContainer[] = [];
  readonly #knownKeys = new Set<string>();
  #expect: Expect = 'root';
  #root: unknown;
  #at: number;
  #lastToken = 0;
  #weight = 0;

  /** `keepsLast`: of the members of an object with the same key the last one counts; else they are refused. */
  constructor(bytes: Uint8Array, keepsLast = false) {
    this.#keepsLast = keepsLast;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  /** Parses the text, which must be a single value. */
  parse(): unknown {
    while (!this.advance(this.#bytes.length)) continue;
    return this.value;
  }

  /** Reads the tokens of about `byteCount` more bytes. Returns whether the text is read to its end. */
  advance(byteCount: number): boolean {
    const until = this.#at + byteCount;
    while (this.#expect !== 'end') {
      if (this.#at > until) return false;
      this.#token();
    }
    return true;
  }

  /** The value of the text, once `advance` has returned true. */
  get value(): unknown {
    return this.#root;
  }

  /** About how many bytes the values that have been read take. */
  get weight(): number {
    return this.#weight;
  }

  /** Reads one token, and for a key its colon. */
  #token(): void {
    switch (this.#expect) {
      case 'root':
        return this.#value(this.#next('No content to map due to end-of-input'));
      case 'first-item':
      case 'item':
        return this.#item();
      case 'first-key':
      case 'key':
        return this.#key();
      case 'member':
        return this.#value(this.#next(BETWEEN));
      case 'separator':
        return this.#stack.length === 0 ? this.#trailer() : this.#separator();
      case 'end':
    }
  }

  #item(): void {
    const byte = this.#next(UNFINISHED_ARRAY, this.#top.start);
    if (byte === 0x5d && this.#expect === 'first-item') this.#close();
    else this.#value(byte);
  }

  #key(): void {
    const { container, start } = this.#top;
    const quote = this.#next(UNFINISHED_OBJECT, start);
    if (quote === 0x7d && this.#expect === 'first-key') return this.#close();
    if (quote !== 0x22)
      throw this.#fault(`Unexpected character (${describe(quote)}): was expecting double-quote to start field name`);
    const keyStart = this.#at - 1;
    const key = this.#string('FIELD_NAME');
    if (!this.#keepsLast && Object.hasOwn(container, key)) throw this.#fault(`Duplicate field '${key}'`);
    this.#lastToken = keyStart;
    const colon = this.#next(BETWEEN);
    if (colon !== 0x3a)
      throw this.#fault(
        `Unexpected character (${describe(colon)}): was expecting a colon to separate field name and value`,
      );
    this.#weight += this.#knownKeys.has(key) ? WEIGHTS.knownKey : this.#newKey(key);
    this.#top.key = key;
    this.#expect = 'member';
  }

  #newKey(key: string): number {
    if (this.#knownKeys.size === KNOWN_KEYS_MAX) this.#knownKeys.clear();
    this.#knownKeys.add(key);
    return WEIGHTS.newKey + key.length;
  }

  #separator(): void {
    const { isArray, start } = this.#top;
    const byte = this.#next(isArray ? UNFINISHED_ARRAY : UNFINISHED_OBJECT, start);
    if (byte === 0x2c) this.#expect = isArray ? 'item' : 'key';
    else if (byte === (isArray ? 0x5d : 0x7d)) this.#close();
    else throw isArray ? this.#separatorFault(byte, 'Array', ']') : this.#separatorFault(byte, 'Object', '}');
  }

  /** What follows the root value. */
  #trailer(): void {
    this.#skipBlanks();
    const byte = this.#bytes[this.#at];
    if (byte === undefined) {
      this.#expect = 'end';
      return;
    }
    this.#at++;
    if (byte === 0x7d || byte === 0x5d) {
      throw this.#fault(
        `Unexpected close marker '${String.fromCharCode(byte)}': expected '${byte === 0x7d ? ']' : '}'}' (for root ` +
          'starting at %ROOT%)',
        { isTrailing: true },
      );
    }
    if (byte === 0x7b || byte === 0x5b || byte === 0x22 || isDigit(byte))
      throw this.#fault('Unexpected trailing content after the value', { isTrailing: true });
    throw this.#unknownToken(this.#at - 1, true);
  }

  get #top(): OpenContainer {
    return this.#stack[this.#stack.length - 1]!;
  }

  #fault(message: string, details: { opener?: number; isTrailing?: boolean } = {}): JsonFault {
    return new JsonFault('syntax', message, this.#at, this.#lastToken, details);
  }

  #eof(message: string, opener?: number): JsonFault {
    return new JsonFault('eof', message, this.#bytes.length, this.#lastToken, opener === undefined ? {} : { opener });
  }

  /** Skips white space and comments; consumes and returns the next byte. */
  #next(endMessage: string, opener?: number): number {
    this.#skipBlanks();
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw this.#eof(endMessage, opener);
    return byte;
  }

  #skipBlanks(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.#at++;
      else if (byte === 0x2f) this.#skipComment();
      else if (byte !== undefined && byte < 0x20) {
        this.#at++;
        throw this.#fault(
          `Illegal character ((${describe(byte)})): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
        );
      } else return;
    }
  }

  #skipComment(): void {
    const kind = this.#bytes[this.#at + 1];
    const end = kind === 0x2a ? this.#bytes.indexOf('*/', this.#at + 2) : this.#bytes.indexOf('\n', this.#at + 2);
    if (kind !== 0x2a && kind !== 0x2f) {
      this.#at += 2;
      throw this.#fault(
        `Unexpected character (${describe(kind ?? 0x2f)}): was expecting either '*' or '/' for a comment`,
      );
    }
    if (end < 0 && kind === 0x2a) throw this.#eof('Unexpected end-of-input in a comment');
    this.#at = end < 0 ? this.#bytes.length : end + (kind === 0x2a ? 2 : 1);
  }

  #value(first: number): void {
    const start = this.#at - 1;
    switch (first) {
      case 0x7b:
      case 0x5b:
        return this.#open(start, first === 0x5b);
      case 0x22: {
        this.#lastToken = start;
        const text = this.#string('VALUE_STRING');
        this.#weight += WEIGHTS.text + (this.#at - start);
        return this.#put(text);
      }
      case 0x74:
        return this.#put(this.#literal(start, 'true', true));
      case 0x66:
        return this.#put(this.#literal(start, 'false', false));
      case 0x6e:
        return this.#put(this.#literal(start, 'null', null));
    }
    if (first === 0x2d || isDigit(first)) return this.#put(this.#number(start));
    throw this.#unexpectedValue(first, start);
  }

  /** Hands a value to its container, or makes it the root. */
  #put(value: unknown): void {
    this.#attach(value);
    this.#expect = 'separator';
  }

  #attach(value: unknown): void {
    this.#weight += WEIGHTS.scalar;
    if (this.#stack.length === 0) {
      this.#root = value;
      return;
    }
    const { container, isArray, key } = this.#top;
    if (isArray) (container as unknown[]).push(value);
    else setOwn(container as Record<string, unknown>, key, value);
  }

  #open(start: number, isArray: boolean): void {
    this.#lastToken = start;
    const depth = this.#stack.length + 1;
    if (depth > DEPTH_MAX) {
      throw new JsonFault(
        'limit',
        `Depth (${depth}) exceeds the maximum allowed nesting depth (${DEPTH_MAX})`,
        this.#at,
        start,
      );
    }
    const container: Container = isArray ? [] : {};
    this.#weight += WEIGHTS.container;
    this.#attach(container);
    this.#stack.push({ container, isArray, start, key: '' });
    this.#expect = isArray ? 'first-item' : 'first-key';
  }

  #close(): void {
    this.#stack.pop();
    this.#lastToken = this.#at - 1;
    this.#expect = 'separator';
  }

  #unexpectedValue(first: number, start: number): JsonFault {
    if (this.#bytes.toString('latin1', start, start + 3) === 'NaN') {
      this.#at = start + 3;
      return this.#fault("Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow");
    }
    if (isIdentifier(first)) return this.#unknownToken(start);
    if (first === 0x5d || first === 0x7d || first === 0x2c)
      return this.#fault(`Unexpected character (${describe(first)}): expected a value`);
    return this.#fault(`Unexpected character (${describe(first)}): expected a valid value ${EXPECTED_VALUE}`);
  }

  #unknownToken(start: number, isTrailing = false): JsonFault {
    let end = start;
    while (end < this.#bytes.length && isIdentifier(this.#bytes[end]!)) end++;
    if (end === start)
      return this.#fault(
        `Unexpected character (${describe(this.#bytes[start]!)}): expected a valid value ${EXPECTED_VALUE}`,
        { isTrailing },
      );
    this.#at = Math.min(end + 1, this.#bytes.length);
    return this.#fault(
      `Unrecognized token '${this.#bytes.toString('latin1', start, end)}': was expecting ${EXPECTED_VALUE}`,
      { isTrailing },
    );
  }

  #literal<T>(start: number, word: string, value: T): T {
    const end = start + word.length;
    const follower = this.#bytes[end];
    if (this.#bytes.toString('latin1', start, end) !== word || (follower !== undefined && isIdentifier(follower)))
      throw this.#unknownToken(start);
    this.#at = end;
    this.#lastToken = start;
    return value;
  }

  #separatorFault(byte: number, container: string, close: string): JsonFault {
    if (byte === 0x5d || byte === 0x7d)
      return this.#fault(`Unexpected close marker '${String.fromCharCode(byte)}': expected '${close}'`);
    return this.#fault(
      `Unexpected character (${describe(byte)}): was expecting comma to separate ${container} entries`,
    );
  }

  #string(token: 'VALUE_STRING' | 'FIELD_NAME'): string {
    let text = '';
    let from = this.#at;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined)
        throw this.#eof(
          token === 'FIELD_NAME' ? 'Unexpected end-of-input in field name' : 'Unexpected end-of-input in VALUE_STRING',
        );
      if (byte === 0x22) return text + this.#bytes.toString('utf8', from, this.#at - 1);
      if (byte === 0x5c) {
        text += this.#bytes.toString('utf8', from, this.#at - 1) + this.#escape();
        from = this.#at;
      } else if (byte < 0x20) {
        throw this.#fault(
          `Illegal unquoted character ((${describe(byte)})): has to be escaped using backslash to be included in ` +
            `${token === 'FIELD_NAME' ? 'name' : 'string value'}`,
        );
      } else if (byte >= 0x80) this.#continuation(byte);
    }
  }

  #escape(): string {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw this.#eof('Unexpected end-of-input in character escape sequence');
    const simple = ESCAPES.get(byte);
    if (simple !== undefined) return simple;
    if (byte !== 0x75) throw this.#fault(`Unrecognized character escape ${describe(byte)}`);
    return String.fromCharCode(this.#hex());
  }

  #hex(): number {
    let code = 0;
    for (let i = 0; i < 4; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw this.#eof('Unexpected end-of-input in character escape sequence');
      const digit = Number.parseInt(String.fromCharCode(byte), 16);
      if (Number.isNaN(digit))
        throw this.#fault(
          `Unexpected character (${describe(byte)}): expected a hex-digit for character escape sequence`,
        );
      code = code * 16 + digit;
    }
    return code;
  }

  /** Consumes and checks the bytes of a multi-byte UTF-8 character after its first one. */
  #continuation(first: number): void {
    const hex = (byte: number): string => `0x${byte.toString(16)}`;
    const more =
      first >= 0xf0 && first < 0xf8 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc0 && first < 0xe0 ? 1 : 0;
    if (more === 0) throw this.#fault(`Invalid UTF-8 start byte ${hex(first)}`);
    for (let i = 0; i < more; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw this.#eof('Unexpected end-of-input in VALUE_STRING');
      if ((byte & 0xc0) !== 0x80) throw this.#fault(`Invalid UTF-8 middle byte ${hex(byte)}`);
    }
  }

  #digits(what: string): void {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.#eof('Unexpected end-of-input within number');
    if (!isDigit(byte)) {
      this.#at++;
      throw this.#fault(`Unexpected character (${describe(byte)}) in numeric value: ${what}`);
    }
    while (isDigit(this.#bytes[this.#at])) this.#at++;
  }

  #number(start: number): number | bigint {
    this.#at = this.#bytes[start] === 0x2d ? start + 1 : start;
    if (this.#bytes[this.#at] === 0x30 && isDigit(this.#bytes[this.#at + 1])) {
      this.#at++;
      throw this.#fault('Invalid numeric value: Leading zeroes not allowed');
    }
    this.#digits('expected digit (0-9) to follow minus sign, for valid numeric value');
    const isInteger = !this.#fractionAndExponent();
    this.#numberEnd(start);
    this.#lastToken = start;
    const text = this.#bytes.toString('latin1', start, this.#at);
    const value = Number(text);
    if (!isInteger || Number.isSafeInteger(value)) return value;
    this.#weight += WEIGHTS.text + text.length;
    return BigInt(text);
  }

  #fractionAndExponent(): boolean {
    const from = this.#at;
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#digits('Decimal point not followed by a digit');
    }
    if (this.#bytes[this.#at] === 0x65 || this.#bytes[this.#at] === 0x45) {
      this.#at++;
      if (this.#bytes[this.#at] === 0x2b || this.#bytes[this.#at] === 0x2d) this.#at++;
      this.#digits('Exponent indicator not followed by a digit');
    }
    return this.#at > from;
  }

  #numberEnd(start: number): void {
    const length = this.#at - start;
    if (length > NUMBER_LENGTH_MAX) {
      throw new JsonFault(
        'limit',
        `Number value length (${length}) exceeds the maximum allowed (${NUMBER_LENGTH_MAX}, from ` +
          `\`StreamReadConstraints.getMaxNumberLength()\`)`,
        this.#at,
        start,
      );
    }
    const byte = this.#bytes[this.#at];
    if (byte !== undefined && isIdentifier(byte)) {
      this.#at++;
      throw this.#fault(`Unexpected character (${describe(byte)}): Expected space separating root-level values`);
    }
  }
}
