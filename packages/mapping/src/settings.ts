import type { AnalysisRegistry } from '@shoal/analysis';
import { isSeriesMode } from '@shoal/values';
import type { MappingOptions } from './mapping-api.js';

/** Limits that apply unless the settings change them. */
const DEFAULTS = {
  totalFields: 1000,
  depth: 20,
  nestedFields: 50,
  dimensionFields: 21,
  nestedObjects: 10000,
  fieldNameLength: Number.MAX_SAFE_INTEGER,
};

function similarityNames(settings: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const prefix = 'index.similarity.';
  return new Set(
    Object.keys(settings)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length).split('.')[0] ?? ''),
  );
}

function countingOverlaps(settings: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = [...similarityNames(settings)];
  return new Set(names.filter((name) => String(settings[`index.similarity.${name}.discount_overlaps`]) === 'false'));
}

function timeSeriesOptions(settings: Readonly<Record<string, unknown>>): Pick<MappingOptions, 'timeSeries'> {
  if (!isSeriesMode(settings)) return {};
  const path = settings['index.routing_path'] ?? [];
  const routingPath = Array.isArray(path) ? path.map(String) : String(path).split(',');
  return { timeSeries: { routingPath: routingPath.map((each) => each.trim()) } };
}

/** Options of a mapping from the flat settings of an index (`index.mapping.depth.limit` …). */
export function mappingOptions(
  settings: Readonly<Record<string, unknown>>,
  analysis: AnalysisRegistry,
): MappingOptions {
  const number = (key: string, byDefault: number): number => Number(settings[`index.mapping.${key}`] ?? byDefault);
  const flag = (key: string, byDefault: boolean): boolean =>
    String(settings[`index.mapping.${key}`] ?? byDefault) === 'true';
  return {
    analysis,
    totalFieldsLimit: number('total_fields.limit', DEFAULTS.totalFields),
    depthLimit: number('depth.limit', DEFAULTS.depth),
    nestedFieldsLimit: number('nested_fields.limit', DEFAULTS.nestedFields),
    nestedObjectsLimit: number('nested_objects.limit', DEFAULTS.nestedObjects),
    fieldNameLengthLimit: number('field_name_length.limit', DEFAULTS.fieldNameLength),
    coerce: flag('coerce', true),
    ignoreMalformed: flag('ignore_malformed', false),
    similarities: similarityNames(settings),
    countsOverlaps: countingOverlaps(settings),
    dimensionFieldsLimit: number('dimension_fields.limit', DEFAULTS.dimensionFields),
    ...timeSeriesOptions(settings),
  };
}
