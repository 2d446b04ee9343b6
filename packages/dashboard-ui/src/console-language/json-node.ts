/** A piece of JSON as it is written, with its place: offsets in the text of the editor. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'triple' | 'number' | 'word' | 'variable';
  readonly from: number;
  readonly to: number;
  /** Members of an object. */
  readonly members?: readonly JsonMember[];
  /** Items of an array. */
  readonly items?: readonly JsonNode[];
}

/** A member of an object; the value is null while it is not written. */
export interface JsonMember {
  readonly key: JsonNode;
  readonly value: JsonNode | null;
}

/** Something wrong at a place. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** A request of the console: a line with method and path, and JSON values below it. */
export interface ConsoleRequest {
  readonly from: number;
  /** End of the last thing that belongs to the request. */
  readonly to: number;
  readonly method: string;
  readonly methodTo: number;
  readonly path: string;
  readonly pathFrom: number;
  readonly body: readonly JsonNode[];
}

/** A file of the console, understood as far as it can be. */
export interface ConsoleFile {
  readonly requests: readonly ConsoleRequest[];
  /** Errors of the syntax. */
  readonly problems: readonly Problem[];
}

/** The text of a key or string, without quotes and escapes; broken escapes stay as they are. */
export function textOf(node: JsonNode, text: string): string {
  if (node.kind === 'triple') return text.slice(node.from + 3, Math.max(node.from + 3, node.to - 3));
  const raw = text.slice(node.from, node.to);
  if (node.kind !== 'string') return raw;
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.replace(/^"|"$/g, '');
  }
}
