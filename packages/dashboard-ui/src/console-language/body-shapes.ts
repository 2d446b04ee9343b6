import {
  AGGREGATIONS,
  CLUSTER_PRIVILEGES,
  CLUSTER_SETTINGS,
  FIELD_TYPES,
  INDEX_PRIVILEGES,
  INDEX_SETTINGS,
  PROCESSORS,
  QUERIES,
  SEARCH_KEYS,
} from '../generated/console-tables.js';
import { ANY, anyOf, keysOnce, oneOf, oneOrMany, openKeys, type Shape } from './shape.js';

const FIELD = oneOf('fields');
const FIELDS: Shape = { ...ANY, items: () => FIELD, values: 'fields' };

/** Options whose value is a query, a list of them, or either. */
const QUERY_OPTIONS: Readonly<Record<string, () => Shape>> = {
  query: () => QUERY,
  filter: () => oneOrMany(QUERY),
  must: () => oneOrMany(QUERY),
  must_not: () => oneOrMany(QUERY),
  should: () => oneOrMany(QUERY),
  positive: () => QUERY,
  negative: () => QUERY,
  queries: () => ({ items: () => QUERY }),
};
/** Queries whose options are not all in the table: keys of theirs are not marked. */
const OPEN_QUERIES = /^(?:geo_|span_|field_masking|function_score|intervals|knn|range|terms|terms_set|wrapper|script)/;
/** Options that only show with others. */
const MORE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  function_score: ['query', 'field_value_factor', 'script_score', 'random_score', 'gauss', 'linear', 'exp'],
  range: ['gt', 'gte', 'lt', 'lte', 'format', 'time_zone', 'relation'],
};
const IS_TEXT_QUERY = new Set(['match', 'multi_match', 'query_string', 'simple_query_string', 'combined_fields']);

function optionsOf(name: string): Record<string, Shape> {
  const all = [...QUERIES[name]!.options, ...(MORE_OPTIONS[name] ?? [])];
  return Object.fromEntries(
    all.map((option) => {
      const isText = option === 'query' && [...IS_TEXT_QUERY].some((text) => name.startsWith(text));
      const shape = isText ? ANY : QUERY_OPTIONS[option]?.();
      return [option, shape ?? (option === 'field' || option === 'path' ? FIELD : option === 'fields' ? FIELDS : ANY)];
    }),
  );
}

function queryShape(name: string): Shape {
  const isOpen = OPEN_QUERIES.test(name);
  const what = `[${name}] query`;
  const options: Shape = { what, keys: keysOnce(() => optionsOf(name)), isOpen };
  const isOfField = QUERIES[name]!.ofField === true || MORE_OPTIONS[name]?.includes('gte') === true;
  if (isOfField) return { what, each: () => options, hasFieldKeys: true };
  if (name === 'terms') return { what, keys: () => optionsOf(name), each: () => ANY, hasFieldKeys: true };
  return options;
}

/** A query of the DSL. */
const QUERY: Shape = {
  what: 'the query',
  keys: keysOnce(() => Object.fromEntries(Object.keys(QUERIES).map((name) => [name, queryShape(name)]))),
};

/** Aggregations whose options are not all in the table. */
const OPEN_AGGREGATIONS = /^(?:composite|filters?|adjacency_matrix|global|significant_|multi_terms|top_|weighted_avg)/;

function aggregationShape(name: string): Shape {
  if (name === 'filter') return QUERY;
  const what = `[${name}] aggregation`;
  return {
    what,
    isOpen: OPEN_AGGREGATIONS.test(name),
    keys: () => ({
      ...anyOf(AGGREGATIONS[name]!),
      ...(AGGREGATIONS[name]!.includes('field') ? { field: FIELD } : {}),
      ...(name === 'filters' ? { filters: { each: () => QUERY, items: () => QUERY } } : {}),
      ...(name === 'nested' ? { path: FIELD } : {}),
    }),
  };
}

