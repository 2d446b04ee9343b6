// Well-formed bodies that the fuzzers damage: one of each kind of query, aggregation, sort, mapping and setting.

import { LEARNING_AGGREGATIONS, LEARNING_PIPELINES, RESCORED_SEARCHES } from './learning-seeds.mjs';

export const QUERIES = [
  { match_all: { boost: 1.2 } },
  { match_none: {} },
  { term: { k: { value: 'a', boost: 2, case_insensitive: true } } },
  { terms: { k: ['a', 'b'], boost: 1 } },
  { terms: { k: { index: 'a', id: '1', path: 'k', routing: 'x' } } },
  {
    match: {
      t: {
        query: 'quick fox',
        operator: 'and',
        fuzziness: 'AUTO',
        minimum_should_match: '2<75%',
        zero_terms_query: 'all',
      },
    },
  },
  { match_phrase: { t: { query: 'quick brown fox', slop: 2 } } },
  { match_phrase_prefix: { t: { query: 'quick br', max_expansions: 5 } } },
  { match_bool_prefix: { t: 'quick br' } },
  { multi_match: { query: 'fox', fields: ['t^2', 'k', '*'], type: 'best_fields', tie_breaker: 0.3 } },
  { multi_match: { query: 'quick fox', fields: ['t', 'k'], type: 'cross_fields' } },
  {
    bool: {
      must: [{ term: { k: 'a' } }],
      filter: { range: { n: { gte: 1 } } },
      should: [{ match: { t: 'fox' } }],
      must_not: { exists: { field: 'b' } },
      minimum_should_match: 1,
    },
  },
  {
    range: {
      d: { gte: '2024-01-01||/M', lt: 'now+1d/d', format: 'yyyy-MM-dd', time_zone: '+01:00', relation: 'INTERSECTS' },
    },
  },
  { range: { n: { gt: 1, lte: 9.5 } } },
  { exists: { field: 'n' } },
  { prefix: { k: { value: 'a', rewrite: 'constant_score' } } },
  { wildcard: { k: { value: 'a*b?', case_insensitive: true } } },
  { regexp: { k: { value: 'a(b|c)*[0-9]{2,3}', flags: 'ALL', max_determinized_states: 1000 } } },
  { fuzzy: { k: { value: 'abc', fuzziness: 2, prefix_length: 1, transpositions: true } } },
  { ids: { values: ['1', '2'] } },
  { constant_score: { filter: { term: { k: 'a' } }, boost: 3 } },
  { dis_max: { queries: [{ term: { k: 'a' } }, { match: { t: 'fox' } }], tie_breaker: 0.5 } },
  { boosting: { positive: { match: { t: 'fox' } }, negative: { term: { k: 'a' } }, negative_boost: 0.2 } },
  {
    function_score: {
      query: { match_all: {} },
      functions: [
        { filter: { term: { k: 'a' } }, weight: 2 },
        { gauss: { n: { origin: 5, scale: 2, offset: 1, decay: 0.4 } } },
        { field_value_factor: { field: 'n', factor: 1.2, modifier: 'sqrt', missing: 1 } },
        { random_score: { seed: 1, field: '_seq_no' } },
      ],
      score_mode: 'sum',
      boost_mode: 'multiply',
      max_boost: 9,
      min_score: 0,
    },
  },
  {
    nested: {
      path: 'o',
      query: { term: { 'o.k': 'a' } },
      score_mode: 'avg',
      inner_hits: { size: 2, name: 'x' },
      ignore_unmapped: true,
    },
  },
  { has_child: { type: 'answer', query: { match_all: {} }, score_mode: 'max', inner_hits: { sort: ['n'] } } },
  { has_parent: { parent_type: 'question', query: { match_all: {} }, score: true, ignore_unmapped: true } },
  { parent_id: { type: 'answer', id: '1', ignore_unmapped: true } },
  { percolate: { field: 'stored', documents: [{ t: 'red fox', n: 3 }, { k: 'a' }], name: 'p' } },
  { geo_distance: { distance: '12km', p: { lat: 40, lon: -70 }, distance_type: 'arc', validation_method: 'STRICT' } },
  { geo_bounding_box: { p: { top_left: { lat: 40.73, lon: -74.1 }, bottom_right: 'drm3' } } },
  {
    query_string: {
      query: 'k:(a OR b*) AND t:"quick fox"~2 AND n:[1 TO 5} -x^2',
      default_operator: 'AND',
      fields: ['t', 'k'],
      lenient: true,
      time_zone: 'UTC',
    },
  },
  {
    simple_query_string: {
      query: '"fried eggs" +(eggplant | potato) -frittata~2 a*',
      fields: ['t^5'],
      flags: 'OR|AND|PREFIX',
      default_operator: 'and',
    },
  },
  {
    more_like_this: {
      fields: ['t'],
      like: ['quick fox', { _index: 'a', _id: '1' }],
      min_term_freq: 1,
      max_query_terms: 12,
    },
  },
  {
    intervals: {
      t: {
        all_of: {
          ordered: true,
          intervals: [
            { match: { query: 'quick', max_gaps: 0 } },
            { any_of: { intervals: [{ prefix: { prefix: 'f' } }, { wildcard: { pattern: 'b*' } }] } },
          ],
          filter: { not_containing: { match: { query: 'x' } } },
        },
      },
    },
  },
  {
    span_near: {
      clauses: [{ span_term: { t: 'quick' } }, { span_multi: { match: { prefix: { t: 'f' } } } }],
      slop: 3,
      in_order: true,
    },
  },
  {
    span_not: {
      include: { span_term: { t: 'a' } },
      exclude: { span_first: { match: { span_term: { t: 'b' } }, end: 3 } },
    },
  },
  { distance_feature: { field: 'd', pivot: '7d', origin: 'now' } },
  { knn: { field: 'dv', query_vector: [1, 0.5, -2], num_candidates: 5, filter: { term: { k: 'a' } }, similarity: 1 } },
  { rank_feature: { field: 'n' } },
  { terms_set: { k: { terms: ['a', 'b'], minimum_should_match_field: 'n' } } },
  {
    geo_shape: {
      p: {
        shape: {
          type: 'envelope',
          coordinates: [
            [-74, 41],
            [-73, 40],
          ],
        },
        relation: 'within',
      },
    },
  },
  { geo_polygon: { p: { points: [{ lat: 40, lon: -70 }, '30,-80', [-90, 20]] } } },
  { wrapper: { query: 'eyJtYXRjaF9hbGwiOnt9fQ==' } },
  { combined_fields: { query: 'fox', fields: ['t'], operator: 'and' } },
  { pinned: { ids: ['1'], organic: { match_all: {} } } },
];

