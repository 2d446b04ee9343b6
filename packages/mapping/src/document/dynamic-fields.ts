import { isPlainObject } from '@shoal/json';
import { dateFormat } from '@shoal/values';
import type { RootOptions } from '../tree/node.js';
import { type DynamicTemplate, type MatchType, templateMapping, templateMatches } from '../tree/dynamic-template.js';
import { DEFAULT_DATE_FORMAT } from '../types/date.js';

/**
 * Date patterns that unknown texts are tried with; the first is the format of date fields, so it is not written down.
 */
const DYNAMIC_DATE_FORMATS = [DEFAULT_DATE_FORMAT, 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'];

/** What a JSON value is taken for when no mapping says more. */
export interface Detected {
  readonly type: MatchType;
  /** Set for dates. */
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

function dateFormatOf(text: string, formats: readonly string[]): string | null {
  // Pure numbers are too often no dates.
  if (isNumber(text) || text === '') return null;
  for (const pattern of formats) {
    try {
      dateFormat(pattern).parse(text);
      return pattern;
    } catch {
      continue;
    }
  }
  return null;
}

function detectText(text: string, options: RootOptions): Detected {
  if (options.numericDetection === true) {
    if (isLong(text)) return { type: 'long', format: null };
    if (isNumber(text)) return { type: 'double', format: null };
  }
  if (options.dateDetection !== false) {
    const format = dateFormatOf(text, options.dynamicDateFormats ?? DYNAMIC_DATE_FORMATS);
    if (format !== null) return { type: 'date', format };
  }
  return { type: 'string', format: null };
}

function isDecimal(value: number, numberText: (value: number) => string): boolean {
  return !Number.isInteger(value) || /[.eE]/.test(numberText(value));
}

/**
 * The kind of a scalar or object; `numberText` is the number as it stands in the source (`1.0` is a decimal). Null for
 * null.
 */
export function detect(value: unknown, options: RootOptions, numberText: (value: number) => string): Detected | null {
  if (typeof value === 'string') return detectText(value, options);
  if (typeof value === 'bigint') return { type: 'long', format: null };
  if (typeof value === 'number') return { type: isDecimal(value, numberText) ? 'double' : 'long', format: null };
  if (typeof value === 'boolean') return { type: 'boolean', format: null };
  return isPlainObject(value) ? { type: 'object', format: null } : null;
}

function plainMapping({ type, format }: Detected): Record<string, unknown> {
  if (type === 'string') return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
  if (type === 'double') return { type: 'float' };
  if (type === 'date')
    return format === null || format === DEFAULT_DATE_FORMAT ? { type: 'date' } : { type: 'date', format };
  return { type };
}

/** What becomes of an unknown field. */
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

/** A template for fields may meet an object: what only fields have is left out. */
function objectOnly(json: Record<string, unknown>): Record<string, unknown> {
  if (json['type'] !== 'object' && json['type'] !== 'nested') return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => OBJECT_KEYS.has(key)));
}

function fromTemplate(template: DynamicTemplate, name: string, detected: Detected): NewField {
  const json = objectOnly(templateMapping(template, name, detected.type));
  const isDate = json['type'] === 'date' && detected.format !== null && detected.format !== DEFAULT_DATE_FORMAT;
  if (isDate && json['format'] === undefined) json['format'] = detected.format;
  return { json, isRuntime: template.isRuntime, isFromTemplate: true };
}

/**
 * The definition of an unknown field: by the template that the request names, by the first that matches, or by its
 * kind.
 */
export function newField(
  path: string,
  name: string,
  detected: Detected,
  options: RootOptions,
  templateName: string | undefined,
): NewField {
  const templates = options.dynamicTemplates ?? [];
  const template =
    templateName === undefined
      ? templates.find((candidate) => templateMatches(candidate, path, name, detected.type))
      : templates.find((candidate) => candidate.name === templateName);
  if (template) return fromTemplate(template, name, detected);
  return { json: plainMapping(detected), isRuntime: false, isFromTemplate: false };
}

/** The runtime field of an unknown value, or null for objects. */
export function newRuntimeField(detected: Detected): Record<string, unknown> | null {
  const types: Partial<Record<MatchType, string>> = {
    string: 'keyword',
    long: 'long',
    double: 'double',
    boolean: 'boolean',
    date: 'date',
  };
  const type = types[detected.type];
  return type === undefined ? null : { type };
}
