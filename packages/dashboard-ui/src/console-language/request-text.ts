import type { ConsoleRequest, JsonNode } from './json-node.js';

/** A piece of the body as it is sent, and where it is in the editor. */
interface Piece {
  readonly sentFrom: number;
  readonly from: number;
  /** Whether the piece was rewritten: all of it has the place of its begin. */
  readonly isRewritten: boolean;
}

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, with a leading slash. */
  readonly path: string;
  /** Null if the request has no body. */
  readonly body: string | null;
  /** The offset in the editor of an offset in the body. */
  readonly placeOf: (sentOffset: number) => number;
}

/** Values of variables by name. */
export type Variables = ReadonlyMap<string, string>;

const VARIABLE = /\$\{([^}\r\n]*)\}/g;

/** Puts in the values of variables; unknown ones stay. */
export const withVariables = (text: string, variables: Variables): string =>
  text.replace(VARIABLE, (whole, name: string) => variables.get(name) ?? whole);

/** Whether a call takes a JSON value a line. */
export const isOfLines = (path: string): boolean => /\/_(?:bulk|msearch(?:\/template)?)\/?(?:\?|$)/.test(`/${path}`);

/**
 * The request as the cluster gets it: without comments, texts in triple quotes as JSON, variables put in. Everything
 * else stays byte for byte, so that numbers keep their digits and the cluster's errors their lines. Several values are
 * sent a line each.
 */
export function sentRequest(request: ConsoleRequest, text: string, variables: Variables): SentRequest {
  const { body, method } = request;
  const path = withVariables(request.path, variables);
  const writer = new BodyWriter(text, variables);
  const isLines = body.length > 1 || isOfLines(path);
  for (const value of body) writer.value(value, isLines);
  return {
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    body: body.length === 0 ? null : writer.sent,
    placeOf: (offset) => writer.placeOf(offset),
  };
}

class BodyWriter {
  sent = '';
  readonly #pieces: Piece[] = [];
  readonly #text: string;
  readonly #variables: Variables;

  constructor(text: string, variables: Variables) {
    this.#text = text;
    this.#variables = variables;
  }

  value(node: JsonNode, isLine: boolean): void {
    let at = node.from;
    for (const leaf of leavesOf(node)) {
      this.#between(at, leaf.from, isLine);
      this.#leaf(leaf);
      at = leaf.to;
    }
    this.#between(at, node.to, isLine);
    if (isLine) this.sent += '\n';
  }

  placeOf(offset: number): number {
    const piece = this.#pieces.findLast(({ sentFrom }) => sentFrom <= offset) ?? this.#pieces[0];
    if (piece === undefined) return 0;
    // The end of the last line is beyond a text that does not end with one.
    return piece.isRewritten ? piece.from : Math.min(piece.from + (offset - piece.sentFrom), this.#text.length);
  }

  #add(sent: string, from: number, isRewritten: boolean): void {
    this.#pieces.push({ sentFrom: this.sent.length, from, isRewritten });
    this.sent += sent;
  }

  /** Brackets, commas, spaces and comments between texts and numbers. */
  #between(from: number, to: number, isLine: boolean): void {
    const pattern = /#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|[^#/]+|\//g;
    for (const { 0: part, index } of this.#text.slice(from, to).matchAll(pattern)) {
      const isComment = /^(?:#|\/[/*])/.test(part);
      // Lines stay where they are, so that the cluster's errors name them; a value of lines is one line.
      if (isComment) this.#add(isLine ? '' : part.replace(/[^\n]/g, ''), from + index, true);
      else this.#add(isLine ? part.replace(/\s+/g, ' ') : part, from + index, isLine);
    }
  }

  #leaf({ kind, from, to }: JsonNode): void {
    const raw = this.#text.slice(from, to);
    if (kind === 'triple') {
      const content = withVariables(
        raw.slice(3, raw.endsWith('"""') && raw.length >= 6 ? -3 : undefined),
        this.#variables,
      );
      return this.#add(JSON.stringify(content), from, true);
    }
    if (kind === 'string' && raw.includes('${')) {
      const put = raw.replace(VARIABLE, (whole, name: string) => {
        const value = this.#variables.get(name);
        return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
      });
      return this.#add(put, from, true);
    }
    this.#add(kind === 'variable' ? withVariables(raw, this.#variables) : raw, from, kind === 'variable');
  }
}

/** Texts, numbers, words and variables in the order in which they are written. */
function* leavesOf(node: JsonNode): Generator<JsonNode> {
  if (node.kind !== 'object' && node.kind !== 'array') yield node;
  for (const { key, value } of node.members ?? []) {
    yield key;
    if (value !== null) yield* leavesOf(value);
  }
  for (const item of node.items ?? []) yield* leavesOf(item);
}

/** The requests that a selection touches; without one that at the cursor, else the last before it. */
export function chosenRequests(
  requests: readonly ConsoleRequest[],
  from: number,
  to: number,
): readonly ConsoleRequest[] {
  if (from !== to) return requests.filter((one) => one.from < to && one.to > from);
  const at = requests.find((one) => one.from <= from && from <= one.to) ?? requests.findLast((one) => one.from <= from);
  const chosen = at ?? requests[0];
  return chosen === undefined ? [] : [chosen];
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request as a command of a shell. */
export function asCurl({ method, path, body }: SentRequest, username: string | null): string {
  const type = isOfLines(path) ? 'application/x-ndjson' : 'application/json';
  const parts = [
    `curl -X ${method} ${inQuotes(`http://localhost:9200${path}`)}`,
    ...(username === null ? [] : [`-u ${inQuotes(username)}`]),
    ...(body === null ? [] : [`-H ${inQuotes(`content-type: ${type}`)}`, `--data-binary ${inQuotes(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
