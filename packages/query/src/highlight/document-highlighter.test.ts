import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import { memoryIndex } from '../testing/memory-index.js';
import { documentHighlighter } from './document-highlighter.js';
import { parseHighlight } from './highlight-spec.js';

const SOURCE = { t: 'Brown FOX', k: 'Äb', plain: 'Äb' };
const index = memoryIndex({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword', normalizer: 'lower' },
    plain: { type: 'keyword' },
  },
  analysis: { normalizer: { lower: { type: 'custom', filter: ['lowercase'] } } },
  documents: [SOURCE],
});
const searcher = await index.searcher([[0]]);

async function highlighted(query: object): Promise<unknown> {
  const context = { now: () => 0, nestedPath: null, pause: () => null };
  const plan = planQuery(parseQuery(query, parseContext()), { ...context, searcher, innerHits: [] });
  const asked = parseHighlight({ fields: { '*': {} } }, {}, parseContext());
  const highlight = documentHighlighter(asked, plan, searcher, context)!;
  return highlight(searcher.segments[0]!, 0, SOURCE, () => SOURCE);
}

test('texts are shown as they were given, keywords as they are normalised', async () => {
  const shown = async (query: object): Promise<unknown> => ({ ...((await highlighted(query)) as object) });
  assert.deepEqual(await shown({ match: { t: 'fox' } }), { t: ['Brown <em>FOX</em>'] });
  assert.deepEqual(await shown({ term: { k: 'ÄB' } }), { k: ['<em>äb</em>'] });
  assert.deepEqual(await shown({ term: { plain: 'Äb' } }), { plain: ['<em>Äb</em>'] });
});
