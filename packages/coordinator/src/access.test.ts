import assert from 'node:assert/strict';
import test from 'node:test';
import { OPEN_ONLY } from '@shoal/state';
import type { Authentication, Subject } from '@shoal/security';
import { createSubject, parseRoleDescriptor } from '@shoal/security/testing';
import { decodeLimits, shard as messages } from '@shoal/protocol';
import type { ByQueryRequest } from './by-query/by-query-request.js';
import { refuseLimited } from './by-query/refuse-limited.js';
import type { CallContext } from './call.js';
import { copyRequest } from './enrich/copy-request.js';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from './fake-cluster.js';
import { encodePointInTime } from './search/contexts/pit-id.js';
import { plainGet } from './get/plain-get.js';

const realm = { name: 'native', type: 'native' };

function subject(username: string, roles: Record<string, unknown>): Subject {
  const state = { ...stateWith([]), customs: new Map([['securityRoles', roles]]) };
  const user = { username, roles: Object.keys(roles), fullName: null, email: null, metadata: {}, enabled: true };
  const authentication: Authentication = {
    user,
    realm,
    lookupRealm: realm,
    type: 'realm',
    apiKey: null,
    runAsBy: null,
    serviceAccount: null,
  };
  for (const [name, json] of Object.entries(roles)) parseRoleDescriptor(name, json);
  return createSubject(authentication, state);
}

const as = (
  username: string,
  ...indices: { names: string[]; privileges: string[]; query?: string; field_security?: object }[]
): CallContext => ({ ...CALL, subject: subject(username, { r: { indices } }) });

const STATE = stateWith([
  { name: 'open', shards: [['n1']], aliases: { door: {} } },
  { name: 'shut', shards: [['n1']] },
]);
const RESULT: messages.WriteResult = {
  outcome: 0,
  version: 1,
  seqNo: 0,
  primaryTerm: 1,
  error: undefined,
  get: undefined,
};
const FOUND: messages.GetResult = {
  found: true,
  version: 1,
  seqNo: 0,
  primaryTerm: 1,
  ignored: [],
  routing: undefined,
  source: Buffer.from('{}'),
  fields: undefined,
  error: undefined,
};

const asked: messages.GetRequest[] = [];
const coordinator = fakeCoordinator(STATE, {
  bulk: (bulk) => ({ items: bulk.items.map(() => RESULT), forcedRefresh: false }),
  get: (get) => {
    asked.push(get);
    return { items: get.items.map(() => FOUND) };
  },
});

const WRITE = { refresh: 'none', timeoutMs: 1000, waitForActiveShards: null } as const;
const lines = (...parsed: unknown[]): Buffer => Buffer.from(parsed.map((line) => `${JSON.stringify(line)}\n`).join(''));

interface Item {
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason: string };
}

async function bulk(call: CallContext, ...parsed: unknown[]): Promise<[number, string | undefined][]> {
  const answer = await coordinator.bulk(
    {
      ...WRITE,
      body: lines(...parsed),
      index: null,
      routing: null,
      pipeline: null,
      requireAlias: null,
      updateSource: undefined,
      listsPipelines: false,
      allowType: false,
    },
    call,
  );
  const { items } = jsonOf(answer) as { items: Record<string, Item>[] };
  return items.map((item) => Object.values(item)[0]!).map(({ status, error }) => [status, error?.reason]);
}

test('each line of a bulk is refused or written for itself, by its own action', async () => {
  const call = as('bob', { names: ['open'], privileges: ['create_doc'] });
  const items = await bulk(
    call,
    { create: { _index: 'open', _id: '1' } },
    {},
    { index: { _index: 'open', _id: '1' } },
    {},
    { delete: { _index: 'open', _id: '1' } },
    { create: { _index: 'shut', _id: '1' } },
    {},
    { create: { _index: 'made', _id: '1' } },
    {},
  );
  assert.deepEqual(
    items.map(([status]) => status),
    [201, 403, 403, 403, 403],
  );
  assert.equal(
    items[1]![1],
    'action [indices:data/write/index:op_type/index] is unauthorized for user [bob] with effective roles [r] on ' +
      'indices [open], this action is granted by the index privileges [create,index,write,all]',
  );
  assert.equal(
    items[3]![1],
    'action [indices:data/write/bulk[s]] is unauthorized for user [bob] with effective roles [r] on indices ' +
      '[shut], this action is granted by the index privileges [create_doc,create,delete,index,write,all]',
  );
});

