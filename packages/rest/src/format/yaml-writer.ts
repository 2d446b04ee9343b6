import { endOfScalar, type LayoutWriter, nextToken } from './pretty-json.js';

const BRACE_OPEN = 0x7b;
const BRACKET_OPEN = 0x5b;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** Keys that YAML reads as texts without quotes. */
const PLAIN_KEY = /^[A-Za-z_][\w./-]*$/;
/** Plain scalars that YAML 1.1 or 1.2 reads as something else than a text. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** A key without `?` before it has this many characters at most. */
const KEY_LENGTH_MAX = 1024;
// oxlint-disable-next-line no-control-regex -- these are what YAML does not print
const UNPRINTED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text in double quotes. `json` is the text in JSON. */
function quoted(json: string): string {
  const text = json.includes('\\') ? JSON.stringify(JSON.parse(json)) : json;
  return text.replace(UNPRINTED, escaped);
}

function keyOf(json: string): string {
  const text = quoted(json);
  const inner = text.slice(1, -1);
  if (PLAIN_KEY.test(inner) && !WORDS.test(inner) && inner.length <= KEY_LENGTH_MAX) return inner;
  return text.length > KEY_LENGTH_MAX ? `? ${text}\n` : text;
}

/** An object or array whose end has not come. */
interface Level {
  readonly isArray: boolean;
  /** What stands before each of its items or keys. */
  readonly indent: string;
  /** Whether its first item or key stands in the line of its parent's dash. */
  isInLine: boolean;
}

/**
 * Writes a JSON text as YAML in block style: texts in double quotes, keys without where they may be, items of an array
 * at the level of its key.
 */
export function yamlWriter(bytes: Uint8Array): LayoutWriter {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const layout = new YamlLayout(source);
  const written: Buffer[] = [];
  return {
    advance(tokens) {
      for (let i = 0; i < tokens && !layout.isOver; i++) layout.token();
      written.push(Buffer.from(layout.take()));
      return !layout.isOver;
    },
    bytes: () => (written.length === 1 ? written[0]! : Buffer.concat(written)),
  };
}

class YamlLayout {
  readonly #source: Buffer;
  readonly #levels: Level[] = [];
  #parts: string[] = ['---'];
  #at: number;
  /** Whether the next text of an object is a value. */
  #isAfterKey = false;

  constructor(source: Buffer) {
    this.#source = source;
    this.#at = nextToken(source, 0);
  }

  get isOver(): boolean {
    return this.#at >= this.#source.length;
  }

  /** What was written since the last call. */
  take(): string {
    const text = this.#parts.join('');
    this.#parts = [];
    return text;
  }

  token(): void {
    const byte = this.#source[this.#at]!;
    if (byte === COMMA) this.#move(1);
    else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) this.#open(byte === BRACKET_OPEN);
    else if (byte === BRACE_OPEN + 2 || byte === BRACKET_OPEN + 2) {
      this.#levels.pop();
      this.#move(1);
    } else this.#scalar(byte);
  }

  #move(length: number): void {
    this.#at = nextToken(this.#source, this.#at + length);
  }

  /** Begins the line of an item or a key, or goes on in that of the parent's dash. */
  #begin(level: Level): void {
    if (level.isInLine) level.isInLine = false;
    else this.#parts.push(level.indent);
  }

  /** Writes what stands before a value: nothing behind a key, a dash in an array. Returns whether it was a dash. */
  #beforeValue(): boolean {
    const level = this.#levels.at(-1);
    this.#isAfterKey = false;
    if (level === undefined || !level.isArray) return false;
    this.#begin(level);
    this.#parts.push('-');
    return true;
  }

  #open(isArray: boolean): void {
    const parent = this.#levels.at(-1);
    const isItem = this.#beforeValue();
    const inner = nextToken(this.#source, this.#at + 1);
    if (this.#source[inner] === (isArray ? BRACKET_OPEN : BRACE_OPEN) + 2) {
      this.#parts.push(isArray ? ' []\n' : ' {}\n');
      this.#at = nextToken(this.#source, inner + 1);
      return;
    }
    const deeper = parent === undefined || (isArray && !isItem) ? '' : '  ';
    this.#parts.push(isItem ? ' ' : '\n');
    this.#levels.push({ isArray, indent: `${parent?.indent ?? ''}${deeper}`, isInLine: isItem });
    this.#at = inner;
  }

  #scalar(byte: number): void {
    const end = endOfScalar(this.#source, this.#at);
    const text = this.#source.toString('utf8', this.#at, end);
    const level = this.#levels.at(-1);
    this.#at = nextToken(this.#source, end);
    if (level !== undefined && !level.isArray && !this.#isAfterKey) return this.#key(level, text);
    this.#beforeValue();
    this.#parts.push(' ', byte === QUOTE ? quoted(text) : text, '\n');
  }

  #key(level: Level, json: string): void {
    const key = keyOf(json);
    this.#begin(level);
    this.#parts.push(key, key.endsWith('\n') ? `${level.indent}:` : ':');
    this.#isAfterKey = true;
    this.#move(1);
  }
}
