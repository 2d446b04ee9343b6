import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { searchOf } from '../testing/section-table.js';
import { searchSections } from './catalogue.js';
import { checkSearchKeys, parseSearch } from './parse-search.js';
import { ARRAY, OBJECT, VALUE } from './section.js';

const SAMPLES = [
  [VALUE, '7'],
  [OBJECT, {}],
  [ARRAY, []],
] as const;

const FOLDER = new URL('./sections/', import.meta.url);

test('each key takes the kinds of values that its section names, and others are refused by name', () => {
  for (const { keys, tokens } of Object.values(searchSections))
    for (const key of keys)
      for (const [kind, value] of SAMPLES) {
        const body = { [key]: value };
        if ((tokens & kind) !== 0) checkSearchKeys(body);
        else
          assert.throws(() => checkSearchKeys(body), { type: 'parsing_exception' }, `${key}: ${JSON.stringify(value)}`);
      }
  assert.throws(() => checkSearchKeys({ sorted: [] }), {
    type: 'parsing_exception',
    message: 'Unknown key for a START_ARRAY in [sorted].',
  });
});

test('no key belongs to two sections', () => {
  const keys = Object.values(searchSections).flatMap((section) => [...section.keys]);
  assert.equal(new Set(keys).size, keys.length);
});

test('nothing is read of a body that is not in the catalogue', () => {
  const read = new Set<string>();
  const spy = new Proxy({} as Record<string, unknown>, {
    get: (body, key) => (read.add(String(key)), body[String(key)]),
  });
  parseSearch(spy, { maxNestedDepth: 30, allowExpensiveQueries: true, parseAggregations: () => assert.fail() });
  const known = new Set(Object.values(searchSections).flatMap((section) => [...section.keys]));
  assert.deepEqual(
    [...read].filter((key) => !known.has(key)),
    [],
  );
  assert.deepEqual(
    [...known].filter((key) => !read.has(key)),
    [],
  );
});

test('a search has a value for each row of the catalogue, that of a missing section if the body has none', () => {
  const empty = searchOf({});
  for (const [name, { absent }] of Object.entries(searchSections))
    assert.deepEqual(empty[name as keyof typeof searchSections], absent, name);
  assert.deepEqual([empty.needsAllShards, empty.gathersMore, empty.isCostlyToShow], [false, false, false]);
});

test('each section stands in a file of its own rows, with its table beside it', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  const catalogue = readFileSync(new URL('./catalogue.js', import.meta.url), 'utf8');
  for (const name of files.filter((file) => !file.endsWith('.test.js'))) {
    assert.ok(catalogue.includes(`./sections/${name}`), `${name} has a row in the catalogue`);
    assert.ok(files.includes(name.replace('.js', '.test.js')), `${name} has its table beside it`);
  }
});
