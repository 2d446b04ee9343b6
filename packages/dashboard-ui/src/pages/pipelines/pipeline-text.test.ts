import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipelineBody, readList, stepsOf } from './pipeline-text.js';

test('processors are sent as they are written, and other members stay', () => {
  const body = pipelineBody({ version: 3, processors: [] }, 'd', '[{"set":{"field":"n","value":9007199254740993}}]');
  assert.equal(body, '{"description":"d","processors":[{"set":{"field":"n","value":9007199254740993}}],"version":3}');
  assert.equal(pipelineBody({}, '', ''), '{"processors":[]}');
});

test('what is no list of objects is told', () => {
  assert.deepEqual(readList('', 'Processors'), []);
  assert.match(String(readList('{}', 'Processors')), /must be a list/);
  assert.match(String(readList('[', 'Documents')), /^Documents: /);
});

test('each processor has the document before and after it', () => {
  const answer = {
    docs: [
      {
        processor_results: [
          { processor_type: 'set', status: 'success', doc: { _source: { a: 1 } } },
          { processor_type: 'fail', status: 'error', error: { reason: 'no' } },
        ],
      },
      { error: { reason: 'bad' } },
    ],
  };
  const steps = stepsOf(answer, [{ _source: {} }, { _source: { b: 1 } }]);
  assert.deepEqual(
    steps.map(({ document, processor, status, before, after }) => [
      document,
      processor,
      status,
      before.replace(/\s/g, ''),
      after.replace(/\s/g, ''),
    ]),
    [
      [1, 'set', 'success', '{}', '{"a":1}'],
      [1, 'fail', 'error', '{"a":1}', 'no'],
      [2, '', 'error', '{"b":1}', 'bad'],
    ],
  );
});
