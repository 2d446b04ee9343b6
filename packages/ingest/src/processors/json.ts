import { errors } from '@shoal/errors';
import { readSource, setOwn } from '@shoal/json';
import type { IngestDocument } from '../document.js';
import { isObject } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

/**
 * Parses a text of JSON. Text behind the value is refused unless parsing is not strict, and so are members with the
 * same key unless the last one counts (`keepsLast`).
 */
function parseText(text: string, isStrict: boolean, keepsLast: boolean): unknown {
  if (text.trim() === '') return null;
  const value = isStrict ? text : firstValue(text);
  const wrapped = Buffer.from(`{"v":${value}}`);
  try {
    // It has to be one value: of `1,"v":2` the wrapping would take the last one.
    if (keepsLast) JSON.parse(value);
    const parsed = readSource(wrapped, keepsLast);
    if (Object.keys(parsed).length === 1) return parsed['v'];
  } catch {
    // Told below, without positions of the wrapping.
  }
  throw errors.illegalArgument(`Unable to parse [${text.slice(0, 100)}] as JSON`);
}

/** Cuts a text behind its first number, literal or string; objects and lists stay whole. */
function firstValue(text: string): string {
  return /^\s*(?:-?\d[\d.eE+-]*|true|false|null|"(?:[^"\\]|\\.)*")/.exec(text)?.[0] ?? text;
}

/** Adds members to those of an object; objects of both are merged. */
function merge(into: Record<string, unknown>, from: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(from)) {
    const own = Object.hasOwn(into, key) ? into[key] : undefined;
    if (isObject(own) && isObject(value)) merge(own, value);
    else setOwn(into, key, value);
  }
}

function addToRoot(document: IngestDocument, value: unknown, merges: boolean): void {
  if (!isObject(value)) throw errors.illegalArgument('cannot add non-map fields to root of document');
  if (merges) merge(document.source, value);
  else for (const [key, item] of Object.entries(value)) document.set(key, item);
}

/** Parses the JSON in a text. */
export const json: ProcessorType = {
  name: 'json',
  parse(config) {
    const field = config.string('field');
    const target = config.optionalString('target_field');
    const addsToRoot = config.boolean('add_to_root', false);
    const strategy = config.optionalString('add_to_root_conflict_strategy');
    const keepsLast = config.boolean('allow_duplicate_keys', false);
    const isStrict = config.boolean('strict_json_parsing', true);
    if (strategy !== null && !addsToRoot)
      throw config.error(
        'add_to_root_conflict_strategy',
        'Cannot set `add_to_root_conflict_strategy` if `add_to_root` is false',
      );
    if (strategy !== null && strategy !== 'replace' && strategy !== 'merge')
      throw config.error(
        'add_to_root_conflict_strategy',
        `conflict strategy [${strategy}] not supported, cannot convert field.`,
      );
    if (addsToRoot && target !== null)
      throw config.error('target_field', 'Cannot set a target field while also setting `add_to_root` to true');
    return (document) => {
      const value = document.get(field);
      const text = value === null ? 'null' : typeof value === 'string' ? value : null;
      if (text === null && isObject(value))
        throw errors.illegalArgument('cannot read values from a map: the field is no text');
      const parsed = text === null ? value : parseText(text, isStrict, keepsLast);
      document.charge(text?.length ?? 0);
      if (addsToRoot) addToRoot(document, parsed, strategy === 'merge');
      else document.set(target ?? field, parsed);
    };
  },
};
