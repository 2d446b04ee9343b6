import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { updatedCategorization } from './categorization-config.js';
import { parseJob, specOf } from './job-config.js';

const SITE = { nowMs: 1_700_000_000_000, memoryMostBytes: 150 * 1024 * 1024, items: () => new Set<string>() };
const job = (analysis: Record<string, unknown>, rest: Record<string, unknown> = {}): unknown => ({
  analysis_config: { detectors: [{ function: 'count' }], ...analysis },
  data_description: {},
  ...rest,
});
const parse = (body: unknown, id = 'a') => parseJob(id, body, SITE);

test('a job has the defaults of 8.12, and a memory limit that its node can give', () => {
  assert.deepEqual(parse(job({})).json, {
    job_id: 'a',
    job_type: 'anomaly_detector',
    job_version: '8.12.0',
    create_time: 1_700_000_000_000,
    analysis_config: {
      bucket_span: '5m',
      detectors: [{ detector_description: 'count', function: 'count', detector_index: 0 }],
      influencers: [],
      model_prune_window: '30d',
    },
    analysis_limits: { model_memory_limit: '150mb', categorization_examples_limit: 4 },
    data_description: { time_field: 'time', time_format: 'epoch_ms' },
    model_snapshot_retention_days: 10,
    daily_model_snapshot_retention_after_days: 1,
    results_index_name: 'shared',
    allow_lazy_open: false,
  });
});

test('a stored job is read as it was written', () => {
  const { json } = parse(job({ bucket_span: '15m', influencers: ['host'], latency: '1h' }, { groups: ['web'] }));
  assert.deepEqual(parseJob('a', json, SITE, true).json, json);
});

const detector = (fields: Record<string, unknown>) => job({ detectors: [fields] });

const REFUSED: readonly [what: string, body: unknown, reason: RegExp, id?: string][] = [
  ['an id with capitals', job({}), /^Invalid job_id; 'A' can contain lowercase alphanumeric/, 'A'],
  ['a long id', job({}), /cannot contain more than 64 characters/, 'a'.repeat(65)],
  ['no analysis_config', { data_description: {} }, /^An analysis_config must be set$/],
  [
    'no data_description',
    { analysis_config: { detectors: [{ function: 'count' }] } },
    /^A data_description must be set$/,
  ],
  ['no detectors', job({ detectors: [] }), /^No detectors configured$/],
  ['an unknown function', detector({ function: 'magic' }), /^Unknown function 'magic'$/],
  ['a mean of nothing', detector({ function: 'mean' }), /^field_name must be set when the 'mean' function is used$/],
  [
    'a count of a field',
    detector({ function: 'count', field_name: 'x' }),
    /^field_name cannot be used in function 'count'$/,
  ],
  ['a rare of nothing', detector({ function: 'rare' }), /^by_field_name must be set when the 'rare' function is used$/],
  [
    'one field twice',
    detector({ function: 'count', by_field_name: 'x', over_field_name: 'x' }),
    /cannot be the same: 'x'$/,
  ],
  ['a span of nothing', job({ bucket_span: '0s' }), /^bucket_span cannot be less or equal than 0/],
  ['a span of twenty years', job({ bucket_span: '7300d' }), /^bucket_span cannot be more than 10 years/],
  ['an unknown member', job({ buckets: 1 }), /^\[analysis_config\] unknown field \[buckets\]/],
  ['multivariate fields', job({ multivariate_by_fields: true }), /^\[multivariate_by_fields\] is not supported/],
  [
    'categories without a field',
    detector({ function: 'count', by_field_name: 'mlcategory' }),
    /^categorization_field_name must be set/,
  ],
  [
    'a field without categories',
    job({ categorization_field_name: 'm' }),
    /^categorization_field_name is set but mlcategory/,
  ],
  [
    'half a megabyte',
    job({}, { analysis_limits: { model_memory_limit: '500kb' } }),
    /must be at least 1 MiB. Value = 0$/,
  ],
  [
    'a rule of another field',
    detector({ function: 'count', custom_rules: [{ scope: { x: { filter_id: 'f' } } }] }),
    /^Invalid detector rule: scope field 'x'/,
  ],
  ['a wrong time format', job({}, { data_description: { time_format: 'nope' } }), /^Invalid Time format string/],
  ['a group of the same name', job({}, { groups: ['a'] }), /^job and group names must be unique/],
];

for (const [what, body, reason, id] of REFUSED) {
  test(`${what}: refused with 400`, () => {
    assert.throws(
      () => parse(body, id),
      (error: unknown) => isApiError(error) && error.status === 400 && reason.test(error.reason ?? ''),
    );
  });
}

