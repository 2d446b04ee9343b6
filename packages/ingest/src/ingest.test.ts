import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { noDatabases } from './databases.js';
import { createIngest } from './ingest.js';
import type { IngestDocument } from './document.js';
import { ingestItem, type IngestItem, type PipelineNames } from './ingest-item.js';
import { compiled, fakeScripts } from './testing/pipeline-table.js';

const NEVER = new AbortController().signal;

function item(source: string, first: string | null, final: string | null = null): IngestItem {
  return {
    source: Buffer.from(source),
    pipelines: { first, final },
    index: 'a',
    id: '1',
    routing: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    dynamicTemplates: null,
  };
}

const move = (to: string): unknown => ({ set: { field: '_index', value: to } });
const mark = (name: string): unknown => ({ set: { field: 'by', value: `{{by}}${name}` } });

async function results(
  pipelines: Record<string, unknown>,
  items: readonly IngestItem[],
  ofIndex: Record<string, PipelineNames> = {},
): Promise<unknown[]> {
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const pipelinesOf = (index: string): PipelineNames => ofIndex[index] ?? { first: null, final: null };
  return (await ingest.run({ pipelines, items, pipelinesOf, user: null }, NEVER)).map((result) => {
    if (result.kind === 'failed') return `${result.error.type}: ${result.error.reason}`;
    if (result.kind === 'dropped') return `dropped by ${result.executed.join()}`;
    return `${result.target.index} ${Buffer.from(result.source).toString()} ${result.executed.join()}`;
  });
}

test('the first pipeline runs, then the final one; documents that fail or are dropped do not stop others', async () => {
  const pipelines = {
    one: { processors: [mark('1')] },
    two: { processors: [mark('2')] },
    drop: { processors: [{ drop: {} }] },
  };
  const items = [item('{}', 'one', 'two'), item('{}', 'no'), item('{}', 'drop', 'two'), item('{', 'one')];
  const [both, absent, dropped, malformed] = await results(pipelines, items);
  assert.equal(both, 'a {"by":"12"} one,two');
  assert.equal(absent, 'illegal_argument_exception: pipeline with id [no] does not exist');
  assert.equal(dropped, 'dropped by drop');
  assert.match(String(malformed), /^document_parsing_exception: /);
});

test('bytes that no processor has seen stay as they are; whole doubles stay doubles', async () => {
  const pipelines = { none: { processors: [{ drop: { if: 'x == 1' } }] }, set: { processors: [mark('s')] } };
  assert.deepEqual(await results(pipelines, [item('{ "a" : 1.0 }', 'none')]), ['a { "a" : 1.0 } none']);
  assert.deepEqual(await results(pipelines, [item('{"a":1.0,"b":"2.0","c":1e3,"d":1.5}', 'set')]), [
    'a {"a":1.0,"b":"2.0","c":1000.0,"d":1.5,"by":"s"} set',
  ]);
  const long = '{"a":12345678901234567890,"__proto__":{"x":1}}';
  assert.deepEqual(await results(pipelines, [item(long, 'set')]), [
    'a {"a":12345678901234567890,"__proto__":{"x":1},"by":"s"} set',
  ]);
});

test('after a change of the index the final pipeline of the new one runs, and may not change it again', async () => {
  const pipelines = {
    move: { processors: [move('b')] },
    back: { processors: [move('a')] },
    fin: { processors: [mark('f')] },
    no: { processors: [{ fail: { message: 'default of b' } }] },
  };
  assert.deepEqual(await results(pipelines, [item('{}', 'move', 'no')], { b: { first: 'no', final: 'fin' } }), [
    'b {"by":"f"} move,fin',
  ]);
  assert.deepEqual(await results(pipelines, [item('{}', 'move')], { b: { first: null, final: 'back' } }), [
    "illegal_state_exception: final pipeline [back] can't change the target index (from [b] to [a]) for document [1]",
  ]);
});

