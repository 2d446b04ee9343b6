// Every field type × index, doc_values, store, norms, index_options, term_vector, as Elasticsearch 8.12.0 answered.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { startNode } from '../node-process.mjs';
import { answersOf, typeNames } from './field-type-table.mjs';

const recorded = JSON.parse(fs.readFileSync(new URL('field-types.json', import.meta.url), 'utf8'));

let node;
before(async () => (node = await startNode()));
after(() => node?.stop());

for (const type of typeNames)
  for (const isSealed of [false, true])
    test(`${type} in ${isSealed ? 'a segment' : 'the buffer'} answers with all parameters as 8.12.0 does`, async () =>
      assert.deepEqual(await answersOf(node, type, { isSealed }), recorded[type]));
