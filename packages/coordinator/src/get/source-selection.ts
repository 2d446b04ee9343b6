import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { SourceSelection } from './get-request.js';

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map(String);
  throw errors.illegalArgument(`unexpected value for a source filter: [${String(value)}]`);
}

function fromObject(value: Readonly<Record<string, unknown>>): SourceSelection {
  let includes: readonly string[] = [];
  let excludes: readonly string[] = [];
  for (const [key, patterns] of Object.entries(value)) {
    if (key === 'includes' || key === 'include') includes = strings(patterns);
    else if (key === 'excludes' || key === 'exclude') excludes = strings(patterns);
    else throw errors.parse(`unknown field [${key}]`);
  }
  return { includes, excludes };
}

/** Parses a `_source` of a body: boolean, pattern, patterns, or `{includes, excludes}`. */
export function parseSourceSelection(value: unknown): SourceSelection {
  if (typeof value === 'boolean') return value;
  if (isPlainObject(value)) return fromObject(value);
  return { includes: strings(value), excludes: [] };
}