test('statistics count runs of processors and survive the update of a pipeline', async () => {
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const pipelinesOf = (): PipelineNames => ({ first: null, final: null });
  const before = {
    p: { processors: [mark('1'), { pipeline: { name: 'q', tag: 't', ignore_missing_pipeline: true } }] },
  };
  await ingest.run(
    { pipelines: before, items: [item('{}', 'p'), item('{}', 'p'), item('{}', 'no')], pipelinesOf, user: null },
    NEVER,
  );
  const after = { p: { processors: [{ drop: {} }, mark('2')] }, bad: { processors: [{ zz: {} }] } };
  const figures = (count: number, failed = 0): unknown => ({ count, time_in_millis: 0, current: 0, failed });
  assert.deepEqual(ingest.stats(before), {
    total: figures(3, 1),
    pipelines: {
      p: {
        ...(figures(2) as object),
        processors: [
          { set: { type: 'set', stats: figures(2) } },
          { 'pipeline:q:t': { type: 'pipeline', stats: figures(2) } },
        ],
      },
    },
  });
  assert.deepEqual(ingest.stats(after).pipelines, {
    p: {
      ...(figures(2) as object),
      processors: [{ drop: { type: 'drop', stats: figures(0) } }, { set: { type: 'set', stats: figures(2) } }],
    },
  });
});

test('a document may not grow beyond 16 MB, nor may its processors make ever more', async () => {
  const processors = Array.from({ length: 12 }, () => ({ set: { field: 'a', value: '{{{a}}}{{{a}}}' } }));
  const [result] = await results({ p: { processors } }, [item(`{"a":"${'x'.repeat(5000)}"}`, 'p')]);
  const doubling = Array.from({ length: 40 }, (_, i) => ({ set: { field: `a.b${i}`, copy_from: 'a' } }));
  const [copies] = await results({ p: { processors: doubling } }, [item('{"a":{}}', 'p')]);
  assert.match(String(copies), /^illegal_argument_exception: pipelines made more than the limit of \[67108864\] bytes/);
  const escaping = Array.from({ length: 16 }, () => ({ set: { field: 'a', value: '{{a}}{{a}}' } }));
  const [escaped] = await results({ p: { processors: escaping } }, [item(`{"a":"${'x'.repeat(1000)}"}`, 'p')]);
  assert.match(String(escaped), /a template escapes \[16384000\] characters or more, the limit is \[8388608\]/);
  const longer = [
    Array.from({ length: 3 }, () => ({ gsub: { field: 'a', pattern: 'x', replacement: 'x'.repeat(4000) } })),
    [{ split: { field: 'a', separator: '' } }, { join: { field: 'a', separator: 'y'.repeat(100_000) } }],
  ];
  for (const steps of longer) {
    const [grown] = await results({ p: { processors: steps } }, [item(`{"a":"${'x'.repeat(1000)}"}`, 'p')]);
    assert.match(String(grown), /pipelines made more than the limit/);
  }
  assert.match(String(result), /^illegal_argument_exception: pipelines made a document of \[20480008\] bytes/);
});

test('pipelines that call ever deeper ones, or send a document ever further, end', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 150 }, (_, i) => [`p${i}`, { processors: [{ pipeline: { name: `p${i + 1}` } }] }]),
  );
  const pipelines = { ...chain, p150: { processors: [mark('x')] }, further: { processors: [move('{{_index}}x')] } };
  const everywhere = new Proxy({}, { get: () => ({ first: null, final: 'further' }) });
  const moving = { processors: [move('{{_index}}x'), { script: 'a = 1' }] };
  assert.deepEqual(await results(pipelines, [item('{}', 'p51'), item('{}', 'p50'), item('{}', 'p0')]), [
    'a {"by":"x"} p51',
    'illegal_state_exception: Too many nested pipelines. Cannot have more than 100 nested pipelines',
    'illegal_state_exception: Too many nested pipelines. Cannot have more than 100 nested pipelines',
  ]);
  const [moved] = await results({ further: moving }, [item('{}', 'further')], everywhere);
  assert.match(String(moved), /^illegal_state_exception: final pipeline \[further\] can't change the target index/);
});

test('a document that is rerouted to ever new indices fails after ten', async () => {
  const [step] = compiled({ p: { processors: [{ drop: {} }] } })('p')!.processors;
  const reroute = {
    ...step!,
    step(document: IngestDocument): void {
      document.metadata['_index'] = `${String(document.metadata['_index'])}x`;
      document.isRerouted = true;
    },
  };
  const pipeline = { id: 'p', processors: [reroute], onFailure: [], counters: reroute.counters };
  const site = {
    pipeline: () => pipeline,
    pipelinesOf: () => ({ first: 'p', final: null }),
    run: { monotonic: () => 0, pause: () => null, trace: null, user: null, running: [] },
    timestamp: () => 't',
  };
  const result = await ingestItem(item('{}', 'p'), site);
  assert.ok(result.kind === 'failed');
  assert.equal(result.error.reason, 'pipelines sent document [1] to more than [10] indices');
  assert.deepEqual(result.at, { pipeline: 'p', processorType: null, processorTag: null });
});

