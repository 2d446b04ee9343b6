// Bodies of aggregations of machine learning and of rescorers that are right, for fuzzers to damage.

export const LEARNING_AGGREGATIONS = [
  { categorize_text: { field: 't', similarity_threshold: 60, categorization_filters: ['\\d+'], size: 5 } },
  {
    frequent_item_sets: {
      fields: [{ field: 'k', exclude: 'a.*' }, { field: 'n' }],
      minimum_support: 0.2,
      minimum_set_size: 2,
      filter: { term: { k: 'a' } },
    },
  },
];

export const LEARNING_PIPELINES = [
  { inference: { model_id: 'm', buckets_path: { a: 'm' }, inference_config: { regression: {} } } },
  { change_point: { buckets_path: 'h>m' } },
  { bucket_count_ks_test: { buckets_path: 'h>_count', alternative: ['less'], fractions: [1, 2] } },
  {
    bucket_correlation: {
      buckets_path: 'h>_count',
      function: { count_correlation: { indicator: { expectations: [1, 2], fractions: [0.5, 0.5], doc_count: 9 } } },
    },
  },
];

export const RESCORED_SEARCHES = [
  {
    suggest: {
      text: 'qick',
      s: { term: { field: 't', suggest_mode: 'always' } },
      p: { phrase: { field: 't', max_errors: 2, direct_generator: [{ field: 't' }] } },
    },
    rescore: { window_size: 10, query: { rescore_query: { match: { t: 'fox' } }, query_weight: 0.7 } },
  },
  { rescore: [{ window_size: 5, learning_to_rank: { model_id: 'm', params: { a: 'x' } } }] },
];
