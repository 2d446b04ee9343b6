import type { Method, Route } from './route.js';

/** Result of routing: a route with its path values, the methods that are allowed for the path, or no match. */
export type Match<S> =
  | { readonly kind: 'found'; readonly route: Route<S>; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' };

/** Finds the route of a request. */
export interface Router<S> {
  /** `segments` are percent-decoded. Literal segments win over `{name}`, with backtracking; HEAD falls back to GET. */
  match(method: string, segments: readonly string[]): Match<S>;
}

interface Target<S> {
  readonly route: Route<S>;
  /** Name of the path value at each segment; empty for literals. */
  readonly names: readonly string[];
}

interface TrieNode<S> {
  readonly literals: Map<string, TrieNode<S>>;
  wildcard: TrieNode<S> | null;
  readonly targets: Map<string, Target<S>>;
}

const newNode = <S>(): TrieNode<S> => ({ literals: new Map(), wildcard: null, targets: new Map() });

/** Splits a path into segments; a trailing slash is ignored. */
export function splitPath(path: string): string[] {
  const segments: string[] = [];
  let start = 1;
  while (start < path.length) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    if (end > start) segments.push(path.slice(start, end));
    start = end + 1;
  }
  return segments;
}

const parameterName = (segment: string): string => (segment.startsWith('{') ? segment.slice(1, -1) : '');

function insert<S>(root: TrieNode<S>, route: Route<S>): void {
  const segments = splitPath(route.path);
  let node = root;
  for (const segment of segments) {
    if (parameterName(segment)) node = node.wildcard ??= newNode();
    else {
      if (!node.literals.has(segment)) node.literals.set(segment, newNode());
      node = node.literals.get(segment)!;
    }
  }
  const target = { route, names: segments.map(parameterName) };
  for (const method of route.methods) {
    const taken = node.targets.get(method);
    if (taken) throw new Error(`two routes for ${method} ${route.path}: ${taken.route.name} and ${route.name}`);
    node.targets.set(method, target);
  }
}

/** A plain object is safe: its keys come from routes, never from clients. */
function pathValues(names: readonly string[], segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== '') values[names[i]!] = segments[i]!;
  }
  return values;
}

/** Searches the trie depth first, literals before wildcards. */
function find<S>(node: TrieNode<S>, segments: readonly string[], depth: number, method: string): Target<S> | null {
  if (depth === segments.length) return node.targets.get(method) ?? null;
  const literal = node.literals.get(segments[depth]!);
  const found = literal ? find(literal, segments, depth + 1, method) : null;
  if (found || !node.wildcard) return found;
  return find(node.wildcard, segments, depth + 1, method);
}

/** Collects the methods of all routes that match the path. */
function gather<S>(node: TrieNode<S>, segments: readonly string[], depth: number, allowed: Set<string>): void {
  if (depth === segments.length) {
    for (const method of node.targets.keys()) allowed.add(method);
    return;
  }
  const literal = node.literals.get(segments[depth]!);
  if (literal) gather(literal, segments, depth + 1, allowed);
  if (node.wildcard) gather(node.wildcard, segments, depth + 1, allowed);
}

/** Creates a router, a trie of path segments. Throws if two routes have the same method and shape. */
export function createRouter<S>(routes: readonly Route<S>[]): Router<S> {
  const root = newNode<S>();
  for (const route of routes) insert(root, route);
  return {
    match(method, segments) {
      const target = find(root, segments, 0, method) ?? (method === 'HEAD' ? find(root, segments, 0, 'GET') : null);
      if (target) return { kind: 'found', route: target.route, values: pathValues(target.names, segments) };
      const allowed = new Set<string>();
      gather(root, segments, 0, allowed);
      return allowed.size > 0 ? { kind: 'method', allowed: [...allowed] as Method[] } : { kind: 'none' };
    },
  };
}
