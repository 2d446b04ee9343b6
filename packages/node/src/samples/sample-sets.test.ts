import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_SETS } from './catalogue.js';

const NOW_MS = Date.parse('2024-05-01T12:00:00Z');

/** All paths of a document's values. */
function pathsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, at));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, at === '' ? name : `${at}.${name}`));
}

/** All paths of a mapping's fields. */
function fieldsOf(properties: object, at = ''): string[] {
  return Object.entries(properties).flatMap(([name, field]: [string, { type?: string; properties?: object }]) =>
    field.properties === undefined ? [`${at}${name}`] : fieldsOf(field.properties, `${at}${name}.`),
  );
}

for (const set of SAMPLE_SETS) {
  test(`${set.index} has as many documents as it says, each once, and the same ones each time`, () => {
    const documents = [...set.documents(NOW_MS)];
    assert.equal(documents.length, set.size);
    assert.equal(new Set(documents.map(({ id }) => id)).size, set.size);
    assert.deepEqual([...set.documents(NOW_MS)].slice(0, 100), documents.slice(0, 100));
  });

  test(`the mapping of ${set.index} names every field, and every field has values`, () => {
    const inDocuments = new Set([...set.documents(NOW_MS)].flatMap(({ source }) => pathsOf(source)));
    const withoutInner = [...inDocuments].map((name) => name.replace(/\.(?:lat|lon|input)$/, ''));
    assert.deepEqual(new Set(withoutInner), new Set(fieldsOf(set.properties)));
  });

  test(`no time of ${set.index} lies after the moment of loading`, () => {
    for (const { id, source } of set.documents(NOW_MS))
      for (const name of ['@timestamp', 'ordered_at', 'published'])
        if (name in source) assert.ok(Date.parse(source[name] as string) <= NOW_MS, `${id}: ${source[name]}`);
  });
}
