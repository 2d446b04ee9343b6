import { errors } from '@shoal/errors';
import { convertNumber, KIND, kindOf, numberIn } from '../runtime/boxes.js';
import { textOf } from '../runtime/java-text.js';
import { JavaSet } from '../runtime/java-set.js';
import type { Long } from '../runtime/longs.js';
import { UtcDate } from '../runtime/utc-date.js';
import { isList } from '../runtime/lists.js';
import { isMap } from '../runtime/maps.js';
import { Thrown } from '../runtime/thrown.js';
import { toJson } from '../runtime/to-json.js';
import { Boxed, HostList, isDocumentMap, JavaArray, type Value } from '../runtime/values.js';

/** One of the values that the script of an aggregation returns for a document. */
export type AggregatedValue = Value;

/** Returns the number of a result that is one, boxed or not; undefined for another, and for a Long beyond 2^53. */
export function plainNumber(result: Value): number | undefined {
  if (typeof result === 'number') return result;
  return result instanceof Boxed && result.kind !== 'Character' ? result.value : undefined;
}

/** Returns the values of a result: the items of a collection or an array, else the result itself; none for null. */
export function aggregatedValues(result: Value): readonly AggregatedValue[] {
  if (result === null || result === undefined) return [];
  if (Array.isArray(result)) return result;
  if (result instanceof JavaArray) return result.values;
  if (result instanceof JavaSet) return result.values();
  return result instanceof HostList ? [...result] : [result];
}

/** Returns a number, boxed or not, as a long, whose fraction is cut off; null for null. */
export function wholeNumber(result: Value): Long | null {
  return result === null ? null : convertNumber(kindOf(result), numberIn(result), 'long');
}

/** Returns a value as a number: a date in milliseconds. Throws aggregation_execution_exception for others. */
export function aggregatedNumber(value: AggregatedValue): Long {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof UtcDate) return value.ms;
  const kind = kindOf(value);
  if (kind !== KIND.none && kind !== KIND.char) return numberIn(value);
  throw errors.aggregationExecution(
    `Unsupported script value [${value === null ? 'null' : textOf(value)}], expected a number, date, or boolean`,
    { status: 400 },
  );
}

/** Returns a value as a term; null is the empty one. Throws for a collection that contains itself. */
export function aggregatedText(value: AggregatedValue): string {
  if (value === null || value === undefined) return '';
  if (isMap(value) || isDocumentMap(value) || isList(value)) checkReferences(value);
  return textOf(value);
}

function checkReferences(value: object): void {
  try {
    toJson(value);
  } catch (error) {
    throw error instanceof Thrown ? errors.illegalArgument(`${error.told} (ScriptBytesValues value)`) : error;
  }
}
