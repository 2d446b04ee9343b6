import type { OwnCalls } from '@shoal/coordinator';
import type { Subject } from '@shoal/security';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { type IndexMetadata, OPEN_ONLY, resolveIndices } from '@shoal/state';
import type { MlDoors } from '../ml-doors.js';
import type { AnalyticsConfig, AnalysisSpec } from './analytics-config.js';
import type { SourceField } from './field-selection.js';

/** The indices that an analysis reads, as its maker may. Throws index_not_found_exception if there is none. */
export function sourceIndices(
  { cluster, clock }: Pick<MlDoors, 'cluster' | 'clock'>,
  { source }: AnalyticsConfig,
  subject: Subject,
): readonly IndexMetadata[] {
  const access = subject.permissions.indexAccess('indices:data/read/search');
  const found = resolveIndices(cluster.state(), [...source.indices], OPEN_ONLY, access, clock.now());
  if (found.length === 0) throw errors.indexNotFound(`no such index [${source.indices.join(',')}]`);
  return found;
}

/** The fields of indices with their types, those of runtime fields of the source first. */
export function sourceFields(
  { coordinator }: Pick<MlDoors, 'coordinator'>,
  { source }: AnalyticsConfig,
  indices: readonly IndexMetadata[],
): readonly SourceField[] {
  const found = new Map<string, { types: Set<string>; isAggregatable: boolean }>();
  for (const index of indices)
    for (const { name, typeName, isAggregatable } of coordinator.mappingOf(index).fields) {
      const own = found.get(name) ?? { types: new Set<string>(), isAggregatable: true };
      own.types.add(typeName);
      own.isAggregatable &&= isAggregatable;
      found.set(name, own);
    }
  for (const [name, body] of Object.entries(source.runtime ?? {}))
    if (isPlainObject(body)) found.set(name, { types: new Set([String(body['type'])]), isAggregatable: true });
  return [...found].map(([name, { types, isAggregatable }]) => ({
    ...{ name, types: [...types].sort(), isAggregatable, isEmpty: false },
  }));
}

/** Fields that one search asks for. */
const FIELDS_OF_SEARCH = 200;

/** Says of each field whether any document of the source has a value of it. */
export async function withEmptiness(
  fields: readonly SourceField[],
  { source }: AnalyticsConfig,
  calls: OwnCalls,
): Promise<readonly SourceField[]> {
  const out: SourceField[] = [];
  const asked = fields.filter(({ isAggregatable }) => isAggregatable);
  const empty = new Set<string>();
  for (let at = 0; at < asked.length; at += FIELDS_OF_SEARCH) {
    const names = asked.slice(at, at + FIELDS_OF_SEARCH).map(({ name }) => name);
    const filters = names.map((field) => ({ exists: { field } }));
    const answer = await calls.searchPlain(source.indices, {
      ...{ size: 0, query: source.query, aggs: { known: { filters: { filters } } } },
      ...(source.runtime === null ? {} : { runtime_mappings: source.runtime }),
    });
    const { buckets } = (answer['aggregations'] as { known: { buckets: { doc_count: number }[] } }).known;
    names.forEach((name, i) => buckets[i]!.doc_count === 0 && empty.add(name));
  }
  for (const field of fields) out.push({ ...field, isEmpty: empty.has(field.name) });
  return out;
}

const KEYWORD = { type: 'keyword' };
const DOUBLE = { type: 'double' };

/** Fields of results, as the mapping of a destination has them. */
function resultFields(analysis: AnalysisSpec, dependentType: string | null): JsonObject {
  const influence = { type: 'nested', properties: { feature_name: KEYWORD, influence: DOUBLE } };
  if (analysis.kind === 'outlier_detection') return { outlier_score: DOUBLE, feature_influence: influence };
  const own = { type: dependentType ?? 'keyword' };
  const importance = {
    type: 'nested',
    properties: {
      ...{ feature_name: KEYWORD, importance: DOUBLE },
      classes: { type: 'nested', properties: { class_name: own, importance: DOUBLE } },
    },
  };
  const common = { is_training: { type: 'boolean' }, feature_importance: importance };
  if (analysis.kind === 'regression') return { [analysis.predictionField]: DOUBLE, ...common };
  const classes = { class_name: own, class_probability: DOUBLE, class_score: DOUBLE };
  return {
    [analysis.predictionField]: own,
    ...{ prediction_probability: DOUBLE, prediction_score: DOUBLE },
    top_classes: { type: 'nested', properties: classes },
    ...common,
  };
}

/** Types that classes of a destination can have; others are kept as keywords. */
const CLASS_TYPES = new Set(['keyword', 'boolean', 'long', 'integer', 'short', 'byte', 'ip']);

/** The body of the destination index: the fields of the source, a number for each document, and those of results. */
export function destinationBody(
  { coordinator, clock }: Pick<MlDoors, 'coordinator' | 'clock'>,
  config: AnalyticsConfig,
  indices: readonly IndexMetadata[],
): JsonObject {
  let properties: JsonObject = {};
  for (const index of indices) {
    const own = coordinator.mappingOf(index).toJson()['properties'];
    if (isPlainObject(own)) properties = { ...own, ...properties };
  }
  const { analysis, dest, source } = config;
  const types =
    analysis.kind === 'outlier_detection'
      ? []
      : indices.map((index) => coordinator.mappingOf(index).field(analysis.dependent)?.typeName);
  const type = types[0] !== undefined && CLASS_TYPES.has(types[0]) ? types[0] : null;
  return {
    mappings: {
      _meta: { created_by: 'data-frame-analytics', analytics: config.id, creation_date_in_millis: clock.now() },
      ...(source.runtime === null ? {} : { runtime: source.runtime }),
      properties: {
        ...properties,
        ml__incremental_id: { type: 'long' },
        [dest.resultsField]: { properties: resultFields(analysis, type) },
      },
    },
    settings: { index: { number_of_shards: '1', auto_expand_replicas: '0-1' } },
  };
}
