import { errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import type { IngestDocument } from './document.js';
import { isObject, javaText } from './java-values.js';
import { isMetadata } from './metadata.js';

/** A text with snippets, compiled: `{{a.b}}` is the value of a field, escaped; `{{{a.b}}}` and `{{&a.b}}` as it is. */
export interface Template {
  /** The text itself if there is no snippet in it; null otherwise. */
  readonly constant: string | null;
  render(document: IngestDocument): string;
}

/**
 * Compiles a mustache template that is more than text and variables (sections, functions, comments). The compiled
 * template takes the fields that it may name: those of the source and the metadata, `_source`, `_ingest`.
 */
export type TemplateCompiler = (text: string, mediaType: string) => (model: Record<string, unknown>) => string;

const DEFAULT_MEDIA_TYPE = 'application/json';

/** A variable of mustache: three braces, an ampersand, or a plain name. */
const VARIABLE = /\{\{\{\s*([^\s{}#^/>!=&]+)\s*\}\}\}|\{\{(&?)\s*([^\s{}#^/>!=&]+)\s*\}\}/g;

type Escape = (text: string) => string;
type Part = string | { readonly path: readonly string[]; readonly escape: Escape };

/**
 * Compiles a text to parts. `mediaType` decides how values are escaped; as in Elasticsearch, JSON unless the processor
 * says otherwise. Throws for malformed templates.
 */
export function compileTemplate(
  text: string,
  compiler: TemplateCompiler,
  mediaType: string = DEFAULT_MEDIA_TYPE,
): Template {
  if (!text.includes('{{')) return { constant: text, render: () => text };
  const parts = variableParts(text, escapeOf(mediaType));
  if (parts !== null) return { constant: null, render: (document) => renderParts(parts, document) };
  const run = compiler(text, mediaType);
  return { constant: null, render: (document) => run(templateModel(document)) };
}

/**
 * Compiles a value in which every text, also a key, may have snippets. Returns a function that makes a new value for a
 * document; nothing of it is shared with the configuration.
 */
export function compileValue(
  value: unknown,
  compile: (text: string) => Template,
): (document: IngestDocument) => unknown {
  if (typeof value === 'string') {
    const template = compile(value);
    return (document) => template.render(document);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, compile));
    return (document) => items.map((item) => item(document));
  }
  if (!isObject(value)) return () => value;
  const members = Object.entries(value).map(([key, item]) => [compile(key), compileValue(item, compile)] as const);
  return (document) => {
    const object: Record<string, unknown> = {};
    for (const [key, item] of members) setOwn(object, key.render(document), item(document));
    return object;
  };
}

/** Splits a text into constants and variables; null if it has other tags of mustache or malformed ones. */
function variableParts(text: string, escape: Escape): Part[] | null {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const before = text.slice(at, match.index);
    if (before.includes('{{')) return null;
    if (before !== '') parts.push(before);
    const [tag, unescaped, ampersand, name] = match;
    const path = (unescaped ?? name)!;
    if (path === '.') return null;
    parts.push({ path: path.split('.'), escape: unescaped !== undefined || ampersand === '&' ? asIs : escape });
    at = match.index + tag.length;
  }
  const rest = text.slice(at);
  if (rest.includes('{{')) return null;
  if (rest !== '') parts.push(rest);
  return parts;
}

/** Characters of values that a text may take in escaped: that is done at a stretch. */
const ESCAPED_LENGTH_MAX = 8 * 1024 * 1024;

function renderParts(parts: readonly Part[], document: IngestDocument): string {
  let text = '';
  let escaped = 0;
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      const value = textAt(document, part.path);
      if (part.escape !== asIs) escaped += value.length;
      if (escaped > ESCAPED_LENGTH_MAX)
        throw errors.illegalArgument(
          `a template escapes [${escaped}] characters or more, the limit is [${ESCAPED_LENGTH_MAX}]`,
        );
      text += part.escape(value);
    }
  }
  document.charge(text.length);
  return text;
}

function textAt(document: IngestDocument, path: readonly string[]): string {
  const [first] = path;
  let value: unknown;
  let from = 1;
  if (first === '_ingest') value = document.ingest;
  else if (first === '_source' && !isMetadata(path[1] ?? '')) value = document.source;
  else {
    value = isMetadata(first!) ? document.metadata : document.source;
    from = 0;
  }
  for (let i = from; i < path.length && value !== undefined; i++) value = memberOf(value, path[i]!);
  return value === undefined || value === null ? '' : snippetText(value);
}

function memberOf(value: unknown, key: string): unknown {
  if (isObject(value)) return Object.hasOwn(value, key) ? value[key] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (key === 'size') return value.length;
  return /^\d+$/.test(key) ? value[Number(key)] : undefined;
}

/** Text of a value that a snippet inserts. Elasticsearch shows a list to mustache as a map of its indices. */
function snippetText(value: unknown): string {
  if (!Array.isArray(value)) return javaText(value);
  return `{${value.map((item, i) => `${i}=${javaText(item)}`).join(', ')}}`;
}

/** Everything that a template may name. */
function templateModel(document: IngestDocument): Record<string, unknown> {
  const fields = { ...document.source, ...document.metadata };
  return { ...fields, _source: fields, _ingest: document.ingest };
}

const asIs: Escape = (text) => text;
const json: Escape = (text) => JSON.stringify(text).slice(1, -1);

function escapeOf(mediaType: string): Escape {
  if (mediaType === 'text/plain') return asIs;
  return mediaType === 'application/x-www-form-urlencoded' ? urlEncode : json;
}

/** As Java's `URLEncoder`. */
function urlEncode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
