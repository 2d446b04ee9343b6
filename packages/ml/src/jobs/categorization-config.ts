import { type Analyzer, buildAnalysisRegistry, compileRegex, type CustomDefinition } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import { type BodyReader, bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import { type CategorizationSpec, CATEGORY_FIELD, fixedTokens } from '@shoal/learning';
import { type DetectorConfig, usesCategories } from './detector-config.js';

/** How a job puts lines into categories, as its configuration says. */
export interface CategorizationConfig {
  readonly field: string;
  /** Regular expressions whose matches are taken out of lines before they are looked at. */
  readonly filters: readonly string[];
  /** Name or definition of the analyzer that makes the tokens of lines; null: words without digits. */
  readonly analyzer: string | JsonObject | null;
  /** Field whose values have categories of their own; null for none. */
  readonly partition: string | null;
  readonly stopsOnWarn: boolean;
}

const FILTERS_MAX = 100;
/** Characters of a line that are looked at. */
const LINE_MAX = 20_000;
const TOKENS_MAX = 100;
const WITHOUT_FIELD = 'require setting categorization_field_name';

/** Parses what an `analysis_config` says about categories. Throws 8.12's errors. */
export function parseCategorization(
  reader: BodyReader,
  detectors: readonly DetectorConfig[],
): { readonly config: CategorizationConfig | null; readonly json: JsonObject } {
  const field = reader.optionalText('categorization_field_name');
  const uses = detectors.some(usesCategories);
  if (field === null && uses)
    throw errors.illegalArgument(`categorization_field_name must be set for ${CATEGORY_FIELD} to be available`);
  if (field !== null && !uses)
    throw errors.illegalArgument(
      `categorization_field_name is set but ${CATEGORY_FIELD} is not used in any detector by/over/partition field`,
    );
  const analyzer = parseAnalyzer(reader, field);
  const filters = parseFilters(reader, field, analyzer !== null);
  const { isEnabled, stopsOnWarn } = parsePerPartition(reader.optionalObject('per_partition_categorization'));
  const partition = isEnabled ? partitionOf(field, detectors) : null;
  if (field === null) return { config: null, json: {} };
  const json: JsonObject = {
    categorization_field_name: field,
    ...(filters.length === 0 ? {} : { categorization_filters: filters }),
    ...(analyzer === null ? {} : { categorization_analyzer: analyzer }),
    per_partition_categorization: { enabled: isEnabled, ...(isEnabled ? { stop_on_warn: stopsOnWarn } : {}) },
  };
  return { config: { field, filters, analyzer, partition, stopsOnWarn }, json };
}

function parseFilters(reader: BodyReader, field: string | null, hasAnalyzer: boolean): readonly string[] {
  const filters = reader.texts('categorization_filters');
  if (filters.length === 0) return filters;
  const refuse = (reason: string): never => {
    throw errors.illegalArgument(`categorization_filters ${reason}`);
  };
  if (hasAnalyzer)
    refuse(
      'cannot be used with categorization_analyzer - ' +
        'instead specify them as pattern_replace char_filters in the analyzer',
    );
  if (field === null) refuse(WITHOUT_FIELD);
  if (new Set(filters).size < filters.length) refuse('contain duplicates');
  if (filters.includes('')) refuse('are not allowed to contain empty strings');
  if (filters.length > FILTERS_MAX) refuse(`has more than [${FILTERS_MAX}] filters`);
  for (const filter of filters) {
    try {
      compileRegex(filter, '');
    } catch {
      refuse(`contains invalid regular expression '${filter}'`);
    }
  }
  return filters;
}

function parseAnalyzer(reader: BodyReader, field: string | null): string | JsonObject | null {
  const given = readAnalyzer(reader);
  if (given === null) return null;
  if (field === null)
    throw errors.illegalArgument('categorization_analyzer requires setting categorization_field_name');
  if (typeof given !== 'string') {
    bodyReader('categorization_analyzer', given).onlyKeys(['char_filter', 'tokenizer', 'filter']);
    if (given['tokenizer'] === undefined)
      throw errors.illegalArgument(
        'categorization_analyzer that is not a global analyzer must specify a [tokenizer] field',
      );
  }
  analyzerOf(given);
  return given;
}

/** An analyzer is named or defined: texts and objects are both right. */
function readAnalyzer(reader: BodyReader): string | JsonObject | null {
  try {
    return reader.optionalObject('categorization_analyzer');
  } catch {
    return reader.optionalText('categorization_analyzer');
  }
}

function analyzerOf(analyzer: string | JsonObject): Analyzer {
  const registry = buildAnalysisRegistry({}, { isGlobal: true });
  if (typeof analyzer !== 'string') return registry.custom(analyzer as CustomDefinition);
  const named = registry.analyzer(analyzer);
  if (named === null) throw errors.illegalArgument(`Failed to find global analyzer [${analyzer}]`);
  return named;
}

function parsePerPartition(body: JsonObject | null): { readonly isEnabled: boolean; readonly stopsOnWarn: boolean } {
  const reader = bodyReader('per_partition_categorization', body ?? {});
  reader.onlyKeys(['enabled', 'stop_on_warn']);
  const isEnabled = reader.optionalBoolean('enabled') ?? false;
  const stopsOnWarn = reader.optionalBoolean('stop_on_warn') ?? false;
  if (stopsOnWarn && !isEnabled)
    throw errors.illegalArgument('stop_on_warn cannot be true when per_partition_categorization is not enabled');
  return { isEnabled, stopsOnWarn };
}

/** The one field by which lines are parted. */
function partitionOf(field: string | null, detectors: readonly DetectorConfig[]): string {
  const enabled = 'when per-partition categorization is enabled';
  if (field === null) throw errors.illegalArgument(`categorization_field_name must be set ${enabled}`);
  let common: string | null = null;
  for (const detector of detectors) {
    const { partition } = detector.spec;
    if (partition === CATEGORY_FIELD)
      throw errors.illegalArgument(`${CATEGORY_FIELD} cannot be used as a partition_field_name ${enabled}`);
    if (partition === null) {
      if (!usesCategories(detector)) continue;
      throw errors.illegalArgument(
        `partition_field_name must be set for detectors that reference ${CATEGORY_FIELD} ${enabled}`,
      );
    }
    if (common !== null && common !== partition)
      throw errors.illegalArgument(
        `partition_field_name cannot vary between detectors ${enabled}: [${common}] and [${partition}] are used`,
      );
    common = partition;
  }
  return common!;
}

/** Returns what the mathematics of categories needs. */
export function categorizationSpec(config: CategorizationConfig, examplesMax: number): CategorizationSpec {
  const { field, partition, stopsOnWarn } = config;
  const tokensOf = tokenizerOf(config);
  return { field, examplesMax, partition, stopsOnWarn, ...(tokensOf === null ? {} : { tokensOf }) };
}

function tokenizerOf({ filters, analyzer }: CategorizationConfig): ((line: string) => readonly string[]) | null {
  if (analyzer !== null) {
    const own = analyzerOf(analyzer);
    return (line) => {
      const { terms, count } = own.analyze(line.slice(0, LINE_MAX));
      return terms.slice(0, Math.min(count, TOKENS_MAX));
    };
  }
  if (filters.length === 0) return null;
  const patterns = filters.map((filter) => compileRegex(filter, ''));
  return (line) =>
    fixedTokens(patterns.reduce((rest, pattern) => pattern.replace(rest, '', true), line.slice(0, LINE_MAX)));
}

/** Applies the changes of an update: which lines are parted at all stays as it is. */
export function updatedCategorization(analysis: JsonObject, changes: JsonObject): JsonObject {
  const next: Record<string, unknown> = {};
  if (changes['categorization_filters'] !== undefined)
    next['categorization_filters'] = changes['categorization_filters'];
  const given = changes['per_partition_categorization'];
  if (given === undefined) return next as JsonObject;
  const known = analysis['per_partition_categorization'];
  const isEnabled = isPlainObject(known) && known['enabled'] === true;
  if (isPlainObject(given) && given['enabled'] !== undefined && given['enabled'] !== isEnabled)
    throw errors.illegalArgument('[per_partition_categorization.enabled] cannot be updated');
  next['per_partition_categorization'] = isPlainObject(given) ? { enabled: isEnabled, ...given } : given;
  return next as JsonObject;
}
