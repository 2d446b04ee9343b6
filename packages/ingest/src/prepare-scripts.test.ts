import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { prepareScripts } from './prepare-scripts.js';
import type { IngestScripts } from './scripts.js';

test('scripts of a pipeline are compiled with turns for others, wherever they stand', async () => {
  const compiled: unknown[] = [];
  const scripts: IngestScripts = {
    compile(json, context) {
      compiled.push([json, context]);
      if (json === 'bad') throw errors.illegalArgument('bad');
      return { text: '', call: () => null };
    },
    templates: (text) => () => text,
  };
  let turns = 0;
  const body = {
    processors: [
      { set: { field: 'a', value: 1, if: 'bad' } },
      { script: { source: 'b', params: { x: 1 }, tag: 't', on_failure: [{ script: 'c' }] } },
      { foreach: { field: 'l', processor: { script: { id: 'd' } } } },
      3,
      { script: null },
    ],
    on_failure: [{ drop: { if: { source: 'e' } } }],
  };
  await prepareScripts(body, scripts, () => {
    turns++;
    return Promise.resolve();
  });
  assert.deepEqual(
    new Set(compiled.map((one) => JSON.stringify(one))),
    new Set([
      '["bad","processor_conditional"]',
      '[{"source":"b","params":{"x":1}},"ingest"]',
      '["c","ingest"]',
      '[{"id":"d"},"ingest"]',
      '[null,"ingest"]',
      '[{"source":"e"},"processor_conditional"]',
    ]),
  );
  assert.equal(turns, compiled.length);
});
