import { isPlainObject } from '@shoal/json';
import { type DateFormat, dateFormat } from '@shoal/values';
import type { RootOptions } from '../tree/node.js';
import { type DynamicTemplate, type MatchType, templateMapping, templateMatches } from '../tree/dynamic-template.js';
import { DEFAULT_DATE_FORMAT } from '../types/date.js';

/**
 * Date formats that unknown strings are tested with. The first is the default of date fields, so the new definition
 * does not contain it.
 */
const DYNAMIC_DATE_FORMATS = [DEFAULT_DATE_FORMAT, 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'].map(dateFormat);

/** Compiled formats of mappings that name their own; compiling takes 50 us, and each unknown string needs them. */
const compiledFormats = new WeakMap<readonly string[], readonly DateFormat[]>();

function dateFormatsOf({ dynamicDateFormats: names }: RootOptions): readonly DateFormat[] {
  if (names === null) return DYNAMIC_DATE_FORMATS;
  let formats = compiledFormats.get(names);
  if (formats === undefined) compiledFormats.set(names, (formats = names.map(dateFormat)));
  return formats;
}

/** Type detected for a JSON value of an unknown field. */
export interface DetectedType {
  readonly type: MatchType;
  /** The date format that matched; null for other types. */
  readonly format: string | null;
}

const LONG_TEXT = /^[+-]?\d{1,19}$/;
const LONG_MAX = 2n ** 63n - 1n;

function isLong(text: string): boolean {
  if (!LONG_TEXT.test(text)) return false;
  const value = BigInt(text.replace('+', ''));
  return value >= -LONG_MAX - 1n && value <= LONG_MAX;
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function dateFormatOf(text: string, formats: readonly DateFormat[]): string | null {
  // A plain number is not tested as a date, because most are not dates.
  if (isNumber(text) || text === '') return null;
  return formats.find((format) => isDate(text, format))?.pattern ?? null;
}

/** Most strings are no dates: that is said without an error, which would cost 50 us. */
function isDate(text: string, format: DateFormat): boolean {
  if (!format.matches(text)) return false;
  try {
    format.parse(text);
    return true;
  } catch {
    return false;
  }
}

function detectText(text: string, options: RootOptions): DetectedType {
  if (options.numericDetection === true) {
    if (isLong(text)) return { type: 'long', format: null };
    if (isNumber(text)) return { type: 'double', format: null };
  }
  if (options.dateDetection !== false) {
    const format = dateFormatOf(text, dateFormatsOf(options));
    if (format !== null) return { type: 'date', format };
  }
  return { type: 'string', format: null };
}

function isDecimal(value: number, numberText: (value: number) => string): boolean {
  return !Number.isInteger(value) || /[.eE]/.test(numberText(value));
}

/**
 * Detects the type of a scalar or object; null for null. `numberText` returns a number as written in the source: `1.0`
 * is a decimal.
 */
export function detect(
  value: unknown,
  options: RootOptions,
  numberText: (value: number) => string,
): DetectedType | null {
  if (typeof value === 'string') return detectText(value, options);
  if (typeof value === 'bigint') return { type: 'long', format: null };
  if (typeof value === 'number') return { type: isDecimal(value, numberText) ? 'double' : 'long', format: null };
  if (typeof value === 'boolean') return { type: 'boolean', format: null };
  return isPlainObject(value) ? { type: 'object', format: null } : null;
}

function plainMapping({ type, format }: DetectedType): Record<string, unknown> {
  if (type === 'string') return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
  if (type === 'double') return { type: 'float' };
  if (type === 'date')
    return format === null || format === DEFAULT_DATE_FORMAT ? { type: 'date' } : { type: 'date', format };
  return { type };
}

/** Definition of an unknown field. */
export interface NewField {
  readonly json: Record<string, unknown>;
  readonly isRuntime: boolean;
  readonly isFromTemplate: boolean;
}

const OBJECT_KEYS = new Set([
  'type',
  'dynamic',
  'enabled',
  'subobjects',
  'properties',
  'include_in_parent',
  'include_in_root',
]);

/** A dynamic template may match an object: parameters that only fields have are removed. */
function objectOnly(json: Record<string, unknown>): Record<string, unknown> {
  if (json['type'] !== 'object' && json['type'] !== 'nested') return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => OBJECT_KEYS.has(key)));
}

function fromTemplate(template: DynamicTemplate, name: string, detected: DetectedType): NewField {
  const json = objectOnly(templateMapping(template, name, detected.type));
  const isDate = json['type'] === 'date' && detected.format !== null && detected.format !== DEFAULT_DATE_FORMAT;
  if (isDate && json['format'] === undefined) json['format'] = detected.format;
  return { json, isRuntime: template.isRuntime, isFromTemplate: true };
}

/** Runtime fields hold values, so a template of them is none for objects. */
const isFor = ({ isRuntime }: DynamicTemplate, { type }: DetectedType): boolean => !isRuntime || type !== 'object';

/**
 * The definition of an unknown field: from the dynamic template that the request names, from the first template that
 * matches, or by its detected type.
 */
export function newField(
  path: string,
  name: string,
  detected: DetectedType,
  options: RootOptions,
  templateName: string | undefined,
): NewField {
  const templates = options.dynamicTemplates ?? [];
  const template =
    templateName === undefined
      ? templates.find(
          (candidate) => isFor(candidate, detected) && templateMatches(candidate, path, name, detected.type),
        )
      : templates.find((candidate) => candidate.name === templateName);
  if (template) return fromTemplate(template, name, detected);
  return { json: plainMapping(detected), isRuntime: false, isFromTemplate: false };
}

/** Definition of the runtime field for an unknown value that is no object. */
export function newRuntimeField({ type, format }: DetectedType): Record<string, unknown> {
  if (type === 'date' && format !== null && format !== DEFAULT_DATE_FORMAT) return { type, format };
  return { type: type === 'string' ? 'keyword' : type };
}
