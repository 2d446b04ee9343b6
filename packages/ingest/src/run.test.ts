import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IngestDocument } from './document.js';
import type { Pipeline } from './processor.js';
import { runPipeline } from './run.js';
import { compiled, outcome, testMetadata } from './testing/pipeline-table.js';

const run = { monotonic: () => 0, pause: () => null, trace: null, user: null, running: [] };

function documentOf(source: Record<string, unknown>): IngestDocument {
  return new IngestDocument(source, testMetadata(), { timestamp: 't' });
}

test('a processor runs only if its condition holds', async () => {
  const set = (condition: string): unknown => ({ set: { if: condition, field: 'b', value: 1 } });
  assert.equal(await outcome([set('ctx.a == 1')], '{"a":1}'), '{"a":1,"b":1}');
  assert.equal(await outcome([set('ctx.a == 2')], '{"a":1}'), '{"a":1}');
});

test('an ignored failure does not stop a pipeline; any other fails the document', async () => {
  const processors = [{ remove: { field: 'no', ignore_failure: true } }, { set: { field: 'a', value: 1 } }];
  assert.equal(await outcome(processors, '{}'), '{"a":1}');
  const reason = 'illegal_argument_exception: field [no] not present as part of path [no]';
  assert.equal(await outcome([{ remove: { field: 'no' } }, { set: { field: 'a', value: 1 } }], '{}'), reason);
});

test('on_failure sees what failed, and what it leaves in _ingest is gone afterwards', async () => {
  const fields = ['message', 'processor_type', 'processor_tag', 'pipeline'];
  const on_failure = [{ set: { field: 'e', value: fields.map((name) => `{{_ingest.on_failure_${name}}}`).join('|') } }];
  const processors = [
    { fail: { tag: 't', message: 'm', on_failure } },
    { set: { field: 'after', value: '{{_ingest.on_failure_message}}' } },
  ];
  assert.equal(await outcome(processors, '{}'), '{"e":"m|fail|t|","after":""}');
});

test('a failing on_failure processor fails the document with its own error', async () => {
  const on_failure = [{ set: { field: 'a', value: 1 } }, { fail: { message: 'again' } }];
  assert.equal(await outcome([{ fail: { message: 'm', on_failure } }], '{}'), 'fail_processor_exception: again');
});

test('a dropped document is not given to the processors that follow', async () => {
  assert.equal(await outcome([{ drop: {} }, { fail: { message: 'x' } }], '{}'), 'dropped');
});

test('pipelines call each other; one that calls itself fails, and the name of the innermost is told', async () => {
  const pipelines = compiled({
    outer: { processors: [{ pipeline: { name: 'inner' } }, { set: { field: 'o', value: '{{_ingest.pipeline}}' } }] },
    inner: { processors: [{ set: { field: 'i', value: '{{_ingest.pipeline}}' } }] },
    maybe: { processors: [{ pipeline: { name: 'no', ignore_missing_pipeline: true } }] },
    absent: { processors: [{ pipeline: { name: 'no' } }] },
    circle: {
      processors: [{ pipeline: { name: 'circle', tag: 'c' } }],
      on_failure: [
        { set: { field: 'e', value: '{{_ingest.on_failure_pipeline}}/{{_ingest.on_failure_processor_tag}}' } },
      ],
    },
    first: { processors: [{ pipeline: { name: 'second' } }] },
    second: { processors: [{ pipeline: { name: 'first' } }] },
  });
  const result = async (name: string): Promise<unknown> => {
    const document = documentOf({});
    await runPipeline(pipelines(name)!, document, run);
    assert.deepEqual(document.ingest, { timestamp: 't' });
    return document.source;
  };
  assert.deepEqual(await result('outer'), { o: 'outer', i: 'inner' });
  assert.deepEqual(await result('maybe'), {});
  assert.deepEqual(await result('circle'), { e: '/c' });
  const absent = { type: 'illegal_state_exception', reason: /configured for non-existent pipeline \[no\]/ };
  await assert.rejects(result('absent'), absent);
  await assert.rejects(result('first'), { reason: 'Cycle detected for pipeline: first' });
});

test('steps that wait for others keep the order, and their errors are handled alike', async () => {
  const pipelines = compiled({
    p: { processors: [{ set: { field: 'a', value: 1 } }, { set: { field: 'b', value: '{{a}}' } }] },
  });
  const { processors, ...pipeline } = pipelines('p')!;
  const late: Pipeline = {
    ...pipeline,
    processors: processors.map((one) => ({
      ...one,
      step: async (document, context) => {
        await Promise.resolve();
        await one.step(document, context);
      },
    })),
  };
  const document = documentOf({});
  await runPipeline(late, document, run);
  assert.deepEqual(document.source, { a: 1, b: '1' });
  const failing = { ...processors[0]!, step: () => Promise.reject(new Error('late')), ignoreFailure: true };
  await runPipeline({ ...pipeline, processors: [failing, processors[1]!] }, documentOf({}), run);
  assert.equal(failing.counters.failed, 1);
  assert.equal(late.counters.count, 2);
});