export const AGGREGATIONS = [
  {
    terms: {
      field: 'k',
      size: 5,
      order: [{ _count: 'desc' }, { _key: 'asc' }],
      include: 'a.*',
      exclude: ['b'],
      missing: 'z',
      min_doc_count: 0,
      shard_size: 9,
    },
  },
  { terms: { field: 'n', include: { partition: 0, num_partitions: 3 } } },
  {
    histogram: {
      field: 'n',
      interval: 2.5,
      offset: 1,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 20 },
      hard_bounds: { min: -5, max: 50 },
      keyed: true,
    },
  },
  {
    date_histogram: {
      field: 'd',
      calendar_interval: 'month',
      time_zone: 'Europe/Berlin',
      format: 'yyyy-MM',
      offset: '+1d',
      min_doc_count: 1,
      missing: '2024-01-01',
    },
  },
  { date_histogram: { field: 'd', fixed_interval: '12h' } },
  { auto_date_histogram: { field: 'd', buckets: 10, minimum_interval: 'hour' } },
  { range: { field: 'n', ranges: [{ to: 5 }, { from: 5, to: 10, key: 'mid' }], keyed: true } },
  { date_range: { field: 'd', format: 'MM-yyyy', ranges: [{ from: 'now-10M/M' }, { to: 'now' }] } },
  { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.5' }, { mask: '10.0.0.0/25' }] } },
  { filter: { term: { k: 'a' } } },
  { filters: { filters: { a: { term: { k: 'a' } }, b: { match_all: {} } }, other_bucket_key: 'rest' } },
  { missing: { field: 'b' } },
  { global: {} },
  { variable_width_histogram: { field: 'n', buckets: 3, shard_size: 9, initial_buffer: 20 } },
  { children: { type: 'answer' } },
  { parent: { type: 'answer' } },
  { nested: { path: 'o' } },
  { reverse_nested: { path: 'o' } },
  {
    composite: {
      size: 3,
      sources: [
        { a: { terms: { field: 'k', order: 'desc', missing_bucket: true } } },
        { b: { date_histogram: { field: 'd', calendar_interval: '1d' } } },
      ],
      after: { a: 'x', b: 0 },
    },
  },
  { geohash_grid: { field: 'p', precision: 4, size: 5, bounds: { top_left: 'u17', bottom_right: 'u15' } } },
  { geotile_grid: { field: 'p', precision: 6 } },
  { geo_distance: { field: 'p', origin: '52.37,4.89', unit: 'km', ranges: [{ to: 100 }, { from: 100 }] } },
  { top_hits: { size: 2, sort: [{ n: 'desc' }], _source: ['k'], highlight: { fields: { t: {} } } } },
  { avg: { field: 'n', missing: 3 } },
  { sum: { field: 'n' } },
  { stats: { field: 'n' } },
  { extended_stats: { field: 'n', sigma: 3 } },
  { value_count: { field: 'k' } },
  { cardinality: { field: 'k', precision_threshold: 100 } },
  { percentiles: { field: 'n', percents: [1, 50, 99.9], keyed: false, tdigest: { compression: 200 } } },
  { percentiles: { field: 'n', hdr: { number_of_significant_value_digits: 3 } } },
  { percentile_ranks: { field: 'n', values: [1, 5] } },
  { median_absolute_deviation: { field: 'n' } },
  { weighted_avg: { value: { field: 'n' }, weight: { field: 'n', missing: 1 } } },
  { matrix_stats: { fields: ['n'] } },
  { geo_bounds: { field: 'p', wrap_longitude: true } },
  { geo_centroid: { field: 'p' } },
  {
    significant_terms: {
      field: 'k',
      mutual_information: { include_negatives: true },
      background_filter: { match_all: {} },
    },
  },
  { significant_text: { field: 't', filter_duplicate_text: true } },
  { rare_terms: { field: 'k', max_doc_count: 2 } },
  { sampler: { shard_size: 10 } },
  { diversified_sampler: { field: 'k', max_docs_per_value: 2 } },
  { random_sampler: { probability: 0.3, seed: 7 } },
  { adjacency_matrix: { filters: { a: { term: { k: 'a' } }, b: { match_all: {} } }, separator: '|' } },
  ...LEARNING_AGGREGATIONS,
  { multi_terms: { terms: [{ field: 'k' }, { field: 'n', missing: 0 }], order: { _key: 'asc' } } },
  { variable_width_histogram: { field: 'n', buckets: 3 } },
  { ip_prefix: { field: 'ip', prefix_length: 24 } },
  { top_metrics: { metrics: { field: 'n' }, sort: { d: 'desc' } } },
  { string_stats: { field: 'k', show_distribution: true } },
  { frequent_item_sets: { fields: [{ field: 'k' }] } },
  { categorize_text: { field: 't' } },
];