const LINES = { categorization_field_name: 'm', detectors: [{ function: 'count', by_field_name: 'mlcategory' }] };
const PARTED = {
  categorization_field_name: 'm',
  detectors: [{ function: 'count', by_field_name: 'mlcategory', partition_field_name: 'host' }],
  per_partition_categorization: { enabled: true, stop_on_warn: true },
};

test('categories of lines are configured by filters, by an analyzer, by partitions', () => {
  const analyzer = { char_filter: ['first_line_with_letters'], tokenizer: 'ml_standard', filter: ['lowercase'] };
  for (const more of [
    { categorization_filters: ['\\[.*?\\]', 'id=\\S+'] },
    { categorization_analyzer: analyzer },
    { categorization_analyzer: 'whitespace' },
    PARTED,
  ]) {
    const { json } = parse(job({ ...LINES, ...more }));
    const shown = json['analysis_config'] as Record<string, unknown>;
    for (const [key, value] of Object.entries(more)) if (key !== 'detectors') assert.deepEqual(shown[key], value, key);
    assert.deepEqual(parseJob('a', json, SITE, true).json, json);
  }
  const tokens = (more: object, line: string) => {
    const { tokensOf } = specOf(parse(job({ ...LINES, ...more })), []).categorization!;
    return tokensOf!(line);
  };
  const line = '[worker a] Login of ann failed';
  assert.deepEqual(tokens({ categorization_filters: ['\\[.*?\\]', 'of \\w+'] }, line), ['Login', 'failed']);
  assert.deepEqual(tokens({ categorization_analyzer: analyzer }, line), ['worker', 'login', 'of', 'ann', 'failed']);
});

test('what says nothing sensible about categories is refused as 8.12 does', () => {
  const bad: readonly [more: object, reason: RegExp][] = [
    [{ categorization_filters: ['a', 'a'] }, /^categorization_filters contain duplicates$/],
    [{ categorization_filters: [''] }, /^categorization_filters are not allowed to contain empty strings$/],
    [{ categorization_filters: ['(a'] }, /^categorization_filters contains invalid regular expression '\(a'$/],
    [
      { categorization_filters: ['a'], categorization_analyzer: 'simple' },
      /cannot be used with categorization_analyzer/,
    ],
    [{ categorization_analyzer: 'absent' }, /^Failed to find global analyzer \[absent\]$/],
    [{ categorization_analyzer: { filter: ['lowercase'] } }, /must specify a \[tokenizer\] field$/],
    [{ categorization_analyzer: { tokenizer: 'absent' } }, /failed to find global tokenizer under \[absent\]/],
    [{ categorization_analyzer: 3 }, /categorization_analyzer/],
    [{ per_partition_categorization: { stop_on_warn: true } }, /^stop_on_warn cannot be true when/],
    [{ per_partition_categorization: { enabled: true } }, /^partition_field_name must be set for detectors that/],
    [
      { ...PARTED, detectors: [...PARTED.detectors, { function: 'count', partition_field_name: 'p' }] },
      /^partition_field_name cannot vary between detectors .*: \[host\] and \[p\] are used$/,
    ],
    [
      { ...PARTED, detectors: [{ function: 'count', partition_field_name: 'mlcategory' }] },
      /^mlcategory cannot be used as a partition_field_name/,
    ],
  ];
  for (const [more, reason] of bad)
    assert.throws(
      () => parse(job({ ...LINES, ...more })),
      (error) => isApiError(error) && error.status === 400 && reason.test(String(error.reason)),
      String(reason),
    );
  const detectors = [{ function: 'count' }];
  assert.throws(() => parse(job({ detectors, categorization_filters: ['a'] })), /require setting/);
  assert.throws(() => parse(job({ detectors, categorization_analyzer: 'simple' })), /requires setting/);
  assert.throws(() => parse(job({ detectors, per_partition_categorization: { enabled: true } })), /must be set when/);
});

test('an update changes filters and stop_on_warn, not whether lines are parted', () => {
  const analysis = parse(job(PARTED)).json['analysis_config'] as JsonObject;
  assert.deepEqual(updatedCategorization(analysis, { per_partition_categorization: { stop_on_warn: false } }), {
    per_partition_categorization: { enabled: true, stop_on_warn: false },
  });
  assert.deepEqual(updatedCategorization(analysis, { categorization_filters: ['a'] }), {
    categorization_filters: ['a'],
  });
  assert.throws(
    () => updatedCategorization(analysis, { per_partition_categorization: { enabled: false } }),
    /enabled\] cannot be updated/,
  );
});
