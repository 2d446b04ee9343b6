import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { matchesWildcard } from '@shoal/values';
import type { AnalyticsConfig } from './analytics-config.js';

/** A field of the source indices with its types. */
export interface SourceField {
  readonly name: string;
  readonly types: readonly string[];
  readonly isAggregatable: boolean;
  /** Whether it is known that no document has a value of it. */
  readonly isEmpty: boolean;
}

/** A field that an analysis reads. */
export interface AnalyzedField {
  readonly name: string;
  readonly kind: 'number' | 'category' | 'boolean';
}

/** A field with the reason why it is read, or is not. */
export interface SelectedField {
  readonly name: string;
  readonly types: readonly string[];
  readonly isIncluded: boolean;
  readonly isRequired: boolean;
  readonly kind: AnalyzedField['kind'] | null;
  readonly reason: string | null;
}

const NUMBERS = new Set([
  ...['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float', 'unsigned_long'],
]);
const CATEGORIES = new Set(['keyword', 'constant_keyword', 'wildcard', 'text', 'ip', 'version']);
const CLASS_TYPES = 'boolean, byte, integer, ip, keyword, long, short, text';
const ID_FIELD = 'ml__incremental_id';
/** Fields that an analysis may read. */
const FIELDS_MAX = 1000;

function kindOf(types: readonly string[]): AnalyzedField['kind'] | null {
  if (types.every((type) => NUMBERS.has(type))) return 'number';
  if (types.every((type) => type === 'boolean')) return 'boolean';
  return types.every((type) => CATEGORIES.has(type)) ? 'category' : null;
}

function supported({ analysis }: AnalyticsConfig): string {
  const names = ['boolean', ...[...NUMBERS].sort()];
  return (analysis.kind === 'outlier_detection' ? names : [...names, ...[...CATEGORIES].sort()]).join(', ');
}

function reasonAgainst(config: AnalyticsConfig, field: SourceField, all: readonly SourceField[]): string | null {
  const { includes, excludes, analysis, source } = config;
  const matches = (pattern: string): boolean => matchesWildcard(pattern, field.name);
  const kind = kindOf(field.types);
  if (kind === null || (analysis.kind === 'outlier_detection' && kind === 'category'))
    return `unsupported type; supported types are [${supported(config)}]`;
  if (excludes.some(matches)) return 'field in excludes list';
  if (includes.length > 0 && !includes.some(matches)) return 'field not in includes list';
  if (!field.isAggregatable) return '[_source] is not aggregatable: there are no values of this field to read';
  if (field.isEmpty) return 'no document has a value of this field';
  const dot = field.name.lastIndexOf('.');
  const parent = dot < 0 ? undefined : all.find(({ name }) => name === field.name.slice(0, dot));
  if (parent?.isAggregatable === true && kindOf(parent.types) !== null)
    return `[${parent.name}] is preferred because it is aggregatable`;
  const isHidden =
    source.fields !== null &&
    ((source.fields.includes.length > 0 && !source.fields.includes.some(matches)) ||
      source.fields.excludes.some(matches));
  return isHidden ? 'field is not in [_source]' : null;
}

/** Decides for all fields of the source whether an analysis reads them. Throws 8.12's errors if it cannot do. */
export function selectFields(config: AnalyticsConfig, given: readonly SourceField[]): readonly SelectedField[] {
  const { analysis, dest } = config;
  const all = given.filter(
    ({ name }) => name !== ID_FIELD && name !== dest.resultsField && !name.startsWith(`${dest.resultsField}.`),
  );
  const dependent = analysis.kind === 'outlier_detection' ? null : analysis.dependent;
  checkNames(config, all, dependent);
  const found = all.map((field): SelectedField => {
    const { name, types } = field;
    const isRequired = name === dependent;
    const reason = isRequired ? null : reasonAgainst(config, field, all);
    return { name, types, isIncluded: reason === null, isRequired, kind: kindOf(types), reason };
  });
  if (dependent !== null) checkDependent(config, found.find(({ name }) => name === dependent)!);
  const features = found.filter(({ isIncluded, isRequired }) => isIncluded && !isRequired);
  if (features.length === 0)
    throw errors.status(
      `at least one field must be included in the analysis; no compatible fields could be detected in index [` +
        `${config.source.indices.join(', ')}]. Supported types are [${supported(config)}].`,
      { status: 400 },
    );
  if (features.length > FIELDS_MAX)
    throw errors.status(`an analysis reads at most [${FIELDS_MAX}] fields, [${features.length}] are included`, {
      status: 400,
    });
  return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function checkNames(
  { includes, excludes }: AnalyticsConfig,
  all: readonly SourceField[],
  dependent: string | null,
): void {
  if (dependent !== null && !all.some(({ name }) => name === dependent))
    throw errors.status(`required field [${dependent}] is missing; analysis requires fields [${dependent}]`, {
      status: 400,
    });
  if (dependent !== null && excludes.some((pattern) => matchesWildcard(pattern, dependent)))
    throw errors.status(`required field [${dependent}] is in excludes list [analyzed_fields]`, { status: 400 });
  const unknown = includes.find((name) => !name.includes('*') && !all.some((field) => field.name === name));
  if (unknown !== undefined)
    throw errors.status(`No field [${unknown}] could be detected in the source indices`, { status: 400 });
}

function checkDependent({ analysis }: AnalyticsConfig, { name, types, kind }: SelectedField): void {
  const isWhole = types.every((type) => ['long', 'integer', 'short', 'byte'].includes(type));
  const fits =
    analysis.kind === 'regression' ? kind === 'number' : kind === 'category' || kind === 'boolean' || isWhole;
  if (!fits)
    throw errors.status(
      `invalid types [${types.join(', ')}] for required field [${name}]; expected types are [` +
        `${analysis.kind === 'regression' ? [...NUMBERS].sort().join(', ') : CLASS_TYPES}]`,
      { status: 400 },
    );
}

/** The selection as `_explain` shows it. */
export function selectionJson(fields: readonly SelectedField[]): JsonObject[] {
  return fields.map(({ name, types, isIncluded, isRequired, kind, reason }) => ({
    name,
    mapping_types: [...types],
    is_included: isIncluded,
    is_required: isRequired,
    ...(isIncluded ? { feature_type: kind === 'category' ? 'categorical' : 'numerical' } : {}),
    ...(reason === null ? {} : { reason }),
  }));
}

/** The fields that an analysis reads: its features, and its dependent variable last. */
export function analyzedFieldsOf(config: AnalyticsConfig, fields: readonly SelectedField[]): readonly AnalyzedField[] {
  const read = fields.filter(({ isIncluded }) => isIncluded);
  const ordered = [...read.filter(({ isRequired }) => !isRequired), ...read.filter(({ isRequired }) => isRequired)];
  return ordered.map(({ name, kind, isRequired }) => ({
    name,
    kind: isRequired && config.analysis.kind === 'classification' ? 'category' : kind!,
  }));
}