/** Aggregations by names that people choose. */
const AGGS: Shape = { each: () => AGGREGATION };
const AGGREGATION: Shape = {
  what: 'an aggregation',
  keys: keysOnce(() => ({
    ...Object.fromEntries(Object.keys(AGGREGATIONS).map((name) => [name, aggregationShape(name)])),
    aggs: AGGS,
    aggregations: AGGS,
    meta: ANY,
  })),
};

const SEARCH: Shape = {
  what: 'the search',
  keys: keysOnce(() => ({
    ...anyOf(SEARCH_KEYS),
    query: QUERY,
    post_filter: QUERY,
    aggs: AGGS,
    aggregations: AGGS,
    fields: FIELDS,
    docvalue_fields: FIELDS,
    sort: {
      ...ANY,
      each: () => ANY,
      hasFieldKeys: true,
      items: () => ({ ...ANY, hasFieldKeys: true, values: 'fields' }),
    },
    _source: { ...FIELDS, keys: () => ({ includes: FIELDS, excludes: FIELDS }) },
    highlight: { ...ANY, keys: () => ({ fields: { ...ANY, hasFieldKeys: true } }) },
    collapse: { ...ANY, keys: () => ({ field: FIELD }) },
  })),
};

const TYPES: readonly string[] = [...Object.keys(FIELD_TYPES), 'object', 'nested', 'alias'].sort();

const MAPPING_KEYS = ['dynamic', 'date_detection', 'numeric_detection', 'dynamic_templates', '_source', '_routing'];

/** One field of a mapping. */
const MAPPED_FIELD: Shape = {
  what: 'the field',
  keys: (type) => ({
    ...anyOf(type !== null && Object.hasOwn(FIELD_TYPES, type) ? FIELD_TYPES[type]! : ['enabled', 'dynamic', 'path']),
    ...(type === 'nested' ? anyOf(['include_in_parent', 'include_in_root', 'dynamic', 'enabled']) : {}),
    type: oneOf(TYPES),
    properties: MAPPED_FIELDS,
    fields: MAPPED_FIELDS,
    copy_to: ANY,
  }),
  // Some types take parameters of older versions.
  isOpen: true,
};
const MAPPED_FIELDS: Shape = { each: () => MAPPED_FIELD };
const MAPPING: Shape = {
  keys: () => ({
    ...anyOf(MAPPING_KEYS),
    properties: MAPPED_FIELDS,
    runtime: { each: () => openKeys(['type', 'script']) },
  }),
  isOpen: true,
};

const withoutPrefix = (name: string): string => name.replace(/^index\./, '');
const SETTINGS: Shape = { ...openKeys(['index', ...INDEX_SETTINGS, ...INDEX_SETTINGS.map(withoutPrefix)]) };
const INDEX: Shape = {
  what: 'the index',
  keys: () => ({ settings: SETTINGS, mappings: MAPPING, aliases: { each: () => ALIAS } }),
};
const ALIAS: Shape = {
  what: 'the alias',
  keys: () => ({
    ...anyOf(['is_hidden', 'is_write_index', 'routing', 'index_routing', 'search_routing']),
    filter: QUERY,
  }),
};

/** One processor of a pipeline. */
const PROCESSOR: Shape = {
  what: 'a processor',
  keys: () =>
    Object.fromEntries(
      Object.entries(PROCESSORS).map(([name, options]) => [
        name,
        {
          what: `[${name}] processor`,
          // Some options are read only with others: they are completed as far as they are known, and not marked.
          isOpen: true,
          keys: () => ({
            ...anyOf(options),
            on_failure: PROCESSOR_LIST,
            ...(name === 'foreach' ? { processor: PROCESSOR } : {}),
          }),
        },
      ]),
    ),
};
const PROCESSOR_LIST: Shape = { items: () => PROCESSOR };
const PIPELINE: Shape = {
  what: 'the pipeline',
  keys: () => ({
    ...anyOf(['description', 'version', '_meta', 'deprecated']),
    processors: PROCESSOR_LIST,
    on_failure: PROCESSOR_LIST,
  }),
};

