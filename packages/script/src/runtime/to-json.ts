import { JavaMap } from './java-map.js';
import { JavaSet } from './java-set.js';
import { textOf } from './java-text.js';
import { doubleNumber, floatNumber, JsonText } from '@shoal/json';
import { StateMap } from './state-map.js';
import { isView, withoutView } from './read-only-view.js';
import { illegalArgument, type Thrown } from './thrown.js';
import { WriteContext } from './write-context.js';
import { Boxed, classOf, HostList, JavaArray, ScriptObject, type Value } from './values.js';

/** A value that answers hold in a form of its own: a point, a date. */
export interface JsonForm {
  toJsonForm(): unknown;
}

/** Levels of a value that leaves a script. */
const LEVELS_MAX = 1000;

/**
 * Returns a value of a script as JSON: numbers unboxed, collections as arrays and objects. Objects and arrays of JSON
 * are changed in place where something in them has to be. Throws for a value that contains itself.
 */
export function toJson(value: Value, path: Set<object> = new Set()): unknown {
  if (typeof value === 'function') throw unwritable(classOf(value));
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  if (value instanceof JsonText) return value;
  if (value instanceof Boxed) return boxToJson(value);
  if (isView(value)) return withoutView(value);
  if (path.has(value) || path.size > LEVELS_MAX) throw illegalArgument('Iterable object is self-referencing itself');
  path.add(value);
  const json = collectionToJson(value, path);
  path.delete(value);
  return json;
}

/** Classes of the values of scripts that Elasticsearch does not write into documents and answers. */
const UNWRITABLE = new RegExp(
  [
    '^java\\.util\\.(stream|regex|function)\\.',
    '^java\\.util\\.(UUID|Optional|Random|StringJoiner|BitSet|StringTokenizer)',
    '^java\\.util\\.(Iterator|ListIterator|TimeZone|Base64|Map\\.Entry)',
    '^java\\.util\\.(AbstractMap|.*SummaryStatistics)',
    '^java\\.lang\\.(String(Builder|Buffer)|.*Exception|Error)$',
    '^java\\.text\\.',
    '^java\\.time\\.(YearMonth|Zone(Id|Offset|Region)|format\\.)$',
    '^java\\.math\\.MathContext$',
  ].join('|'),
);

const unwritable = (javaClass: string): Thrown =>
  illegalArgument(`cannot write xcontent for unknown value of type class ${javaClass}`);

function boxToJson(boxed: Boxed): unknown {
  if (boxed.kind === 'Character') throw unwritable(boxed.javaClass);
  if (boxed.kind === 'Double') return doubleNumber(boxed.value);
  return boxed.kind === 'Float' ? floatNumber(boxed.value) : boxed.value;
}

/** Infinite and not-a-number members are texts of their names: JSON has no numbers for them. */
function itemToJson(value: Value, path: Set<object>): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : toJson(value, path);
}

function collectionToJson(value: object, path: Set<object>): unknown {
  if (Array.isArray(value)) {
    if (Object.isFrozen(value) || 'javaClass' in value) return value.map((item) => itemToJson(item, path));
    for (let i = 0; i < value.length; i++) value[i] = itemToJson(value[i], path);
    return value;
  }
  if (value instanceof JavaMap || value instanceof StateMap) {
    const entries = value.entries().map(([key, item]): [string, unknown] => [textOf(key), itemToJson(item, path)]);
    return Object.fromEntries(entries);
  }
  if (value instanceof WriteContext) {
    value.source = toJson(value.source, path) as object;
    return value;
  }
  if (value instanceof JavaSet) return value.values().map((item) => itemToJson(item, path));
  if (value instanceof JavaArray) return value.values.map((item) => itemToJson(item, path));
  if (value instanceof HostList) return [...value].map((item) => itemToJson(item, path));
  if (value instanceof ScriptObject) {
    if ('toJsonForm' in value) return (value as unknown as JsonForm).toJsonForm();
    if (UNWRITABLE.test(value.javaClass)) throw unwritable(value.javaClass);
    return textOf(value);
  }
  const document = value as Record<string, unknown>;
  for (const key of Object.keys(document)) {
    const item = document[key];
    if (typeof item === 'string' || item === null) continue;
    const json = itemToJson(item, path);
    if (json !== item) document[key] = json;
  }
  return document;
}
