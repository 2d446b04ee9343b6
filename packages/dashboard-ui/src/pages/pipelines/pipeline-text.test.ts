import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cardsOf,
  changedList,
  EMPTY_PIPELINE,
  pipelineBody,
  readList,
  readPipeline,
  stepsOf,
} from './pipeline-text.js';

const SET = '{"set":{"field":"n","value":9007199254740993}}';
const STORED =
  `{"p":{"description":"d","processors":[${SET},{"set":{"field":"m","value":1.10}}],` +
  `"version":3,"_meta":{"n":9007199254740993}}}`;

test('a pipeline that is opened and saved keeps each digit and each member', () => {
  const pipeline = readPipeline(STORED, 'p');
  assert.equal(pipeline.description, 'd');
  const written = pipelineBody(pipeline).replace(/\s/g, '');
  assert.equal(written, STORED.slice('{"p":'.length, -1));
  assert.equal(pipelineBody(readPipeline(STORED, 'other')), '{"processors":[]}');
  assert.equal(pipelineBody({ ...EMPTY_PIPELINE, processors: '' }), '{"processors":[]}');
});

test('cards are moved and removed without changing a number', () => {
  const { processors } = readPipeline(STORED, 'p');
  assert.deepEqual(cardsOf(processors)[0], { type: 'set', settings: '{ "field": "n", "value": 9007199254740993 }' });
  assert.match(changedList(processors, 1, 'up').replace(/\s/g, ''), /^\[.*1\.10.*9007199254740993.*\]$/);
  assert.equal(changedList(processors, 1, 'remove').replace(/\s/g, ''), `[${SET}]`);
});

test('what is no list of objects is told', () => {
  assert.deepEqual(readList('', 'Processors'), []);
  assert.match(String(readList('{}', 'Processors')), /must be a list/);
  assert.match(String(readList('[', 'Documents')), /^Documents: /);
});

test('each processor has the document before and after it, with its digits', () => {
  const answer = `{"docs":[
    {"processor_results":[
      {"processor_type":"set","status":"success","doc":{"_source":{"a":9007199254740993}}},
      {"processor_type":"drop","status":"dropped"},
      {"processor_type":"fail","status":"error","error":{"reason":"no \\"x\\""}}]},
    {"error":{"reason":"bad"}}]}`;
  const steps = stepsOf(answer, '[{"_source":{}},{"_source":{"b":1.10}}]');
  assert.deepEqual(
    steps.map(({ document, processor, status, before, after }) => [
      document,
      processor,
      status,
      before.replace(/\s/g, ''),
      after,
    ]),
    [
      [1, 'set', 'success', '{}', '{\n  "a": 9007199254740993\n}'],
      [1, 'drop', 'dropped', '{"a":9007199254740993}', 'The document is dropped.'],
      [1, 'fail', 'error', '{"a":9007199254740993}', 'no "x"'],
      [2, '', 'error', '{"b":1.10}', 'bad'],
    ],
  );
});
