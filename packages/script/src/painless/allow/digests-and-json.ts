import { createHash } from 'node:crypto';
import { readSource, stringify } from '@shoal/json';
import { currentBudget } from '../../runtime/budget.js';
import { valuesOf } from '../../runtime/collections.js';
import { textOf } from '../../runtime/java-text.js';
import { JavaSet } from '../../runtime/java-set.js';
import { isList } from '../../runtime/lists.js';
import { entriesOf, isMap } from '../../runtime/maps.js';
import { illegalArgument, nullPointer } from '../../runtime/thrown.js';
import { toJson } from '../../runtime/to-json.js';
import { isDocumentMap, JavaArray, type Value } from '../../runtime/values.js';
import type { AllowTable } from './class-row.js';

/** Levels of a value that is printed as JSON. */
const LEVELS_MAX = 200;

const digest =
  (algorithm: string) =>
  (text: string): string => {
    currentBudget().walk(text.length >> 4);
    return createHash(algorithm).update(text, 'utf8').digest('hex');
  };

/** Returns the value of a JSON text. Throws illegal_argument_exception for a text that is none. */
export function loadJson(text: string): Value {
  if (text === null) throw nullPointer(null);
  currentBudget().charge(text.length * 8);
  try {
    // The reader takes whole documents, so the text becomes the value of a key once it is known to be one value.
    JSON.parse(text);
    return (readSource(Buffer.from(`{"v":${text}}`)) as { v: Value }).v;
  } catch (error) {
    throw illegalArgument(`the text is not valid JSON: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

interface Layout {
  readonly newline: string;
  readonly step: string;
  readonly colon: string;
}

const COMPACT: Layout = { newline: '', step: '', colon: ':' };
const PRETTY: Layout = { newline: '\n', step: '  ', colon: ' : ' };

/** Prints a value as JSON. It is left as it is: the numbers of `ctx` keep their classes. */
function printed(value: Value, layout: Layout, indent: string, depth: number): string {
  if (depth > LEVELS_MAX) throw illegalArgument('Iterable object is self-referencing itself');
  const inner = indent + layout.step;
  const joined = (parts: readonly string[], open: string, close: string): string => {
    if (parts.length === 0) return layout === PRETTY ? `${open} ${close}` : open + close;
    const lines = parts.map((part) => layout.newline + inner + part);
    return `${open}${lines.join(',')}${layout.newline}${indent}${close}`;
  };
  if (isMap(value) || isDocumentMap(value)) {
    const parts = entriesOf(value).map(
      ([key, item]) => JSON.stringify(textOf(key)) + layout.colon + printed(item, layout, inner, depth + 1),
    );
    return joined(parts, '{', '}');
  }
  if (!isList(value) && !(value instanceof JavaSet) && !(value instanceof JavaArray)) return stringify(toJson(value));
  const items = value instanceof JavaArray ? value.values : valuesOf(value);
  const parts = items.map((item) => printed(item, layout, inner, depth + 1));
  return joined(parts, '[', ']');
}

function dumpJson(value: Value, isPretty: boolean): string {
  const text = printed(value, isPretty ? PRETTY : COMPACT, '', 0);
  currentBudget().charge(text.length * 2);
  return text;
}

/** What scripts that change documents have beside: digests of texts, and JSON. */
export const DIGESTS_AND_JSON: AllowTable = [
  {
    name: 'java.lang.String',
    methods: {
      'String sha1()': digest('sha1'),
      'String sha256()': digest('sha256'),
      'String sha512()': digest('sha512'),
    },
  },
  {
    name: 'org.elasticsearch.painless.api.Json',
    statics: {
      'def load(String)': loadJson,
      'String dump(def)': (value: Value) => dumpJson(value, false),
      'String dump(def,boolean)': dumpJson,
    },
  },
];
