import { bodyShape } from './body-shapes.js';
import { API_CALLS, callOf, callsAt, INDEX_PARAMETERS, indexOf, parametersOf, partsOf } from './calls.js';
import { type ConsoleRequest, type JsonNode, textOf } from './json-node.js';
import { parseConsole } from './parse-console.js';
import { typeOf } from './problems.js';
import type { Shape } from './shape.js';

/** How a name is written: as it is in a path, in quotes as a text, or as a key with its colon. */
type NameForm = 'path' | 'text' | 'key';

/** What may be written at a place. */
export interface Completions {
  /** Where the completed text begins. */
  readonly from: number;
  readonly options: readonly CompletionOption[];
  /** Names of the cluster that belong here, too: of indices, or of fields of an index (null: of all). */
  readonly names?: { readonly kind: 'indices' | 'fields'; readonly index: string | null; readonly form: NameForm };
  /** The field whose values belong here. */
  readonly valuesOf?: { readonly field: string; readonly index: string };
}

/** One completion. */
export interface CompletionOption {
  /** What is shown, and what the typed text is compared with. */
  readonly label: string;
  /** What is written. */
  readonly insert: string;
  readonly detail?: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'];

/** What may be written at an offset of a file; null inside of comments and where nothing is known. */
export function completionsAt(text: string, at: number): Completions | null {
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(lineFrom, at);
  const request = parseConsole(text).requests.findLast((one) => one.from <= at);
  if (/^\s*[A-Za-z]*$/.test(line) && !isInside(request, at)) return methods(line, at);
  if (request === undefined || /^\s*(?:#|\/\/)/.test(line)) return null;
  if (at >= request.pathFrom && lineFrom <= request.pathFrom)
    return pathCompletions(request, text.slice(request.pathFrom, at), at);
  return bodyCompletions(request, text, at);
}

const isInside = (request: ConsoleRequest | undefined, at: number): boolean =>
  request !== undefined && request.body.some(({ from, to }) => from < at && at < to);

function methods(line: string, at: number): Completions {
  const typed = /[A-Za-z]*$/.exec(line)![0];
  return { from: at - typed.length, options: METHODS.map((label) => ({ label, insert: `${label} ` })) };
}

function pathCompletions({ method }: ConsoleRequest, typed: string, at: number): Completions | null {
  if (/\s/.test(typed)) return null;
  const query = typed.indexOf('?');
  if (query !== -1) return parameterCompletions(method, typed, query, at);
  const from = at - typed.length;
  const before = partsOf(typed).slice(0, -1);
  const isPossible = (segments: readonly string[]): boolean => {
    const parts = before.every((part, i) => segments[i] !== undefined && fitsSegment(segments[i]!, part));
    return parts && segments.length > before.length;
  };
  const slash = typed.startsWith('/') ? '/' : '';
  const calls = API_CALLS.filter(({ methods: ms, segments }) => ms.includes(method) && isPossible(segments));
  const options = new Map<string, CompletionOption>();
  for (const { segments, name } of calls) {
    const rest = segments.slice(before.length);
    // What follows a name is completed once the name is written.
    const fixed = rest.slice(
      0,
      Math.max(
        0,
        rest.findIndex((one) => one.startsWith('{')) === -1
          ? rest.length
          : rest.findIndex((one) => one.startsWith('{')),
      ),
    );
    const label = slash + [...before, ...fixed].join('/');
    if (fixed.length > 0 && !options.has(label)) options.set(label, { label, insert: label, detail: name });
  }
  const takesIndex = calls.some(({ segments }) => INDEX_PARAMETERS.has(segments[before.length]!));
  const last = partsOf(typed).at(-1)!;
  return {
    from,
    options: [...options.values()],
    ...(takesIndex && !last.startsWith('_') ? { names: { kind: 'indices', index: null, form: 'path' } as const } : {}),
  };
}

const fitsSegment = (segment: string, part: string): boolean =>
  segment.startsWith('{')
    ? part !== '' && !(INDEX_PARAMETERS.has(segment) && part.startsWith('_') && part !== '_all')
    : segment === part;

function parameterCompletions(method: string, typed: string, query: number, at: number): Completions | null {
  const call = callOf(method, typed) ?? callsAt(typed)[0];
  const last = typed
    .slice(query + 1)
    .split('&')
    .at(-1)!;
  const known = call === undefined ? null : parametersOf(call);
  if (known === null || last.includes('=')) return null;
  return { from: at - last.length, options: known.map((label) => ({ label, insert: `${label}=` })) };
}

/** The way from the root to the place in a body. */
interface Place {
  readonly shape: Shape;
  readonly node: JsonNode;
  /** Name of the key whose value is written; null at a key or an item. */
  readonly keyName: string | null;
  readonly parentKey: string | null;
}

function bodyCompletions(request: ConsoleRequest, text: string, at: number): Completions | null {
  const call = callOf(request.method, request.path) ?? callsAt(request.path)[0];
  const line = request.body.findIndex(({ from, to }) => from < at && at <= to);
  if (line === -1) return null;
  const root = bodyShape(call?.name ?? '', line);
  const index = indexOf(request.method, request.path);
  const place = descend({ node: request.body[line]!, shape: root, keyName: null, parentKey: null }, text, at);
  if (place === null) return null;
  const typed = typedBefore(text, at);
  const isQuoted = text[typed.from] === '"';
  if (place.isKey) return keyCompletions(place, text, typed.from, at, index);
  const { values } = place.shape;
  const names = values === 'fields' || values === 'indices' ? values : null;
  const options = Array.isArray(values)
    ? values.map((label: string) => ({ label: `"${label}"`, insert: `"${label}"` }))
    : WORDS;
  return {
    from: typed.from,
    options: names === null && !isQuoted ? options : Array.isArray(values) ? options : [],
    ...(names === null ? {} : { names: { kind: names, index, form: 'text' } }),
    ...(place.valueField !== null && index !== null ? { valuesOf: { field: place.valueField, index } } : {}),
  };
}

const WORDS: readonly CompletionOption[] = ['{}', '[]', 'true', 'false', 'null'].map((label) => ({
  label,
  insert: label,
}));

interface Found extends Place {
  readonly isKey: boolean;
  /** The field whose value is written, for queries such as `term`. */
  readonly valueField: string | null;
}

/** Follows a body down to the place; null where nothing can be said. */
function descend(start: Place, text: string, at: number): Found | null {
  let place = start;
  let field: string | null = null;
  for (;;) {
    const { node, shape } = place;
    if (node.kind === 'array') {
      const inner = node.items?.find(({ from, to }) => from < at && at <= to);
      const item = shape.items?.() ?? (shape.values === undefined ? shape : { ...shape });
      if (inner === undefined || inner.kind === 'string')
        return { ...place, shape: item, isKey: false, valueField: field };
      place = { node: inner, shape: item, keyName: null, parentKey: place.parentKey };
      continue;
    }
    if (node.kind !== 'object') return { ...place, isKey: false, valueField: field };
    const keys = shape.keys?.(typeOf(node, text)) ?? {};
    const member = node.members?.findLast(({ key }) => key.from < at);
    if (member === undefined || at <= member.key.to) return { ...place, isKey: true, valueField: null };
    const name = textOf(member.key, text);
    const between = text.slice(member.value?.to ?? member.key.to, at);
    if (member.value !== null && at > member.value.to && /,/.test(between))
      return { ...place, isKey: true, valueField: null };
    if (shape.hasFieldKeys === true && !Object.hasOwn(keys, name)) field = name;
    const next = Object.hasOwn(keys, name) ? keys[name]! : (shape.each?.() ?? { isOpen: true });
    if (member.value === null || at > member.value.to) {
      if (!/:\s*\S*$/.test(text.slice(member.key.to, at))) return { ...place, isKey: true, valueField: null };
      return { ...place, shape: next, keyName: name, isKey: false, valueField: field };
    }
    if (member.value.kind !== 'object' && member.value.kind !== 'array') {
      if (at <= member.value.from) return { ...place, shape: next, keyName: name, isKey: false, valueField: field };
      const isValue = field === null || name === field || name === 'value' || name === 'query';
      return { ...place, shape: next, keyName: name, isKey: false, valueField: isValue ? field : null };
    }
    place = { node: member.value, shape: next, keyName: null, parentKey: name };
  }
}

/** What is typed of a key or a value before the place: from its quote, else letters. */
function typedBefore(text: string, at: number): { readonly from: number } {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(line, at);
  const quoted = /"(?:[^"\\]|\\.)*$/.exec(before.replace(/"(?:[^"\\]|\\.)*"/g, (whole) => ' '.repeat(whole.length)));
  const plain = /[\w.$-]*$/.exec(before)!;
  return { from: line + (quoted ?? plain).index };
}

function keyCompletions(place: Found, text: string, from: number, at: number, index: string | null): Completions {
  const { shape, node } = place;
  const keys = shape.keys?.(typeOf(node, text)) ?? {};
  const written = new Set(
    (node.members ?? []).filter(({ key }) => key.to < at || key.from > at).map(({ key }) => textOf(key, text)),
  );
  const hasColon = /^[^\n:,}]*:/.test(text.slice(at).replace(/^[\w.]*"?/, ''));
  const options = Object.entries(keys)
    .filter(([name]) => !written.has(name))
    .map(([name, inner]) => ({
      label: `"${name}"`,
      insert: hasColon ? `"${name}"` : `"${name}": ${templateOf(inner)}`,
    }));
  return {
    from,
    options,
    ...(shape.hasFieldKeys === true ? { names: { kind: 'fields', index, form: hasColon ? 'text' : 'key' } } : {}),
  };
}

/** What is written behind a new key: an empty object or array where the value can be nothing else. */
function templateOf(shape: Shape): string {
  if (shape.keys !== undefined || shape.each !== undefined)
    return shape.items === undefined || shape.keys !== undefined ? '{}' : '[]';
  return shape.items !== undefined && shape.values === undefined ? '[]' : '';
}
