import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import { memoryIndex } from '../testing/memory-index.js';
import { documentHighlighter } from './document-highlighter.js';
import { parseHighlight } from './highlight-spec.js';

const SOURCE = { t: 'Brown FOX', k: 'Äb', plain: 'Äb', c: ['fox', 'The  fox, ', '2024'] };
const index = memoryIndex({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword', normalizer: 'lower' },
    plain: { type: 'keyword' },
    c: { type: 'completion' },
  },
  analysis: { normalizer: { lower: { type: 'custom', filter: ['lowercase'] } } },
  documents: [SOURCE],
});
const searcher = await index.searcher([[0]]);

async function highlighted(query: object, fields: object = { '*': {} }): Promise<unknown> {
  const context = { now: () => 0, nestedPath: null, pause: () => null };
  const plan = planQuery(parseQuery(query, parseContext()), { ...context, searcher, innerHits: [] });
  const asked = parseHighlight({ fields }, {}, parseContext());
  const highlight = documentHighlighter(asked, plan, searcher, context)!;
  return highlight(searcher.segments[0]!, 0, SOURCE, () => SOURCE);
}

test('texts are shown as they were given, keywords as they are normalised', async () => {
  const shown = async (query: object): Promise<unknown> => ({ ...((await highlighted(query)) as object) });
  assert.deepEqual(await shown({ match: { t: 'fox' } }), { t: ['Brown <em>FOX</em>'] });
  assert.deepEqual(await shown({ term: { k: 'ÄB' } }), { k: ['<em>äb</em>'] });
  assert.deepEqual(await shown({ term: { plain: 'Äb' } }), { plain: ['<em>Äb</em>'] });
});

test('an input of a completion field is marked as a whole, by the unified and the plain highlighter', async () => {
  for (const type of ['unified', 'plain']) {
    const shown = async (query: object): Promise<unknown> => ({
      ...((await highlighted(query, { c: { type, require_field_match: false } })) as object),
    });
    assert.deepEqual(await shown({ match: { c: 'the fox' } }), { c: ['<em>The  fox, </em>'] });
    assert.deepEqual(await shown({ terms: { c: ['fox', 'x'] } }), { c: ['<em>fox</em>'] });
    assert.deepEqual(await shown({ match: { t: 'fox' } }), { c: ['<em>fox</em>'] });
  }
});
