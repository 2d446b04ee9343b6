import { errors, toApiError, notBoolean } from '@shoal/errors';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import type { SettingValue } from '../state.js';

/**
 * When a setting may be set. dynamic: also on open indices and running clusters. static: at creation, and on closed
 * indices. final: at creation only. private: by the cluster itself only.
 */
export type SettingProperty = 'dynamic' | 'static' | 'final' | 'private';

/** Checks a value; throws illegal_argument_exception if the setting cannot have it. */
export type ValueCheck = (value: SettingValue, name: string) => void;

/** A setting: name, default, when it may be set, and the check of its values. */
export interface SettingDefinition {
  readonly name: string;
  readonly fallback: SettingValue;
  readonly property: SettingProperty;
  readonly check: ValueCheck;
}

/** The text of a value; a list has none, and is shown as Java shows it. */
function scalar(value: SettingValue): string {
  if (typeof value === 'string' || value === null) return String(value);
  return `[${value.join(', ')}]`;
}

/** Accepts any value. */
export const anyText: ValueCheck = () => undefined;

/** Checks `true` or `false`. */
export const boolean: ValueCheck = (value) => {
  const text = scalar(value);
  if (text !== 'true' && text !== 'false') throw notBoolean(text);
};

function outOfRange(text: string, name: string, number: number, min: number, max: number): void {
  if (number < min)
    throw errors.illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be >= ${min}`);
  if (number > max)
    throw errors.illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be <= ${max}`);
}

function numeric(pattern: RegExp, min: number, max: number): ValueCheck {
  return (value, name) => {
    const text = scalar(value);
    if (!pattern.test(text)) {
      const cause = errors.numberFormat(`For input string: "${text}"`);
      throw errors.illegalArgument(`Failed to parse value [${text}] for setting [${name}]`, { cause });
    }
    outOfRange(text, name, Number(text), min, max);
  };
}

/** Checks a whole number in [min, max]. */
export function integer(min = -2147483648, max = 2147483647): ValueCheck {
  return numeric(/^[+-]?\d+$/, min, max);
}

/** Checks a decimal number in [min, max]. */
export function float(min = -Infinity, max = Infinity): ValueCheck {
  return numeric(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, min, max);
}

/** Checks a duration of at least `minMs` milliseconds; `minText` is this bound in errors. */
export function time(minMs = -1, minText = '-1', max?: { readonly ms: number; readonly text: string }): ValueCheck {
  return (value, name) => {
    const ms = parseTimeValue(scalar(value), name);
    if (max !== undefined && ms > max.ms)
      throw errors.illegalArgument(
        `failed to parse value [${scalar(value)}] for setting [${name}], must be <= [${max.text}]`,
      );
    if (ms < minMs)
      throw errors.illegalArgument(
        `failed to parse value [${scalar(value)}] for setting [${name}], must be >= [${minText}]`,
      );
  };
}

/** Checks a size in bytes, such as `40mb`, or a percentage of the heap, such as `5%`. */
export const bytes: ValueCheck = (value, name) => {
  const text = scalar(value);
  if (/^\d+(\.\d+)?%$/.test(text)) return;
  try {
    parseByteSize(text, name);
  } catch (error) {
    const cause = toApiError(error);
    throw cause.type === 'parse_exception' ? errors.illegalArgument(cause.reason, { cause }) : cause;
  }
};

/** Checks a value of a Java enum, without regard to case. Errors name the class. */
export function enumeration(javaClass: string, values: readonly string[]): ValueCheck {
  return (value) => {
    const text = scalar(value);
    if (!values.includes(text.toLowerCase()))
      throw errors.illegalArgument(`No enum constant ${javaClass}.${text.toUpperCase()}`);
  };
}

/** Checks that a value is one of `values`; `wording` makes the reason of the error. */
export function oneOf(values: readonly string[], wording: (text: string, name: string) => string): ValueCheck {
  return (value, name) => {
    const text = scalar(value);
    if (!values.includes(text)) throw errors.illegalArgument(wording(text, name));
  };
}

/** A setting in a table: name, default, check of its values. */
export type Row = readonly [name: string, fallback: SettingValue, check: ValueCheck];

/** Makes setting definitions of the rows of a table, all with the same property. */
export function settings(property: SettingProperty, rows: readonly Row[]): SettingDefinition[] {
  return rows.map(([name, fallback, check]) => ({ name, fallback, property, check }));
}
