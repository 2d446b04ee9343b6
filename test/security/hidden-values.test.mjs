// Two indices that differ in nothing but what is hidden from a caller: every answer to it must be the same for both.
// A difference anywhere, in a hit, a count, a score, an order, an error, tells of a hidden value.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';
import { curiousRequests } from './curious-requests.mjs';

const PASSWORD = 'long-enough';
const HIDDEN = ['secret*', 'everything', 'deep.hidden', 'nest.hidden', 'flat.hush'];
const FIELDS = [
  'secret',
  'secretnum',
  'secretdate',
  'secretip',
  'secretgeo',
  'secrettext',
  'secrettext.kw',
  'openalias',
  'everything',
  'deep.hidden',
  'nest.hidden',
  'flat.hush',
  'flat',
];
const MAPPINGS = {
  properties: {
    team: { type: 'keyword' },
    n: { type: 'long' },
    text: { type: 'text', fielddata: true },
    secret: { type: 'keyword', copy_to: 'everything', store: true },
    everything: { type: 'text', store: true },
    secretnum: { type: 'long' },
    secretdate: { type: 'date' },
    secretip: { type: 'ip' },
    secretgeo: { type: 'geo_point' },
    secrettext: {
      type: 'text',
      term_vector: 'with_positions_offsets',
      fielddata: true,
      fields: { kw: { type: 'keyword' } },
    },
    openalias: { type: 'alias', path: 'secret' },
    nest: { type: 'nested', properties: { a: { type: 'keyword' }, hidden: { type: 'keyword' } } },
    deep: { properties: { shown: { type: 'keyword' }, hidden: { type: 'keyword' } } },
    flat: { type: 'flattened' },
  },
};
let node;

/** Hidden values of document `i`; those of the index `aa` have another order, size and form than those of `bb`. */
const hiddenValues = (v, i) => ({
  secret: `${v}kw${i}`,
  secretnum: v === 'aa' ? i : 1000 * (4 - i) + i * 7,
  secretdate: v === 'aa' ? `2020-01-0${i}` : `2021-0${7 - i}-01`,
  secretip: v === 'aa' ? `10.0.0.${i}` : `192.168.1.${9 - i}`,
  secretgeo: v === 'aa' ? [i, i] : [-i * 3, 40 + i],
  secrettext: v === 'aa' ? `aatext${i} long words here` : 'short',
});

function document(v, i, isHidden) {
  const seen = isHidden ? v : 's';
  return {
    team: isHidden ? 'blue' : 'red',
    n: isHidden && v === 'bb' ? 100 * (7 - i) : i,
    text: isHidden ? `${v} fox` : `quick fox ${i}`,
    nest: [{ a: seen, hidden: `${v}${i}` }],
    deep: { shown: seen, hidden: `${v}${i}` },
    flat: { k: seen, hush: `${v}x${i}` },
    ...hiddenValues(v, i),
  };
}

async function fill(index, v, hiddenFrom) {
  const settings = { number_of_replicas: 0, number_of_shards: 2 };
  assert.equal((await call(node, 'PUT', `/${index}`, { mappings: MAPPINGS, settings })).status, 200);
  const lines = [1, 2, 3, 4, 5, 6].flatMap((i) => [{ index: { _id: String(i) } }, document(v, i, i >= hiddenFrom)]);
  const bulk = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  assert.equal((await call(node, 'POST', `/${index}/_bulk?refresh=true`, bulk)).body.errors, false);
}

async function user(name, indices) {
  assert.equal((await call(node, 'PUT', `/_security/role/${name}`, { indices })).status, 200);
  assert.equal((await call(node, 'PUT', `/_security/user/${name}`, { password: PASSWORD, roles: [name] })).status, 200);
}

before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  const sees = { privileges: ['read', 'view_index_metadata'], field_security: { grant: ['*'], except: HIDDEN } };
  await user('fields', [{ names: ['fields-*'], ...sees }]);
  await user('both', [{ names: ['both-*'], ...sees, query: { term: { team: 'red' } } }]);
  for (const v of ['aa', 'bb']) {
    await fill(`fields-${v}`, v, 7);
    await fill(`both-${v}`, v, 4);
  }
});
after(() => node?.stop());

/** Times, the name of the index and its id differ anyway. */
const comparable = ({ status, body }, index) =>
  `${status} ${JSON.stringify(body)}`
    .replaceAll(index, 'INDEX')
    .replace(/"took":\d+/g, '')
    .replace(/"index_uuid":"[^"]*"|\[\[INDEX\/[\w-]+\]\]/g, '');

for (const name of ['fields', 'both'])
  test(`no answer depends on what is hidden: ${name === 'fields' ? 'fields' : 'fields and documents'}`, async () => {
    const auth = basicAuth(`${name}:${PASSWORD}`);
    const ask = async (v, field, at) => {
      const index = `${name}-${v}`;
      const [method, target, body] = curiousRequests(field, index)[at];
      return comparable(await call(node, method, `/${index}/${target}`, body, auth), index);
    };
    let asked = 0;
    let answered = 0;
    for (const [turn, field] of FIELDS.entries()) {
      const { length } = curiousRequests(field, 'i');
      // Each field meets every third request, each request a third of the fields.
      for (let at = turn % 3; at < length; at += 3) {
        const [one, other] = await Promise.all([ask('aa', field, at), ask('bb', field, at)]);
        const request = JSON.stringify(curiousRequests(field, `${name}-aa`)[at]);
        assert.equal(one, other, request);
        assert.doesNotMatch(one, /^5/, request);
        asked++;
        if (one.startsWith('200')) answered++;
      }
    }
    assert.ok(asked > 400 && answered > asked / 2, `${answered} of ${asked} requests were answered with 200`);
  });
