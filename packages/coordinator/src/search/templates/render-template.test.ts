import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_ONLY, type ClusterState } from '@shoal/state';
import { stateWith } from '../../fake-cluster.js';
import type { SearchRequest } from '../parse/search-request.js';
import { renderTemplate, templatedSearch } from './render-template.js';
import { parseTemplateRequest } from './template-request.js';

const base = stateWith([]);
const storedScripts = {
  m: { lang: 'mustache', source: '{"size":{{n}}}', options: { content_type: 'application/json;charset=utf-8' } },
  t: { lang: 'mustache', source: '{{n}}', options: { content_type: 'text/plain' } },
  p: { lang: 'painless', source: "'{\"size\":' + params.n + '}'" },
};
const state: ClusterState = { ...base, customs: new Map(base.customs).set('storedScripts', storedScripts) };
const cluster = { state: () => state };

const SEARCH: SearchRequest = {
  target: { names: ['i'], options: OPEN_ONLY },
  namedIndicesOptions: false,
  body: new Uint8Array(0),
  overrides: { size: 7 },
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
};

const render = (body: unknown): string => renderTemplate(cluster, parseTemplateRequest(body));
const searched = (body: unknown): SearchRequest => templatedSearch(cluster, SEARCH, parseTemplateRequest(body));

test('templates of the request and stored ones are rendered, also those in Painless', () => {
  assert.equal(render({ source: { size: '{{n}}' }, params: { n: 3 } }), '{"size":"3"}');
  assert.equal(render({ id: 'm', params: { n: 3 } }), '{"size":3}');
  assert.equal(render({ id: 't', params: { n: 'a"b' } }), 'a"b');
  assert.equal(render({ id: 'p', params: { n: 4 } }), '{"size":4}');
});

test('an unknown id, an object member that nobody stored and a long source are refused', () => {
  for (const id of ['nope', '__proto__', 'constructor'])
    assert.throws(() => render({ id }), {
      type: 'resource_not_found_exception',
      status: 404,
      reason: `unable to find script [${id}] in cluster state`,
    });
  const source = 'x'.repeat(65_536);
  assert.throws(() => render({ source }), {
    reason: `exceeded max allowed inline script size in bytes [65535] with size [65536] for script [${source}]`,
  });
});

test('the rendered text is the body, and parameters of the call do not change it', () => {
  const { body, overrides } = searched({ id: 'm', params: { n: 3 } });
  assert.equal(Buffer.from(body).toString(), '{"size":3}');
  assert.deepEqual(overrides, {});
});

test('explain and profile of the request replace those of the body', () => {
  assert.deepEqual(searched({ id: 'm', explain: true }).overrides, { explain: true });
  assert.deepEqual(searched({ source: '{"explain":true,"profile":true}', profile: true }).overrides, {
    explain: false,
    profile: true,
  });
});

test('a template that renders nothing is no search', () => {
  assert.throws(() => searched({ source: '{{x}}' }), {
    type: 'parsing_exception',
    reason: 'Expected [START_OBJECT] but found [null]',
  });
});