test('an index is made for a write only for who may make it', async () => {
  const [item] = await bulk(
    as('bob', { names: ['made*'], privileges: ['index'] }),
    { index: { _index: 'made-1', _id: '1' } },
    {},
  );
  assert.equal(
    item![1],
    'action [indices:admin/auto_create] is unauthorized for user [bob] with effective roles [r] on indices ' +
      '[made-1], this action is granted by the index privileges [auto_configure,create_index,manage,all]',
  );
});

test('an alias grants writes through it, not to its index', async () => {
  const call = as('bob', { names: ['door'], privileges: ['write'] });
  assert.deepEqual(
    (await bulk(call, { index: { _index: 'door', _id: '1' } }, {}, { index: { _index: 'open', _id: '1' } }, {})).map(
      ([status]) => status,
    ),
    [201, 403],
  );
});

test('updates are refused to who sees a part of the documents', async () => {
  const call = as('bob', { names: ['open'], privileges: ['all'], query: '{"match_all":{}}' });
  const [item] = await bulk(call, { update: { _index: 'open', _id: '1' } }, { doc: {} });
  assert.deepEqual(item, [
    400,
    "Can't execute a bulk item request with update requests embedded if field or document level security is enabled",
  ]);
});

test('an update by query is refused to who sees a part of the fields', () => {
  const of = (rights: object): (() => unknown) => {
    const call = as('bob', { names: ['door', 'open'], privileges: ['all'], ...rights });
    const request: ByQueryRequest = { ...copyRequest(['door'], {}, 'x'), kind: 'update', target: null };
    return () => refuseLimited(STATE, request, call, 0);
  };
  const reason = "Can't execute an update by query request if field level security is enabled";
  assert.throws(of({ field_security: { grant: ['a'] } }), { type: 'security_exception', status: 400, reason });
  assert.throws(of({ field_security: { grant: ['*'], except: ['a'] } }), { reason });
  of({})();
  of({ query: '{"match_all":{}}' })();
});

test('documents of a multi-get are refused one by one, and limits go along with the others', async () => {
  const call = as('bob', { names: ['open'], privileges: ['read'], query: '{"match_all":{}}' });
  const defaults = { routing: null, source: true, storedFields: null, version: null, versionType: 'internal' } as const;
  const body = {
    docs: [
      { _index: 'open', _id: '1' },
      { _index: 'shut', _id: '1' },
    ],
  };
  const { docs } = jsonOf(
    await coordinator.multiGet({ index: null, body, realtime: true, refresh: false, preference: null, defaults }, call),
  ) as { docs: { found?: boolean; error?: { type: string; reason: string } }[] };
  assert.equal(docs[0]!.found, true);
  const refusal =
    'action [indices:data/read/mget[shard]] is unauthorized for user [bob] with effective roles [r] on indices [shut]';
  assert.ok(docs[1]!.error!.reason.startsWith(refusal), docs[1]!.error!.reason);
  assert.deepEqual(decodeLimits(asked.at(-1)!.access!), {
    queries: [['{"match_all":{}}']],
    fields: [],
  });
});

test('a document of an index that may not be read is refused, whether it exists or not', async () => {
  const get = (index: string): Promise<{ status: number; type: string }> =>
    failure(() => coordinator.get(plainGet(index, '1'), as('bob')));
  for (const index of ['open', 'gone'])
    assert.deepEqual([(await get(index)).status, (await get(index)).type], [403, 'security_exception']);
});

test(
  'a point in time does not help who sees a part of the documents ' + 'to suggestions and profiles, which tell of all',
  async () => {
    const call = as('bob', { names: ['open'], privileges: ['read'], query: '{"match_all":{}}' });
    const id = encodePointInTime([
      {
        indexName: 'open',
        indexUuid: 'open-uuid',
        shard: 0,
        filter: undefined,
        boost: 1,
        nodeIds: ['n1'],
        reader: 'n1.1',
        shards: 1,
      },
    ]);
    const refusal = async (more: Record<string, unknown>): Promise<string | null> => {
      const request = {
        target: { names: [], options: OPEN_ONLY },
        namedIndicesOptions: false,
        body: lines({ pit: { id }, ...more }),
        overrides: {},
        searchType: 'query_then_fetch',
        routing: null,
        preference: null,
        typedKeys: false,
        totalHitsAsInt: false,
        scrollMs: null,
        allowPartialResults: null,
        requestCache: null,
        maxConcurrentShardRequests: 5,
        includeNamedQueriesScore: false,
      } as const;
      return (await failure(() => coordinator.search(request, call))).reason;
    };
    assert.equal(
      await refusal({ suggest: { s: { text: 'a', term: { field: 'f' } } } }),
      "Suggest isn't supported if document level security is enabled",
    );
    assert.equal(
      await refusal({ profile: true }),
      'A search request cannot be profiled if document level security is enabled',
    );
  },
);
