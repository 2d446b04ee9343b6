import type { ConsoleFile, ConsoleRequest, JsonMember, JsonNode, Problem } from './json-node.js';

/** Deepest nesting that is followed. */
const DEPTH_MAX = 100;
/** Problems of one file that are told. */
const PROBLEMS_MAX = 200;
/** First line of a request. */
const REQUEST = /(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH)(?:[ \t]+([^\r\n]*)|[ \t]*(?=\r?\n|$))/iy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[^\s,:[\]{}"#]+/y;
const VARIABLE = /\$\{[^}\r\n]*\}/y;

/**
 * Reads a file of the console: requests, each a line with method and path, and JSON values until the next such line.
 * `#`, `//` and `/* … *\/` begin comments, `"""` a text over several lines, `${name}` a variable. Never throws: what
 * cannot be read is a problem, and the next request is read as if it were not there.
 */
export function parseConsole(text: string): ConsoleFile {
  const reader = new Reader(text);
  return { requests: reader.requests(), problems: reader.problems };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  requests(): ConsoleRequest[] {
    const requests: ConsoleRequest[] = [];
    for (;;) {
      this.#skip();
      if (this.#at >= this.#text.length) return requests;
      if (this.#isRequest()) requests.push(this.#request());
      else this.#skipStray();
    }
  }

  #problem(from: number, to: number, message: string): void {
    if (this.problems.length === PROBLEMS_MAX) return;
    this.problems.push({ from, to: Math.min(to, this.#text.length), message, severity: 'error' });
  }

  /** Text before the first request, or after the values of one. */
  #skipStray(): void {
    const from = this.#at;
    const line = this.#text.indexOf('\n', from);
    this.#at = line === -1 ? this.#text.length : line;
    this.#problem(from, this.#at, 'A method and a path are expected here, such as GET /_search.');
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  /** Whether a request begins here: only at the begin of a line. */
  #isRequest(): boolean {
    if (!this.#isLineStart()) return false;
    const found = this.#match(REQUEST);
    return found !== null && (found[2] === undefined || /^[^\s:]/.test(found[2]));
  }

  #isLineStart(): boolean {
    for (let i = this.#at - 1; i >= 0; i--) {
      const char = this.#text[i]!;
      if (char === '\n') return true;
      if (char !== ' ' && char !== '\t' && char !== '\r') return false;
    }
    return true;
  }

  #request(): ConsoleRequest {
    const from = this.#at;
    const found = this.#match(REQUEST)!;
    const method = found[1]!;
    const rest = found[2] ?? '';
    const path = pathOf(rest);
    const pathFrom = found[2] === undefined ? from + found[0].length : from + found[0].length - rest.length;
    this.#at = from + found[0].length;
    let to = pathFrom + path.length;
    const trailing = rest.slice(path.length).trim();
    if (trailing !== '' && !/^(?:#|\/\/)/.test(trailing))
      this.#problem(to, this.#at, 'A path has no spaces: write %20.');
    const body: JsonNode[] = [];
    for (;;) {
      this.#skip();
      if (this.#at >= this.#text.length || this.#isRequest()) break;
      const value = this.#value();
      if (value === null) {
        this.#unexpected('A JSON value is expected here.');
        continue;
      }
      body.push(value);
      to = value.to;
      this.#skip();
      // Between values of lines nothing is needed; a comma is a slip.
      if (this.#text[this.#at] === ',') this.#unexpected('Values of a body are not separated by commas.');
    }
    return { from, to, method: method.toUpperCase(), methodTo: from + method.length, path, pathFrom, body };
  }

  #unexpected(message: string): void {
    const word = this.#match(WORD);
    const to = this.#at + Math.max(1, word?.[0].length ?? 0);
    this.#problem(this.#at, to, message);
    this.#at = to;
  }

  /** Skips spaces and comments. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      const char = text[this.#at];
      if (char === ' ' || char === '\n' || char === '\t' || char === '\r') this.#at++;
      else if (char === '#' || (char === '/' && text[this.#at + 1] === '/')) {
        const line = text.indexOf('\n', this.#at);
        this.#at = line === -1 ? text.length : line;
      } else if (char === '/' && text[this.#at + 1] === '*') {
        const end = text.indexOf('*/', this.#at + 2);
        if (end === -1) this.#problem(this.#at, this.#at + 2, 'The comment is not closed.');
        this.#at = end === -1 ? text.length : end + 2;
      } else return;
    }
  }

  /** Whether a container has to be given up: its end is not written, and the next request begins. */
  #isOver(): boolean {
    return this.#at >= this.#text.length || this.#isRequest();
  }

  #value(): JsonNode | null {
    const from = this.#at;
    const char = this.#text[from];
    if (char === '{' || char === '[') return this.#container(char === '{' ? 'object' : 'array');
    if (char === '"') return this.#string();
    for (const [kind, pattern] of SCALARS) {
      const found = this.#match(pattern);
      if (found === null || found[0] === '') continue;
      this.#at += found[0].length;
      if (kind === 'word' && !/^(?:true|false|null)$/.test(found[0]))
        this.#problem(from, this.#at, `[${found[0].slice(0, 50)}] is no JSON value; texts are in double quotes.`);
      return { kind, from, to: this.#at };
    }
    return null;
  }

  #container(kind: 'object' | 'array'): JsonNode {
    const from = this.#at++;
    if (++this.#depth > DEPTH_MAX) return this.#tooDeep(kind, from);
    const members: JsonMember[] = [];
    const items: JsonNode[] = [];
    const end = kind === 'object' ? '}' : ']';
    for (let isFirst = true; ; isFirst = false) {
      this.#skip();
      if (this.#isOver()) {
        this.#problem(from, from + 1, `The ${kind} is not closed.`);
        break;
      }
      if (this.#text[this.#at] === end) {
        this.#at++;
        break;
      }
      if (!isFirst) this.#separator(kind);
      this.#skip();
      if (this.#isOver()) continue;
      if (this.#text[this.#at] === end) {
        this.#problem(this.#at, this.#at + 1, 'There is nothing after the last comma.');
        continue;
      }
      if (kind === 'object') this.#member(members);
      else this.#item(items);
    }
    this.#depth--;
    return { kind, from, to: this.#at, ...(kind === 'object' ? { members } : { items }) };
  }

  #tooDeep(kind: 'object' | 'array', from: number): JsonNode {
    this.#problem(from, from + 1, `Values are nested more than ${DEPTH_MAX} levels deep.`);
    while (!this.#isOver()) {
      const line = this.#text.indexOf('\n', this.#at);
      this.#at = line === -1 ? this.#text.length : line + 1;
    }
    this.#depth--;
    return { kind, from, to: this.#at };
  }

  #separator(kind: string): void {
    if (this.#text[this.#at] === ',') this.#at++;
    else this.#problem(this.#at, this.#at + 1, `A comma or the end of the ${kind} is expected here.`);
  }

  #member(members: JsonMember[]): void {
    const isKey = this.#text[this.#at] === '"' || this.#text.startsWith('${', this.#at);
    if (!isKey) {
      this.#unexpected('A key in double quotes is expected here.');
      this.#skip();
      if (this.#text[this.#at] === ':') {
        this.#at++;
        this.#skip();
        this.#value();
      }
      return;
    }
    const key = this.#value()!;
    this.#skip();
    if (this.#text[this.#at] !== ':') {
      this.#problem(key.to, key.to + 1, 'A colon and a value are expected after the key.');
      members.push({ key, value: null });
      return;
    }
    const colon = this.#at++;
    this.#skip();
    const value = this.#isOver() ? null : this.#value();
    if (value === null) this.#problem(colon, colon + 1, 'A value is expected after the colon.');
    members.push({ key, value });
  }

  #item(items: JsonNode[]): void {
    const value = this.#value();
    if (value === null) this.#unexpected('A JSON value is expected here.');
    else items.push(value);
  }

  #string(): JsonNode {
    const from = this.#at;
    const text = this.#text;
    if (text.startsWith('"""', from)) {
      const end = text.indexOf('"""', from + 3);
      if (end === -1) this.#problem(from, from + 3, 'The text in triple quotes is not closed.');
      this.#at = end === -1 ? text.length : end + 3;
      return { kind: 'triple', from, to: this.#at };
    }
    for (let i = from + 1; i < text.length && text[i] !== '\n'; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '"') {
        this.#at = i + 1;
        this.#checkEscapes(from, this.#at);
        return { kind: 'string', from, to: this.#at };
      }
    }
    const line = text.indexOf('\n', from);
    this.#at = line === -1 ? text.length : line;
    this.#problem(from, this.#at, 'The text is not closed: a double quote is missing.');
    return { kind: 'string', from, to: this.#at };
  }

  #checkEscapes(from: number, to: number): void {
    const bad = /\\(?!["\\/bfnrt]|u[\da-fA-F]{4})./.exec(this.#text.slice(from, to).replace(/\\\\/g, '  '));
    if (bad !== null) this.#problem(from + bad.index, from + bad.index + 2, `[${bad[0]}] is no escape of JSON.`);
  }
}

const SCALARS = [
  ['variable', VARIABLE],
  ['number', new RegExp(`${NUMBER.source}(?![^\\s,:[\\]{}"#])`, 'y')],
  ['word', WORD],
] as const;

/** The path in what follows a method: up to a space that begins a comment or nothing. */
function pathOf(rest: string): string {
  // Names of date math, `<logs-{now/d}>`, have no spaces either.
  return /^\S*/.exec(rest)![0];
}