test('a document that fails says in which pipeline and processor', async () => {
  const fail = (tag: string) => ({ fail: { message: 'no', tag } });
  const pipelines = {
    plain: { processors: [{ set: { field: 'a', value: 1 } }, fail('last')] },
    outer: { processors: [{ pipeline: { name: 'plain' } }] },
    recovered: { processors: [{ fail: { message: 'x', tag: 'first', ignore_failure: true } }, fail('second')] },
    again: { processors: [fail('first')], on_failure: [{ fail: { message: 'still no' } }] },
  };
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const at = async (name: string, source = '{}') => {
    const batch = {
      pipelines,
      items: [item(source, name)],
      user: null,
      pipelinesOf: () => ({ first: null, final: null }),
    };
    const [result] = await ingest.run(batch, NEVER);
    return result!.kind === 'failed' && result!.at;
  };
  const place = (pipeline: string, processorTag: string | null, processorType: string | null = 'fail') => ({
    pipeline,
    processorType,
    processorTag,
  });
  assert.deepEqual(await at('plain'), place('plain', 'last'));
  assert.deepEqual(await at('outer'), place('plain', 'last'));
  assert.deepEqual(await at('recovered'), place('recovered', 'second'));
  assert.deepEqual(await at('again'), place('again', null));
  assert.deepEqual(await at('unknown'), place('unknown', null, null));
  assert.equal(await at('plain', 'no json'), null);
});

test('long pipelines give the thread back between processors, and end when the client has gone', async () => {
  const clock = fakeClock();
  const slow = {
    compile: () => ({ text: '', call: () => void clock.advance(5) }),
    templates: (text: string) => () => text,
  };
  let yields = 0;
  const counted = { ...clock, yield: async () => void yields++ };
  const ingest = createIngest({ clock: counted, scripts: slow, databases: noDatabases() });
  const pipelines = { p: { processors: Array.from({ length: 20 }, () => ({ script: 's' })) } };
  const pipelinesOf = (): PipelineNames => ({ first: null, final: null });
  const batch = { pipelines, items: [item('{}', 'p'), item('{}', 'p')], pipelinesOf, user: null };
  const [one] = await ingest.run(batch, NEVER);
  assert.deepEqual([one!.kind, yields], ['written', 19]);
  await assert.rejects(ingest.run(batch, AbortSignal.abort(new Error('gone'))), { message: 'gone' });
});

test('a document whose expression takes for ever fails alone, and its counters are right', async () => {
  const ingest = createIngest({ clock: fakeClock(), scripts: fakeScripts, databases: noDatabases() });
  const grok = { field: 'a', patterns: ['^(?<b>(?:x+)+)$'] };
  const pipelines = { p: { processors: [{ grok }, mark('done')] } };
  const evil = `{"a":"${'x'.repeat(40)}!"}`;
  const sources = ['{"a":"x"}', '{"a":"xx"}', evil, '{"a":"xxx"}', evil, '{"a":"y"}', '{"a":"xxxx"}'];
  const items = sources.map((source) => item(source, 'p'));
  const pipelinesOf = (): PipelineNames => ({ first: null, final: null });
  const run = async (): Promise<string[]> =>
    (await ingest.run({ pipelines, items, pipelinesOf, user: null }, NEVER)).map((result) => {
      if (result.kind === 'failed') return String(result.error.reason);
      return result.kind === 'written' ? Buffer.from(result.source).toString() : result.kind;
    });
  const interrupted = 'grok pattern matching was interrupted after [100] ms';
  const expected = [
    '{"a":"x","b":"x","by":"done"}',
    '{"a":"xx","b":"xx","by":"done"}',
    interrupted,
    '{"a":"xxx","b":"xxx","by":"done"}',
    interrupted,
    'Provided Grok expressions do not match field value: [y]',
    '{"a":"xxxx","b":"xxxx","by":"done"}',
  ];
  assert.deepEqual(await run(), expected);
  assert.deepEqual(await run(), expected);
  const { total, pipelines: figures } = ingest.stats(pipelines) as any;
  assert.deepEqual([total.count, total.current, total.failed], [14, 0, 6]);
  assert.deepEqual([figures.p.count, figures.p.current, figures.p.failed], [14, 0, 6]);
});