/** Bodies of ingest pipelines. */
export const INGEST = [
  {
    description: 'd',
    version: 1,
    _meta: { a: 1 },
    processors: [
      { set: { tag: 's', if: "ctx.n != null && ctx.k == 'a'", field: 'o.k', value: '{{t}} {{{n}}}', override: false } },
      { rename: { field: 't', target_field: 'u.v', ignore_missing: true } },
      {
        foreach: {
          field: 'o',
          processor: { set: { field: '_ingest._value.x', copy_from: 'n' } },
          ignore_missing: true,
        },
      },
    ],
    on_failure: [{ set: { field: 'e', value: '{{_ingest.on_failure_message}}', media_type: 'text/plain' } }],
  },
  {
    processors: [
      { remove: { field: ['a.0', 'k', '_routing'], ignore_missing: true, ignore_failure: true } },
      { remove: { keep: ['o.k', 'n'] } },
      { script: { source: 'ctx.s = params.p; ctx.remove("t")', params: { p: [1, { q: 2 }] }, lang: 'painless' } },
      { set: { field: '{{k}}.x', value: ['{{#o}}{{.}}{{/o}}', { '{{k}}': 1.5 }] } },
      { pipeline: { name: 'q', ignore_missing_pipeline: true } },
      { fail: { message: 'm {{n}}', on_failure: [{ drop: { description: 'd' } }] } },
    ],
  },
  {
    processors: [
      {
        grok: {
          field: 't',
          patterns: ['%{WORD:w} %{NUMBER:n:float}', '%{MY:m}'],
          pattern_definitions: { MY: '[a-z]+' },
        },
      },
      {
        dissect: { field: 't', pattern: '%{a} %{+a/1}:%{?b} %{*c}=%{&c}', append_separator: '-', ignore_missing: true },
      },
      {
        date: {
          field: 'd',
          formats: ['yyyy-MM-dd', 'ISO8601', 'UNIX_MS'],
          timezone: 'Europe/Oslo',
          target_field: '@t',
        },
      },
      { date_index_name: { field: 'd', date_rounding: 'M', index_name_prefix: 'p-', date_formats: ['yyyy-MM-dd'] } },
      { csv: { field: 't', target_fields: ['x', 'y.z'], separator: ';', quote: "'", trim: true, empty_value: '-' } },
      {
        kv: {
          field: 't',
          field_split: ' +',
          value_split: '=',
          prefix: 'kv_',
          strip_brackets: true,
          include_keys: ['a'],
        },
      },
      { json: { field: 'k', target_field: 'j', add_to_root: false, allow_duplicate_keys: true } },
      { append: { field: 'k', value: ['{{t}}', 1], allow_duplicates: false } },
    ],
    on_failure: [{ set: { field: 'e', value: '{{_ingest.on_failure_message}}' } }],
  },
  {
    processors: [
      { convert: { field: 'n', type: 'auto', target_field: 'c', ignore_failure: true } },
      { convert: { field: 'k', type: 'ip', ignore_failure: true } },
      { bytes: { field: 'k', target_field: 'b', ignore_failure: true } },
      { gsub: { field: 't', pattern: '(\\w)o', replacement: '<$1>', ignore_failure: true } },
      { split: { field: 't', separator: '\\s+', preserve_trailing: true, target_field: 's', ignore_failure: true } },
      { sort: { field: 's', order: 'desc', ignore_failure: true } },
      { join: { field: 's', separator: '|', ignore_failure: true } },
      { uppercase: { field: 'k', ignore_failure: true } },
      { trim: { field: 't', ignore_failure: true } },
      { html_strip: { field: 't', ignore_failure: true } },
      { urldecode: { field: 't', ignore_failure: true } },
      { uri_parts: { field: 't', keep_original: false, remove_if_successful: true, ignore_failure: true } },
      { dot_expander: { field: 'o.k', path: 'o', override: true, ignore_failure: true } },
      { fingerprint: { fields: ['k', 'n', 'o'], method: 'SHA-256', salt: 's', ignore_failure: true } },
      { community_id: { source_ip: 'ip', destination_ip: 'ip', iana_number: 'n', seed: 1, ignore_failure: true } },
      {
        network_direction: {
          source_ip: 'ip',
          destination_ip: 'ip',
          internal_networks: ['private', '10.0.0.0/8'],
          ignore_failure: true,
        },
      },
      { set_security_user: { field: 'u', properties: ['username', 'roles'], ignore_failure: true } },
      { reroute: { dataset: ['{{k}}', 'x'], namespace: '{{t}}', ignore_failure: true } },
    ],
  },
];

