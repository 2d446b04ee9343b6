/** A number that a double would print otherwise: `9007199254740993`, `1.10`, `4.0`. */
export class ExactNumber {
  /** The number as it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * A JSON value whose numbers print as they were written. Objects are maps: keys keep their order, and `__proto__` is a
 * key as any other.
 */
export type ExactJson =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly ExactJson[]
  | ReadonlyMap<string, ExactJson>;

/** A member of an object within JSON text; the text of its value is `[from, to)`. */
export interface RawMember {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Deepest nesting that is parsed: that of Elasticsearch's parser. */
const DEPTH_MAX = 1000;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

const fault = (at: number): SyntaxError => new SyntaxError(`no JSON at position ${at}`);

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** End of a string that begins with the quote at `at`. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw fault(at);
}

function tokenEnd(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw fault(at);
  return pattern.lastIndex;
}

/** End of an object or array that begins at `at`: brackets are counted, strings are jumped over. */
function nestedEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = stringEnd(text, i) - 1;
    else if (char === 0x7b || char === 0x5b) depth++;
    else if ((char === 0x7d || char === 0x5d) && --depth === 0) return i + 1;
  }
  throw fault(at);
}

/** End of the value that begins at `at`. Throws SyntaxError for text that is no JSON. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '{' || first === '[') return nestedEnd(text, at);
  if (first === '"') return stringEnd(text, at);
  return tokenEnd(text, at, first === 't' || first === 'f' || first === 'n' ? WORD : NUMBER);
}

function stringAt(text: string, from: number, to: number): string {
  const inner = text.slice(from + 1, to - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(from, to)) as string) : inner;
}

/** Members of the object that begins at `at`, without parsing their values; none if there is no object. */
export function rawMembers(text: string, at = 0): readonly RawMember[] {
  const members: RawMember[] = [];
  let i = skipSpace(text, at);
  if (text[i] !== '{') return members;
  for (i = skipSpace(text, i + 1); text[i] === '"'; i = skipSpace(text, i + 1)) {
    const keyEnd = stringEnd(text, i);
    const key = stringAt(text, i, keyEnd);
    i = skipSpace(text, keyEnd);
    if (text[i] !== ':') throw fault(i);
    const from = skipSpace(text, i + 1);
    const to = valueEnd(text, from);
    members.push({ key, from, to });
    i = skipSpace(text, to);
    if (text[i] !== ',') break;
  }
  if (text[i] !== '}') throw fault(i);
  return members;
}

/** Texts of the elements of the array that begins at `at`; none if there is no array. */
export function rawElements(text: string, at = 0): readonly string[] {
  const elements: string[] = [];
  let i = skipSpace(text, at);
  if (text[i] !== '[') return elements;
  i = skipSpace(text, i + 1);
  while (text[i] !== ']') {
    const to = valueEnd(text, i);
    elements.push(text.slice(i, to));
    i = skipSpace(text, to);
    if (text[i] === ',') i = skipSpace(text, i + 1);
    else if (text[i] !== ']') throw fault(i);
  }
  return elements;
}

/** Text of the value at a path of keys; null if there is none. */
export function rawAt(text: string, keys: readonly string[]): string | null {
  let [from, to] = [0, text.length];
  for (const key of keys) {
    const found = rawMembers(text, from).find((member) => member.key === key);
    if (found === undefined) return null;
    [from, to] = [found.from, found.to];
  }
  return text.slice(from, to);
}

function numberOf(text: string): number | ExactNumber {
  const value = Number(text);
  return String(value) === text ? value : new ExactNumber(text);
}

/** Parses JSON without changing a number. Throws SyntaxError for what is no JSON or nested more than 1,000 deep. */
export function parseExact(text: string): ExactJson {
  let at = 0;
  const next = (depth: number): ExactJson => {
    at = skipSpace(text, at);
    if (depth > DEPTH_MAX) throw fault(at);
    if (text[at] === '{') return object(depth);
    if (text[at] === '[') return array(depth);
    const from = at;
    at = valueEnd(text, at);
    if (text[from] === '"') return stringAt(text, from, at);
    const word = text.slice(from, at);
    return word === 'true' ? true : word === 'false' ? false : word === 'null' ? null : numberOf(word);
  };
  /** Whether another element follows; moves behind the comma or the closing bracket. */
  const hasMore = (close: string): boolean => {
    at = skipSpace(text, at);
    const char = text[at++];
    if (char !== ',' && char !== close) throw fault(at - 1);
    return char === ',';
  };
  const isEmpty = (close: string): boolean => {
    at = skipSpace(text, at + 1);
    if (text[at] !== close) return false;
    at++;
    return true;
  };
  const object = (depth: number): ExactJson => {
    const members = new Map<string, ExactJson>();
    if (isEmpty('}')) return members;
    do {
      const from = skipSpace(text, at);
      if (text[from] !== '"') throw fault(from);
      at = stringEnd(text, from);
      const key = stringAt(text, from, at);
      at = skipSpace(text, at);
      if (text[at++] !== ':') throw fault(at - 1);
      members.set(key, next(depth + 1));
    } while (hasMore('}'));
    return members;
  };
  const array = (depth: number): ExactJson => {
    const elements: ExactJson[] = [];
    if (isEmpty(']')) return elements;
    do elements.push(next(depth + 1));
    while (hasMore(']'));
    return elements;
  };
  const value = next(0);
  if (skipSpace(text, at) !== text.length) throw fault(at);
  return value;
}

const isNested = (value: ExactJson): value is readonly ExactJson[] | ReadonlyMap<string, ExactJson> =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Writes a value on one line, numbers as they were read. */
export function exactText(value: ExactJson): string {
  if (!isNested(value)) return value instanceof ExactNumber ? value.text : JSON.stringify(value);
  if (value instanceof Map)
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}:${exactText(inner)}`).join(',')}}`;
  return `[${(value as readonly ExactJson[]).map(exactText).join(',')}]`;
}

/** Indents JSON text for people; tokens, their order and duplicate keys stay as they are. */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let indent = '';
  for (let i = skipSpace(text, 0); i < text.length; i = skipSpace(text, i)) {
    const char = text[i]!;
    if (char === '{' || char === '[') {
      const inner = skipSpace(text, i + 1);
      if (text[inner] === '}' || text[inner] === ']') {
        parts.push(char + text[inner]);
        i = inner + 1;
        continue;
      }
      indent += '  ';
      parts.push(`${char}\n${indent}`);
    } else if (char === '}' || char === ']') {
      indent = indent.slice(2);
      parts.push(`\n${indent}${char}`);
    } else if (char === ',') parts.push(`,\n${indent}`);
    else if (char === ':') parts.push(': ');
    else {
      const end = valueEnd(text, i);
      parts.push(text.slice(i, end));
      i = end;
      continue;
    }
    i++;
  }
  return parts.join('');
}
