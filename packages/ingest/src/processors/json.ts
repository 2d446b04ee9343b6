import { type ApiError, errors } from '@shoal/errors';
import { isHugeSource, readSource, readSourceInTurns, setOwn } from '@shoal/json';
import type { IngestDocument } from '../document.js';
import { isObject } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import type { Pause } from '../steps-in-turns.js';

/**
 * Parses a text of JSON. Text behind the value is refused unless parsing is not strict, and so are members with the
 * same key unless the last one counts (`keepsLast`).
 */
function parseText(text: string, isStrict: boolean, keepsLast: boolean): unknown {
  if (text.trim() === '') return null;
  const value = isStrict ? text : firstValue(text);
  try {
    // It has to be one value: of `1,"v":2` the wrapping would take the last one.
    if (keepsLast) JSON.parse(value);
    return valueOf(readSource(wrapped(value), keepsLast));
  } catch {
    throw unable(text);
  }
}

/** As `parseText`, in turns of the thread; members with the same key are refused. */
function parseInTurns(text: string, isStrict: boolean, pause: Pause): Promise<unknown> {
  const value = isStrict ? text : firstValue(text);
  const turn = async (): Promise<void> => void (await pause());
  return readSourceInTurns(wrapped(value), turn)
    .then(valueOf)
    .catch(() => {
      throw unable(text);
    });
}

const wrapped = (value: string): Buffer => Buffer.from(`{"v":${value}}`);

function valueOf(parsed: Record<string, unknown>): unknown {
  if (Object.keys(parsed).length !== 1) throw new Error('more than one value');
  return parsed['v'];
}

/** The error of a text, without that of the parser: its positions are those of the wrapping. */
const unable = (text: string): ApiError => errors.illegalArgument(`Unable to parse [${text.slice(0, 100)}] as JSON`);

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
    return (document, { pause }) => {
      const value = document.get(field);
      const text = value === null ? 'null' : typeof value === 'string' ? value : null;
      if (text === null && isObject(value))
        throw errors.illegalArgument('cannot read values from a map: the field is no text');
      document.charge(text?.length ?? 0);
      const put = (parsed: unknown): void => {
        if (addsToRoot) addToRoot(document, parsed, strategy === 'merge');
        else document.set(target ?? field, parsed);
      };
      // A list that became a member of itself would have no end.
      if (text === null) return put(document.copyOf(value));
      if (keepsLast || !isHugeSource(text.length)) return put(parseText(text, isStrict, keepsLast));
      return parseInTurns(text, isStrict, pause).then(put);
    };
  },
};