export const PIPELINES = [
  { cumulative_sum: { buckets_path: 'm' } },
  { derivative: { buckets_path: 'm', gap_policy: 'insert_zeros', unit: '1d' } },
  { bucket_sort: { sort: [{ m: 'desc' }], from: 1, size: 3 } },
  ...LEARNING_PIPELINES,
  { avg_bucket: { buckets_path: 'h>m' } },
  { max_bucket: { buckets_path: 'h>m' } },
  { stats_bucket: { buckets_path: 'h>_count' } },
  { extended_stats_bucket: { buckets_path: 'h>m', sigma: 2 } },
  { percentiles_bucket: { buckets_path: 'h>m', percents: [50] } },
  { serial_diff: { buckets_path: 'm', lag: 2 } },
  { normalize: { buckets_path: 'm', method: 'percent_of_sum' } },
  { bucket_script: { buckets_path: { a: 'm' }, script: 'params.a * 2' } },
  { moving_fn: { buckets_path: 'm', window: 3, script: 'MovingFunctions.max(values)' } },
  { moving_percentiles: { buckets_path: 'm', window: 3 } },
];

export const SEARCHES = [
  ...RESCORED_SEARCHES,
  {
    query: QUERIES[11],
    from: 0,
    size: 5,
    sort: [
      { n: { order: 'desc', missing: '_last', mode: 'max', unmapped_type: 'long' } },
      '_score',
      { _geo_distance: { p: [0, 0], order: 'asc', unit: 'km' } },
      { 'o.n': { nested: { path: 'o' } } },
    ],
    track_total_hits: 10,
    _source: { includes: ['k*'], excludes: 'n' },
    fields: ['d', { field: 'n', format: '0.0' }],
    docvalue_fields: ['k'],
    min_score: 0.1,
    post_filter: { term: { k: 'a' } },
    timeout: '2s',
    terminate_after: 100,
    explain: true,
    version: true,
    seq_no_primary_term: true,
    profile: true,
  },
  {
    query: QUERIES[5],
    highlight: {
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      fields: {
        t: { type: 'unified', fragment_size: 20, number_of_fragments: 2, no_match_size: 10, matched_fields: ['t'] },
      },
      order: 'score',
      require_field_match: false,
      encoder: 'html',
    },
    collapse: { field: 'k', inner_hits: { name: 'i', size: 2 } },
  },
  {
    search_after: ['a', 1],
    sort: ['k', 'n'],
    size: 2,
    slice: { id: 0, max: 2 },
    stored_fields: '_none_',
    track_scores: true,
    indices_boost: [{ 'a*': 2 }],
    runtime_mappings: {
      k: { type: 'keyword', script: { source: "emit(doc['k'].value + params.x)", params: { x: 1 } } },
      d: { type: 'date', format: 'yyyy' },
      c: { type: 'composite', script: "emit('a', 1)", fields: { a: { type: 'long' } } },
    },
    stats: ['g'],
  },
];

