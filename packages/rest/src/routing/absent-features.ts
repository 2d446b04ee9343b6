import { type ApiError, errors } from '@shoal/errors';

/**
 * Paths of Elasticsearch 8.12 that this version does not serve, by their beginning, and the feature that they belong
 * to. `{}` stands for a name, such as that of an index.
 */
const ABSENT: readonly (readonly [path: string, feature: string])[] = [
  ['_application', 'search applications and behavioral analytics'],
  ['_autoscaling', 'autoscaling'],
  ['_ccr', 'cross-cluster replication'],
  ['{}/_ccr', 'cross-cluster replication'],
  ['_connector', 'connectors'],
  ['_eql', 'EQL'],
  ['{}/_eql', 'EQL'],
  ['_esql', 'ES|QL'],
  ['_query', 'ES|QL'],
  ['_fleet', 'Fleet'],
  ['{}/_fleet', 'Fleet'],
  ['{}/_graph', 'graph exploration'],
  [
    '_inference',
    'services of inference, which need other programs or the network; compute vectors outside, index them as ' +
      'dense_vector or rank_features',
  ],
  ['_license', 'licences: everything is free'],
  ['_logstash', 'pipelines of Logstash'],
  ['{}/_migration', 'migration between versions'],
  ['_migration', 'migration between versions'],
  [
    '_ml/trained_models',
    'deployments, vocabularies and definitions in parts, which are for models of PyTorch; a model of trees needs none',
  ],
  ['_ml', 'this part of machine learning'],
  ['_monitoring', 'collecting of monitoring data'],
  ['{}/_mvt', 'vector tiles'],
  ['_profiling', 'universal profiling'],
  ['_query_rules', 'query rules'],
  ['_rollup', 'rollups'],
  ['{}/_rollup', 'rollups'],
  ['{}/_rollup_search', 'rollups'],
  ['_sql', 'SQL'],
  ['_ssl', 'the list of certificates'],
  ['_synonyms', 'synonym sets'],
  ['_text_structure', 'finding the structure of texts'],
  ['_watcher', 'Watcher'],
  ['_xpack', 'parts of X-Pack'],
];

const ROWS = ABSENT.map(([path, feature]) => ({ segments: path.split('/'), feature }));

const isNamed = (segment: string): boolean => !segment.startsWith('_') || segment === '_all';

function begins(segments: readonly string[], row: readonly string[]): boolean {
  if (segments.length < row.length) return false;
  return row.every((wanted, i) => (wanted === '{}' ? isNamed(segments[i]!) : segments[i] === wanted));
}

/**
 * Returns the error of a path of Elasticsearch 8.12 that no route serves: the status (400) and the first words of a
 * node without the module, and the name of the feature. Null for paths that Elasticsearch does not know either.
 * Without this `GET /_transform` would look for an index of that name.
 */
export function absentFeature(method: string, uri: string, segments: readonly string[]): ApiError | null {
  const row = ROWS.find((one) => begins(segments, one.segments));
  if (row === undefined) return null;
  return errors.featureNotEnabled(
    `no handler found for uri [${uri}] and method [${method}]: not in this version: ${row.feature}`,
    { meta: { 'disabled.feature': row.segments.findLast((segment) => segment !== '{}')!.replace(/^_/, '') } },
  );
}
