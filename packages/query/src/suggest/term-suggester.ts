import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { formatFloat } from '@shoal/values';
import { int, text } from '../parse/options.js';
import { similarWords, type SimilarWord, byScore } from './spell-check.js';
import { readSpellOptions } from './spell-options.js';
import {
  mappedField,
  type ParsedSuggestion,
  requiredField,
  type SuggestEntry,
  type Suggester,
  suggestAnalyzer,
  unsupportedKey,
  wordsOf,
} from './suggester.js';

/** Suggests, for each word of a text, terms of the index within the edit distance. */
export const termSuggester: Suggester = { name: 'term', parse };

const KEYS = ['field', 'analyzer', 'size', 'shard_size', 'sort'];
const DEFAULT_SIZE = 5;

type Order = (a: SimilarWord, b: SimilarWord) => number;

const ORDERS: ReadonlyMap<string, Order> = new Map<string, Order>([
  ['score', byScore],
  ['frequency', (a, b) => b.freq - a.freq || byScore(a, b)],
]);

function parse(body: JsonObject): ParsedSuggestion {
  const { options, rest } = readSpellOptions(body, 'term');
  const unknown = rest.find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw unsupportedKey('term', unknown, body);
  const field = requiredField(body);
  const size =
    body['size'] === undefined ? DEFAULT_SIZE : int(body['size'], { type: 'term', container: body, key: 'size' });
  const shardSize =
    body['shard_size'] === undefined
      ? Math.max(size, DEFAULT_SIZE)
      : int(body['shard_size'], { type: 'term', container: body, key: 'shard_size' });
  const order = orderOf(
    body['sort'] === undefined ? 'score' : text(body['sort'], { type: 'term', container: body, key: 'sort' }),
  );
  return {
    type: 'term',
    run: async ({ text: given, searcher, pause }) => {
      const type = mappedField(field, searcher);
      const entries: SuggestEntry[] = [];
      for (const word of wordsOf(given, suggestAnalyzer(body['analyzer'], type, searcher))) {
        const similar = [...similarWords(word.text, type.name, shardSize, options, searcher)]
          .sort(order)
          .slice(0, size);
        entries.push({
          ...word,
          options: similar.map(({ text: like, score, freq }) => ({
            text: like,
            score: Number(formatFloat(score)),
            freq,
          })),
        });
        await pause();
      }
      return entries;
    },
  };
}

function orderOf(name: string): Order {
  const order = ORDERS.get(name.toLowerCase());
  if (!order)
    throw errors.illegalArgument(`No enum constant org.elasticsearch.search.suggest.SortBy.${name.toUpperCase()}`);
  return order;
}