export const MAPPINGS = [
  {
    dynamic: 'strict',
    date_detection: false,
    numeric_detection: true,
    dynamic_date_formats: ['yyyy'],
    dynamic_templates: [
      {
        s: {
          match_mapping_type: 'string',
          match: 'a*',
          unmatch: 'ab',
          path_match: 'x.*',
          mapping: { type: 'keyword', ignore_above: 10 },
        },
      },
    ],
    properties: {
      a: {
        type: 'text',
        analyzer: 'english',
        fields: { raw: { type: 'keyword', normalizer: 'lowercase' } },
        copy_to: ['b'],
        index_options: 'offsets',
        term_vector: 'yes',
        similarity: 'BM25',
        norms: false,
      },
      b: { type: 'keyword', null_value: 'N', doc_values: false, index: true, eager_global_ordinals: true },
    },
  },
  {
    _source: { includes: ['a'] },
    _routing: { required: true },
    _meta: { x: 1 },
    properties: {
      o: { type: 'nested', include_in_parent: true, properties: { n: { type: 'scaled_float', scaling_factor: 100 } } },
      q: { type: 'object', enabled: false },
      al: { type: 'alias', path: 'd' },
      d: { type: 'date', format: 'yyyy-MM-dd||epoch_millis', ignore_malformed: true, null_value: '2024-01-01' },
      dn: { type: 'date_nanos' },
      g: { type: 'geo_point', ignore_z_value: false },
      i: { type: 'ip' },
      u: { type: 'unsigned_long' },
      h: { type: 'half_float' },
      r: { type: 'integer_range' },
      c: { type: 'completion' },
      bi: { type: 'binary' },
      pq: { type: 'percolator' },
      gs: { type: 'geo_shape', orientation: 'left', ignore_malformed: true },
      w: { type: 'wildcard' },
      f: { type: 'flattened', depth_limit: 3 },
      v: { type: 'version' },
      m: { type: 'murmur3' },
      tc: { type: 'token_count', analyzer: 'standard' },
      ck: { type: 'constant_keyword', value: 'x' },
      sa: { type: 'search_as_you_type' },
      rf: { type: 'rank_feature' },
      dv: { type: 'dense_vector', dims: 3 },
      j: { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } },
    },
  },
];

