import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateWith } from '../fake-cluster.js';
import { parseReplay } from './replay-request.js';

const STATE = stateWith([], { customs: new Map([['pipelines', { p: { processors: [] } }]]) });

test('a replay takes a query, a pipeline, a number of documents, and whether nothing is written', () => {
  assert.deepEqual(parseReplay(undefined, STATE), { query: undefined, pipeline: null, maxDocs: null, isDryRun: false });
  const body = { query: { match_all: {} }, pipeline: 'p', max_docs: 3, dry_run: true };
  assert.deepEqual(parseReplay(body, STATE), {
    query: body.query,
    pipeline: 'p',
    maxDocs: 3,
    isDryRun: true,
  });
  assert.equal(parseReplay({ pipeline: '_none' }, STATE).pipeline, '_none');
});

test('a replay refuses everything else by name', () => {
  const rows: [unknown, string][] = [
    [{ size: 1 }, '[replay] unknown field [size]'],
    [{ query: [] }, "[replay] query doesn't support values of type: START_ARRAY"],
    [{ pipeline: 1 }, "[replay] pipeline doesn't support values of type: VALUE_NUMBER"],
    [{ pipeline: 'q' }, 'pipeline with id [q] does not exist'],
    [{ max_docs: 1.5 }, "[replay] max_docs doesn't support values of type: VALUE_NUMBER"],
    [{ max_docs: -1 }, '[max_docs] parameter cannot be negative, found [-1]'],
    [{ dry_run: 1 }, "[replay] dry_run doesn't support values of type: VALUE_NUMBER"],
    ['x', '[replay] expected an object but found VALUE_STRING'],
  ];
  for (const [body, reason] of rows) assert.throws(() => parseReplay(body, STATE), { status: 400, reason });
});
