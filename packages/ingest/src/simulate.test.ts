import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { noDatabases } from './databases.js';
import { createIngest } from './ingest.js';
import { fakeScripts } from './testing/pipeline-table.js';

const NEVER = new AbortController().signal;

const STORED = {
  inner: { processors: [{ set: { field: 'in', value: '{{_ingest.pipeline}}' } }] },
  circle: { processors: [{ pipeline: { name: 'circle' } }] },
};

async function docs(processors: readonly unknown[], docsJson: readonly unknown[], isVerbose = false): Promise<unknown> {
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const body = { pipeline: { processors }, docs: docsJson };
  const answer = JSON.parse(
    JSON.stringify(await ingest.simulate({ id: null, body, isVerbose, user: null }, STORED, NEVER)),
  ) as {
    docs: unknown;
  };
  return answer.docs;
}

const timestamp = '2023-11-14T22:13:20.000Z';
const shown = (source: object, ingest: object = {}): object => ({
  _index: '_index',
  _id: '_id',
  _version: '-3',
  _source: source,
  _ingest: { timestamp, ...ingest },
});

test('a simulation shows documents, errors, and null for what was dropped', async () => {
  const reason = 'field [a] not present as part of path [a]';
  const error = { type: 'illegal_argument_exception', reason };
  assert.deepEqual(
    await docs(
      [{ drop: { if: 'x == 1' } }, { remove: { field: 'a' } }],
      [
        { _source: { a: 1 } },
        { _source: {} },
        { _source: { x: 1 } },
        {
          _source: { a: 1 },
          _index: 7,
          _id: 'i',
          _routing: 'r',
          _version: 5,
          _version_type: 'external',
          _if_seq_no: 1,
        },
      ],
    ),
    [
      { doc: shown({}) },
      { error: { root_cause: [error], ...error } },
      null,
      {
        doc: {
          ...shown({}),
          ...{ _index: '7', _id: 'i', _routing: 'r', _version: '5', _version_type: 'external', _if_seq_no: '1' },
        },
      },
    ],
  );
});

test('a verbose simulation shows the result of each processor, also inside of pipelines', async () => {
  const [doc] = (await docs(
    [
      { fail: { tag: 't', message: 'm', ignore_failure: true } },
      { set: { if: 'a == 2', field: 'b', value: 1 } },
      { set: { if: 'a == 1', description: 'd', field: 'b', value: 1 } },
      { pipeline: { name: 'inner' } },
      { pipeline: { name: 'circle', ignore_failure: true } },
      { drop: {} },
      { set: { field: 'c', value: 1 } },
    ],
    [{ _source: { a: 1 } }],
    true,
  )) as { processor_results: { status: string }[] }[];
  const failed = {
    root_cause: [{ type: 'fail_processor_exception', reason: 'm' }],
    type: 'fail_processor_exception',
    reason: 'm',
  };
  const pipeline = '_simulate_pipeline';
  const results = doc!.processor_results;
  assert.deepEqual(results.slice(0, 5), [
    {
      processor_type: 'fail',
      status: 'error_ignored',
      tag: 't',
      ignored_error: { error: failed },
      doc: shown({ a: 1 }, { pipeline }),
    },
    { processor_type: 'set', status: 'skipped', if: { condition: 'a == 2', result: false } },
    {
      processor_type: 'set',
      status: 'success',
      description: 'd',
      if: { condition: 'a == 1', result: true },
      doc: shown({ a: 1, b: 1 }, { pipeline }),
    },
    { processor_type: 'pipeline', status: 'success' },
    { processor_type: 'set', status: 'success', doc: shown({ a: 1, b: 1, in: 'inner' }, { pipeline: 'inner' }) },
  ]);
  assert.deepEqual(
    results.slice(5).map(({ status }) => status),
    ['error_ignored', 'dropped'],
  );
});

test('a simulation refuses bodies without documents or with malformed ones', async () => {
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const refused = (id: string | null, body: Record<string, unknown>, reason: string): Promise<void> =>
    assert.rejects(ingest.simulate({ id, body, isVerbose: false, user: null }, STORED, NEVER), { reason });
  const pipeline = { processors: [] };
  await refused(null, { docs: [] }, '[pipeline] required property is missing');
  await refused('no', { docs: [] }, 'pipeline [no] does not exist');
  await refused(null, { pipeline }, '[docs] required property is missing');
  await refused(null, { pipeline, docs: [] }, 'must specify at least one document in [docs]');
  await refused(null, { pipeline, docs: [7] }, 'malformed [docs] section, should include an inner object');
  await refused(null, { pipeline, docs: [{}] }, '[_source] required property is missing');
  await refused(null, { pipeline, docs: [{ _source: {}, _version: null }] }, '[_version] cannot be null');
  await refused(null, { pipeline, docs: [{ _source: {}, _version: 'x' }] }, 'For input string: "x"');
  await refused(null, { pipeline, docs: [{ _source: {}, _version_type: 'zz' }] }, 'No version type match [zz]');
});

test('a simulation whose answer would be too large is refused, large documents or many results', async () => {
  const processors = Array.from({ length: 1000 }, (_none, i) => ({ set: { field: `b${i}`, value: 1 } }));
  const reason = 'the documents of the simulation have more than [16777216] bytes';
  const large = [{ _source: { a: 'x'.repeat(4 * 2 ** 20) } }];
  await assert.rejects(docs(processors.slice(0, 40), large, true), { reason, status: 400 });
  const many = Array.from({ length: 100 }, () => ({ _source: { a: 1 } }));
  await assert.rejects(docs(processors, many, true), { reason, status: 400 });
});
