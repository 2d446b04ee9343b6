import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { escapeJson, renderSpecial, shown, type SpecialSection, specialSection, valueIn } from './mustache-values.js';

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: string; readonly isRaw: boolean }
  | { readonly kind: 'special'; readonly section: SpecialSection; readonly parts: readonly Part[] }
  | { readonly kind: 'section'; readonly path: string; readonly isInverted: boolean; readonly parts: readonly Part[] };

/** A parsed template. */
export interface Mustache {
  /** Renders the template. Throws illegal_argument if the text gets longer than `RENDERED_CHARS_MAX`. */
  render(values: JsonObject): string;
}

const DEPTH_MAX = 50;
const RENDERED_CHARS_MAX = 1 << 20;
/** Most parts that one rendering may write: nested sections over lists multiply. */
const STEPS_MAX = 200_000;

interface Reader {
  readonly source: string;
  at: number;
  open: string;
  close: string;
}

/**
 * Parses a template: `{{x}}` (escaped for JSON texts), `{{{x}}}`, `{{&x}}`, `{{#x}}…{{/x}}`, `{{^x}}…{{/x}}`, `{{! …
 * }}`, `{{=<% %>=}}`, and Elasticsearch's `toJson`, `join` and `url`. Algorithm: the Mustache manual, mustache(5).
 * Throws illegal_argument for malformed templates and for partials.
 */
export function parseMustache(source: string): Mustache {
  const reader: Reader = { source, at: 0, open: '{{', close: '}}' };
  const parts = partsUntil(reader, null, 0);
  return {
    render(values) {
      const writer: Writer = { text: '', steps: 0 };
      write(parts, [values], writer);
      return writer.text;
    },
  };
}

function partsUntil(reader: Reader, end: string | null, depth: number): Part[] {
  if (depth > DEPTH_MAX) throw errors.illegalArgument(`sections of a template may be nested [${DEPTH_MAX}] deep`);
  const parts: Part[] = [];
  for (;;) {
    const from = reader.source.indexOf(reader.open, reader.at);
    parts.push({ kind: 'text', text: reader.source.slice(reader.at, from === -1 ? undefined : from) });
    if (from === -1) {
      if (end !== null) throw errors.illegalArgument(`the section [${end}] of a template is not closed`);
      return parts;
    }
    const tag = nextTag(reader, from);
    if (tag.sign === '/') {
      if (!closes(tag.name, end))
        throw errors.illegalArgument(
          `a template closes [${tag.name}] where ${end === null ? 'no section is open' : `[${end}] is open`}`,
        );
      return parts;
    }
    const part = partOf(tag, reader, depth);
    if (part !== null) parts.push(part);
  }
}

/** Whether a closing tag closes a section; `{{#join delimiter='x'}}` may be closed by its first word. */
const closes = (name: string, end: string | null): boolean =>
  end !== null && (name === end || name === end.split(' ')[0]);

interface Tag {
  readonly sign: string;
  readonly name: string;
}

function nextTag(reader: Reader, from: number): Tag {
  const start = from + reader.open.length;
  const isTriple = reader.open === '{{' && reader.source[start] === '{';
  const close = isTriple ? '}}}' : reader.source[start] === '=' ? `=${reader.close}` : reader.close;
  const end = reader.source.indexOf(close, start + 1);
  if (end === -1)
    throw errors.illegalArgument(`a tag of a template is not closed: [${reader.source.slice(from, from + 40)}]`);
  reader.at = end + close.length;
  const inner = reader.source.slice(start, end);
  if (isTriple) return { sign: '&', name: inner.slice(1).trim() };
  return /^[#^/!&>=]/.test(inner) ? { sign: inner[0]!, name: inner.slice(1).trim() } : { sign: '', name: inner.trim() };
}

function partOf({ sign, name }: Tag, reader: Reader, depth: number): Part | null {
  if (sign === '!') return null;
  if (sign === '=') {
    setDelimiters(reader, name);
    return null;
  }
  if (sign === '>') throw errors.illegalArgument(`templates cannot include others but one has [{{>${name}}}]`);
  if (name === '') throw errors.illegalArgument('a tag of a template has no name');
  if (sign === '' || sign === '&') return { kind: 'value', path: name, isRaw: sign === '&' };
  const parts = partsUntil(reader, name, depth + 1);
  const section = sign === '#' ? specialSection(name) : null;
  return section === null
    ? { kind: 'section', path: name, isInverted: sign === '^', parts }
    : { kind: 'special', section, parts };
}

function setDelimiters(reader: Reader, text: string): void {
  const [open, close, ...more] = text.split(/\s+/);
  if (!open || !close || more.length > 0)
    throw errors.illegalArgument(`a template changes delimiters to [${text}]: two are needed`);
  reader.open = open;
  reader.close = close;
}

interface Writer {
  text: string;
  steps: number;
}

function append(writer: Writer, text: string): void {
  writer.text += text;
  writer.steps++;
  if (writer.text.length > RENDERED_CHARS_MAX || writer.steps > STEPS_MAX)
    throw errors.illegalArgument(
      `a template makes a text of more than [${RENDERED_CHARS_MAX}] characters or [${STEPS_MAX}] parts`,
    );
}

function write(parts: readonly Part[], scopes: readonly unknown[], writer: Writer): void {
  for (const part of parts) {
    if (part.kind === 'text') append(writer, part.text);
    else if (part.kind === 'value')
      append(writer, part.isRaw ? shown(valueIn(scopes, part.path)) : escapeJson(shown(valueIn(scopes, part.path))));
    else if (part.kind === 'special')
      append(writer, renderSpecial(part.section, inner(part.parts, scopes, writer), scopes));
    else writeSection(part, scopes, writer);
  }
}

function inner(parts: readonly Part[], scopes: readonly unknown[], outer: Writer): string {
  const writer: Writer = { text: '', steps: outer.steps };
  write(parts, scopes, writer);
  outer.steps = writer.steps;
  return writer.text;
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

function writeSection(
  { path, isInverted, parts }: Extract<Part, { kind: 'section' }>,
  scopes: readonly unknown[],
  writer: Writer,
): void {
  const value = valueIn(scopes, path);
  if (isInverted || isNothing(value)) {
    if (isInverted && isNothing(value)) write(parts, scopes, writer);
    return;
  }
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) write(parts, [...scopes, item], writer);
}
