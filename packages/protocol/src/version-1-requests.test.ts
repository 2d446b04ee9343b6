import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeLimits, requestFromVersion1, requestToVersion1, shard as messages } from './index.js';

/** A line for each request below: its action, the version that writes it and its bytes in hexadecimal. */
const GOLDEN = fileURLToPath(new URL('../golden/rewritten.txt', import.meta.url));

const text = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(value)));
const bytes = (...given: number[]): Uint8Array => Uint8Array.from(given);

const LIMITS = {
  queries: [['{"term":{"a":"b"}}', '{"match_all":{}}'], ['{"range":{"d":{"gte":"now-1h"}}}']],
  fields: [[{ grant: ['a.*'], except: ['a.b'] }]],
  nowMs: 1_700_000_000_000,
};
const ACCESS = encodeLimits(LIMITS);
const CALLER = { opaqueId: 'mine', traceId: undefined };
const CALLER_JSON = '{"X-Opaque-Id":"mine"}';
const OPTIONS = {
  searchType: 'dfs_query_then_fetch',
  typedKeys: true,
  shardSize: 20,
  from: 10,
  size: 10,
  isScroll: true,
  isPit: false,
  includeNamedQueriesScore: true,
  withType: true,
  maxBuckets: 65_536,
  allowExpensiveQueries: true,
};
const options = (after: Uint8Array[], requestCache: boolean | undefined): Uint8Array =>
  messages.encodeSearchOptions({ ...OPTIONS, after, requestCache });
const shard = { indexUuid: 'u', shard: 3 };
const target = { ...messages.decodeShardTarget(bytes()), shard, indexName: 'i', boost: 1 };
const item = { ...messages.decodeWriteItem(bytes()), id: '1', sourceEnd: 2, version: 4 };
const whole = { none: false, includes: [], excludes: [] };
const some = { none: false, includes: ['a'], excludes: ['b'] };

/** What a request of each method is in this version and in version 1; all else of them is the same. */
const FORMS = {
  bulk: {
    base: { ...messages.decodeBulkShardRequest(bytes()), shard, sources: text({}), coordinator: 'n1' },
    ours: {
      items: [
        item,
        { ...item, op: 2, updateOptions: { source: some } },
        { ...item, op: 2, updateOptions: { source: { ...whole, none: true } } },
        { ...item, dynamicTemplates: { templates: [{ path: 'a.b', name: 'strings' }] } },
      ],
      caller: CALLER,
    },
    version1: {
      items: [
        item,
        { ...item, op: 2, updateOptionsJson: text({ _source: { includes: ['a'], excludes: ['b'] } }) },
        { ...item, op: 2, updateOptionsJson: text({ _source: false }) },
        { ...item, dynamicTemplatesJson: text({ 'a.b': 'strings' }) },
      ],
      callerJson: CALLER_JSON,
    },
  },
  get: {
    base: { ...messages.decodeGetRequest(bytes()), shard, realtime: true },
    ours: {
      items: [
        { id: '1', versionType: 0 },
        { id: '2', versionType: 0, options: { source: whole, storedFields: ['f'] } },
        { id: '3', versionType: 0, options: { source: some, storedFields: [] } },
      ],
      access: ACCESS,
    },
    version1: {
      items: [
        { id: '1', versionType: 0 },
        { id: '2', versionType: 0, optionsJson: text({ _source: true, stored_fields: ['f'] }) },
        { id: '3', versionType: 0, optionsJson: text({ _source: { includes: ['a'], excludes: ['b'] } }) },
      ],
      accessJson: text(LIMITS),
    },
  },
  query: {
    base: { ...messages.decodeQueryRequest(bytes()), body: text({ size: 0 }), nowMs: 7, totalShards: 2 },
    ours: {
      targets: [target, { ...target, access: ACCESS }],
      options: options([bytes(1, 2), bytes()], false),
      caller: CALLER,
    },
    version1: {
      targets: [target, { ...target, accessJson: text(LIMITS) }],
      optionsJson: text({ ...OPTIONS, requestCache: false, after: ['AQI=', null] }),
      callerJson: CALLER_JSON,
    },
  },
  fetch: {
    base: { ...messages.decodeFetchRequest(bytes()), body: text({ size: 0 }), docs: bytes(1, 0, 0, 0) },
    ours: { target: { ...target, access: ACCESS }, options: options([], undefined), caller: CALLER },
    version1: {
      target: { ...target, accessJson: text(LIMITS) },
      optionsJson: text({ ...OPTIONS, requestCache: null }),
      callerJson: CALLER_JSON,
    },
  },
  canMatch: {
    base: { ...messages.decodeCanMatchRequest(bytes()), body: text({ size: 0 }) },
    ours: { targets: [{ ...target, access: ACCESS }], options: options([], true) },
    version1: {
      targets: [{ ...target, accessJson: text(LIMITS) }],
      optionsJson: text({ ...OPTIONS, requestCache: true }),
    },
  },
  openContexts: {
    base: { keepAliveMs: 60_000 },
    ours: { targets: [{ ...target, access: ACCESS }] },
    version1: { targets: [{ ...target, accessJson: text(LIMITS) }] },
  },
  call: {
    base: { ...messages.decodeShardCall(bytes()), shard, action: 'explain', body: text({ id: '1' }) },
    ours: { access: ACCESS },
    version1: { accessJson: text(LIMITS) },
  },
};

interface Codec {
  readonly action: string;
  encodeRequest(request: object): Uint8Array;
  decodeRequest(request: Uint8Array): object;
}

const cases = Object.entries(FORMS).map(([name, { base, ours, version1 }]) => {
  const codec = (messages.methods as unknown as Record<string, Codec>)[name]!;
  return {
    codec,
    ours: codec.encodeRequest({ ...base, ...ours }),
    version1: codec.encodeRequest({ ...base, ...version1 }),
  };
});

/** A message whose JSON is parsed, because the order of its members says nothing; without what is left out. */
function plain(value: unknown, name = ''): unknown {
  if (value instanceof Uint8Array)
    return name.endsWith('Json') ? JSON.parse(Buffer.from(value).toString()) : [...value];
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, plain(member, key)]])),
  );
}

for (const { codec, ours, version1 } of cases) {
  const { action } = codec;
  const read = (request: Uint8Array): unknown => plain(codec.decodeRequest(request));

  test(`a ${action} to a node of version 1 has its options, limits and caller as JSON`, () => {
    assert.deepEqual(read(requestToVersion1(action, ours)), read(version1));
  });

  test(`a ${action} of a node of version 1 is read as this version writes it`, () => {
    assert.deepEqual(read(requestFromVersion1(action, version1)), read(ours));
  });
}

test('a request without options, limits and caller is the same in both versions', () => {
  const { action, encodeRequest } = messages.methods.call;
  const request = encodeRequest({ shard, indexName: 'i', action: 'refresh', body: text({}) });
  assert.deepEqual(requestToVersion1(action, request), request);
  assert.deepEqual(requestFromVersion1(action, request), request);
});

test('requests have the bytes in both versions that are kept of them', () => {
  const lines = cases.flatMap(({ codec: { action }, ours, version1 }) => [
    `${action} 1 ${Buffer.from(version1).toString('hex')}\n`,
    `${action} 2 ${Buffer.from(ours).toString('hex')}\n`,
  ]);
  if (process.env['REWRITE_GOLDEN'] !== undefined) fs.writeFileSync(GOLDEN, lines.join(''));
  assert.equal(fs.readFileSync(GOLDEN, 'utf8'), lines.join(''));
});
