import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { textOf } from '../runtime/java-text.js';
import { javaTable } from '../testing/java-table.js';

/** Answers of Painless in OpenSearch 2.19.0 on Java 17, by label. A second one that is the same is written `=`. */
function goldenRows(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('../../golden/java-arithmetic.txt', import.meta.url), 'utf8');
  const rows = new Map<string, string>();
  for (const line of text.trimEnd().split('\n')) {
    const [label = '', typed = '', dynamic] = line.split('\t');
    rows.set(label, JSON.parse(typed) as string);
    if (dynamic !== undefined) rows.set(`boxed ${label}`, JSON.parse(dynamic === '=' ? typed : dynamic) as string);
  }
  return rows;
}

/** What Java's own messages say of modules, and two slips of the tongue of Painless, are not told here. */
const UNTOLD = /in module java\.base|cast (float|def) \[boolean\] to byte$/;

function answerOf(source: string): string {
  try {
    const script = { lang: 'painless', source, id: null, params: {}, options: {} };
    return String(textOf(compile(script, 'painless_test').call([{}]) as Parameters<typeof textOf>[0]));
  } catch (error) {
    if (!isApiError(error)) throw error;
    const cause = error.causedBy ?? error;
    return `! ${error.reason}: ${cause.type}: ${cause.reason}`;
  }
}

/** Text of a float or a double that is finite. */
const DECIMAL = /^-?\d+\.\d+(E-?\d+)?$/;
/** Labels of results that are floats although a double takes part. */
const OF_FLOATS = /^(boxed )?(\(float\)|float \S*= )/i;

/** Floats and doubles are compared, not their texts: Java 17 writes more digits than Java 21 for some. */
function isSame(a: string, b: string, areFloats: boolean): boolean {
  if (a === b) return true;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return false;
  const [x, y] = [Number(a), Number(b)];
  return x === y || (areFloats && Math.fround(x) === Math.fround(y));
}

function differences(label: string, expected: string, actual: string): readonly string[] {
  if (expected === actual) return [];
  if (!expected.startsWith('[') || !actual.startsWith('[')) return [`${label}: ${expected} but ${actual}`];
  const [wanted, got] = [expected, actual].map((list) => list.slice(1, -1).split(/, | /));
  const areFloats = OF_FLOATS.test(label) || (/float/i.test(label) && !/double/i.test(label));
  return wanted!.flatMap((value, i) =>
    isSame(value, got![i] ?? '', areFloats) ? [] : [`${label} ${i}: ${value} but ${got![i]}`],
  );
}

test('arithmetic, comparisons and casts of scripts are those of Java', () => {
  const golden = goldenRows();
  const table = javaTable();
  assert.equal(golden.size, table.length);
  const found = table.flatMap(([label, source]) => {
    const expected = golden.get(label)!;
    const actual = answerOf(source);
    if (UNTOLD.test(expected)) return actual.startsWith('!') ? [] : [`${label}: ${actual} is no error`];
    return differences(label, expected, actual);
  });
  assert.deepEqual(found.slice(0, 20), []);
});