export const SETTINGS = [
  {
    index: {
      number_of_shards: 1,
      number_of_replicas: 0,
      refresh_interval: '1s',
      max_result_window: 100,
      mapping: { total_fields: { limit: 50 } },
      analysis: {
        analyzer: {
          a: {
            type: 'custom',
            tokenizer: 'standard',
            char_filter: ['html_strip', 'm'],
            filter: ['lowercase', 'st', 'sy', 'ng'],
          },
        },
        tokenizer: {
          p: { type: 'pattern', pattern: '[a-z]+', group: 0 },
          n: { type: 'ngram', min_gram: 1, max_gram: 2 },
          e: { type: 'edge_ngram', token_chars: ['letter'] },
          c: { type: 'char_group', tokenize_on_chars: ['whitespace', '-'] },
          ph: { type: 'path_hierarchy', delimiter: '/' },
        },
        char_filter: {
          m: { type: 'mapping', mappings: ['a => b'] },
          pr: { type: 'pattern_replace', pattern: '(a)', replacement: '$1$1' },
        },
        filter: {
          st: { type: 'stemmer', language: 'english' },
          sy: { type: 'synonym', synonyms: ['a, b => c', 'd, e f'] },
          ng: { type: 'edge_ngram', min_gram: 1, max_gram: 3 },
          sw: { type: 'stop', stopwords: '_french_' },
          wd: { type: 'word_delimiter_graph', preserve_original: true },
          sh: { type: 'shingle', max_shingle_size: 3 },
          le: { type: 'length', min: 2, max: 5 },
          pc: { type: 'pattern_capture', patterns: ['(a+)(b+)'] },
          co: { type: 'condition', filter: ['lowercase'], script: { source: 'true' } },
        },
        normalizer: { no: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
      },
    },
  },
  {
    'index.routing.allocation.include._tier_preference': 'data_content',
    'index.sort.field': ['k', 'n'],
    'index.sort.order': ['asc', 'desc'],
    'index.search.slowlog.threshold.query.warn': '10s',
    'index.translog.durability': 'async',
    'index.blocks.write': 'false',
    'index.similarity.my.type': 'BM25',
    'index.similarity.my.b': '0.2',
  },
];

export const DOCUMENTS = [
  {
    t: 'the quick brown fox',
    k: 'a',
    n: 3,
    d: '2024-03-05T10:00:00Z',
    b: true,
    p: { lat: 52.3, lon: 4.9 },
    ip: '10.0.0.7',
    o: [
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ],
    x: { y: { z: 'deep' } },
  },
  {
    t: ['jumps', 'over'],
    k: ['b', 'c'],
    n: [1.5, null],
    d: 1_700_000_000_000,
    b: 'false',
    p: 'drm3btev3e86',
    ip: '::1',
    arr: [[1, [2]], []],
  },
];

export const TEXT_SEEDS = {
  date: ['2024-03-05', '2024-03-05T10:00:00.123Z', '2024-W10-2', '1700000000000', '2024-03-05T10:00:00+02:00'],
  datePattern: [
    'yyyy-MM-dd',
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    'epoch_millis||strict_date_optional_time',
    'EEE, d MMM uuuu',
    'basic_week_date',
  ],
  dateMath: ['now-1d/d', '2024-01-01||+1M/M', 'now+5h-3m', 'now||/y'],
  zone: ['Europe/Berlin', '+01:00', 'UTC', 'Z', 'UTC+3'],
  bytes: ['10gb', '5kb', '0', '1.5mb', '-1'],
  time: ['1d', '500ms', '30s', '-1', '2micros'],
  ip: ['10.0.0.1', '::ffff:1.2.3.4', 'fe80::1%eth0', '10.0.0.0/8', '2001:db8::/32'],
  geo: ['52.3,4.9', 'drm3btev3e86', 'POINT (4.9 52.3)'],
  regexp: ['a(b|c)*[0-9]{2,3}', '<1-100>&~(5)', '"lit"@#', '[^a-z]+?.'],
  glob: ['a*b', 'a.b.*', '*.c', '*'],
  filterPath: ['hits.hits._source,-hits.total', '**.a', 'a.*.b'],
  queryString: ['k:(a OR b*) AND "q f"~2', 'n:[1 TO 5}', '-a +b c^2 d~1 /re.x/'],
  query: ['a=b&c=%41&d', 'pretty&q=a+b', '%'],
  template: [
    '{"query":{"term":{"k":"{{#a}}{{b.c.0}}{{^d}}x{{/d}}{{/a}}"}},"size":{{{n}}}}',
    "{{#toJson}}a{{/toJson}} {{#join delimiter='|'}}l{{/join delimiter='|'}} {{#url}}{{&t}}{{/url}}",
    '{{=<% %>=}}<%# a %>\n<% b %>\n<%/ a %>{{! no }}',
  ],
};