const ROLE: Shape = {
  what: 'the role',
  isOpen: true,
  keys: () => ({
    ...anyOf(['metadata', 'global', 'transient_metadata', 'run_as']),
    cluster: { items: () => oneOf(CLUSTER_PRIVILEGES) },
    indices: { items: () => ROLE_INDICES },
    applications: { items: () => openKeys(['application', 'privileges', 'resources']) },
  }),
};
const ROLE_INDICES: Shape = {
  what: 'the indices of a role',
  keys: () => ({
    ...anyOf(['field_security', 'query', 'allow_restricted_indices']),
    names: oneOrMany(oneOf('indices')),
    privileges: { items: () => oneOf(INDEX_PRIVILEGES) },
  }),
};

const byQuery = (...more: readonly string[]): Shape => ({
  keys: () => ({ ...anyOf(more), query: QUERY }),
  isOpen: true,
});
const BULK_ACTION: Shape = openKeys(['index', 'create', 'update', 'delete']);
const TEMPLATE = openKeys([
  'index_patterns',
  'priority',
  'composed_of',
  'version',
  '_meta',
  'data_stream',
  'allow_auto_create',
]);
const REINDEX: Shape = {
  isOpen: true,
  keys: () => ({
    ...anyOf(['conflicts', 'max_docs', 'script', 'size']),
    source: {
      ...byQuery('remote', 'size', 'sort', 'slice', '_source'),
      keys: () => ({ query: QUERY, index: oneOrMany(oneOf('indices')) }),
    },
    dest: {
      isOpen: true,
      keys: () => ({ ...anyOf(['op_type', 'pipeline', 'routing', 'version_type']), index: oneOf('indices') }),
    },
  }),
};

/** Bodies by the name of the call. */
const OF_CALLS: Readonly<Record<string, Shape>> = {
  search: SEARCH,
  'async_search.submit': SEARCH,
  count: byQuery(),
  explain: byQuery(),
  'indices.validate_query': byQuery(),
  delete_by_query: byQuery('max_docs', 'slice', 'conflicts'),
  update_by_query: byQuery('max_docs', 'slice', 'conflicts', 'script'),
  'indices.create': INDEX,
  'indices.put_mapping': MAPPING,
  'indices.put_settings': SETTINGS,
  'cluster.put_settings': {
    what: 'the settings',
    keys: () => ({ persistent: openKeys(CLUSTER_SETTINGS), transient: openKeys(CLUSTER_SETTINGS) }),
  },
  'indices.put_index_template': { ...TEMPLATE, keys: () => ({ ...TEMPLATE.keys!(null), template: INDEX }) },
  'cluster.put_component_template': { ...ANY, keys: () => ({ ...anyOf(['version', '_meta']), template: INDEX }) },
  'ingest.put_pipeline': PIPELINE,
  'ingest.simulate': { isOpen: true, keys: () => ({ docs: ANY, pipeline: PIPELINE }) },
  'security.put_role': ROLE,
  reindex: REINDEX,
  'indices.analyze': {
    ...openKeys(['analyzer', 'text', 'tokenizer', 'filter', 'char_filter', 'explain', 'attributes', 'normalizer']),
    keys: () => ({
      ...anyOf(['analyzer', 'text', 'tokenizer', 'filter', 'char_filter', 'explain', 'attributes', 'normalizer']),
      field: FIELD,
    }),
  },
};

/** Shape of the value number `line` of the body of a call. */
export function bodyShape(callName: string, line: number): Shape {
  if (callName === 'bulk') return line % 2 === 0 ? BULK_ACTION : ANY;
  if (callName === 'msearch') return line % 2 === 1 ? SEARCH : ANY;
  return OF_CALLS[callName] ?? ANY;
}
