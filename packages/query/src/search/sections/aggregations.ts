import { OBJECT, type ParsedAggregations, type SearchSection } from '../section.js';

/** `aggs` or `aggregations`; null: none. Parsed by the parser of the search context. */
export const aggregations: SearchSection<ParsedAggregations | null> = {
  keys: ['aggs', 'aggregations'],
  tokens: OBJECT,
  absent: null,
  parse: (value, { body, context }) => context.parseAggregations(value, body, context),
  effects: (tree) => ({ gathersMore: true, needsAllShards: tree!.needsAllShards }),
};
