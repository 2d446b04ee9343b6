import { withCapabilities } from '../field-capabilities.js';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { featureOfFrequency, formatFloat, frequencyOfFeature } from '@shoal/values';
import { faultAt, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import { booleanParameter, javaText, meta, nullValueParameter } from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, refuseRange } from './definition.js';
import { checkTermLength, isImmense } from './keyword.js';
import { decimalNumberFormat } from './number-format.js';
import { parseDouble } from './number-text.js';

/** Smallest normal number of binary32, the smallest value of a feature. */
const SMALLEST_FEATURE = Math.fround(1.17549435e-38);
/** Largest number of binary32. Earlier builds took greater ones, and documents of theirs have it instead. */
const LARGEST_FEATURE = 2 ** 128 - 2 ** 104;

/** Whether a smaller value of the field scores higher: its inverse is kept. */
const isNegative = (config: FieldConfig): boolean => config.value('positive_score_impact') === false;

/** Returns the frequency that stands for the value of a feature. */
function readFrequency(feature: string, field: string, value: number, isInverted: boolean, isLogged: boolean): number {
  const taken = isLogged && Number.isFinite(value) ? Math.min(value, LARGEST_FEATURE) : value;
  const number = Math.fround(isInverted ? 1 / Math.fround(value) : taken);
  if (!Number.isFinite(number))
    throw errors.illegalArgument(
      `featureValue must be finite, got: ${formatFloat(number)} for feature ${feature} on field ${field}`,
    );
  if (number >= SMALLEST_FEATURE) return frequencyOfFeature(number);
  throw errors.illegalArgument(
    `featureValue must be a positive normal float, got: ${formatFloat(number)} for feature ${feature} on field ` +
      `${field} which is less than the minimum positive normal float: ${formatFloat(SMALLEST_FEATURE)}`,
  );
}

function valueLayout(name: string): FieldLayout {
  return { name, terms: null, column: 'double', points: true };
}

function refuseTerm(config: FieldConfig): never {
  throw errors.illegalArgument(`Queries on [${config.typeName}] fields are not supported`);
}

function featureField(config: FieldConfig, parse: FieldType['parse'], layout: FieldLayout | null): FieldType {
  return fieldType(config, {
    layout,
    valueKind: 'double',
    isAggregatable: false,
    parse,
    termQuery: () => refuseTerm(config),
    rangeQuery: () => refuseRange(config),
    format: (format) => decimalNumberFormat(format),
    fetchValue: (value) => value,
  });
}

/** `rank_feature`: one positive number that raises scores. */
export const rankFeature: FieldTypeDefinition = {
  name: 'rank_feature',
  parameters: [
    booleanParameter('positive_score_impact', true),
    nullValueParameter((value) => parseDouble(javaText(value))),
    meta,
  ],
  create(config) {
    const layout = valueLayout(config.name);
    const nullValue = config.value('null_value');
    const parse = (value: unknown, sink: DocumentSink): void => {
      const given = value ?? nullValue;
      if (given === null) return;
      const number = typeof given === 'number' ? given : parseDouble(javaText(given));
      const frequency = readFrequency(config.name, '_feature', number, isNegative(config), sink.isLogged);
      sink.addNumber(layout, featureOfFrequency(frequency));
    };
    return featureField(config, parse, layout);
  },
};

/** What 8.12 calls a feature of the type. */
const FEATURE_NAMES: Readonly<Record<string, string>> = { rank_features: 'rank feature', sparse_vector: 'feature' };

function readWeight(config: FieldConfig, feature: string, value: unknown, isLogged: boolean): number {
  if (typeof value !== 'number' && typeof value !== 'string')
    throw errors.illegalArgument(
      `[${config.typeName}] fields take hashes that map a feature to a strictly positive float, but got unexpected ` +
        `token ${simpleTokenName(value)}`,
    );
  const number = typeof value === 'number' ? value : parseDouble(value);
  return readFrequency(feature, config.name, number, isNegative(config), isLogged);
}

function parseWeights(config: FieldConfig, layout: FieldLayout, value: unknown, sink: DocumentSink): void {
  const { typeName, name } = config;
  // An earlier build took nulls, features that several objects have, and names that are too long for a term.
  if (value === null && sink.isLogged) return;
  if (!isPlainObject(value))
    throw errors.illegalArgument(
      `[${typeName}] fields must be json objects, expected a START_OBJECT but got: ${simpleTokenName(value)}`,
    );
  const weights = Object.entries(value).filter(
    ([feature, weight]) => weight !== null && !(sink.isLogged && isImmense(feature)),
  );
  if (weights.length === 0) sink.markPresent(name);
  for (const [feature, weight] of weights) {
    if (feature.includes('.'))
      throw faultAt(
        { container: value, key: feature, at: 'key' },
        errors.illegalArgument(`[${typeName}] fields do not support dots in feature names but found [${feature}]`),
      );
    const isNew = located(value, feature, () => {
      const frequency = readWeight(config, feature, weight, sink.isLogged);
      checkTermLength(name, feature);
      return sink.addWeight(layout, feature, frequency);
    });
    if (!isNew && !sink.isLogged) throw faultAt({ container: value, key: feature }, isRepeated(config, feature));
  }
}

const isRepeated = ({ typeName, name }: FieldConfig, feature: string): ApiError =>
  errors.illegalArgument(
    `[${typeName}] fields do not support indexing multiple values for the same ${FEATURE_NAMES[typeName]} ` +
      `[${name}.${feature}] in the same document`,
  );

/** Runs `read`, whose errors are of one feature. */
function located<T>(container: object, key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isApiError(error) ? faultAt({ container, key }, error) : error;
  }
}

/**
 * A field of features: terms whose frequencies stand for the weights, as of Lucene's FeatureField. Blocks of postings
 * know their greatest frequencies, so that searches for the best documents pass over blocks.
 */
function keyedFeatures(config: FieldConfig): FieldType {
  const layout: FieldLayout = {
    name: config.name,
    terms: { freqs: true, positions: false, norms: false },
    column: null,
    points: false,
  };
  const parse = (value: unknown, sink: DocumentSink): void => parseWeights(config, layout, value, sink);
  return {
    ...featureField(config, parse, layout),
    isSearchable: true,
    termQuery: (value) =>
      config.typeName === 'sparse_vector' ? { kind: 'term', term: javaText(value) } : refuseTerm(config),
    keyed: (feature) => featureField({ ...config, name: `${config.name}.${feature}` }, parse, null),
  };
}

/** `rank_features`: weights by name. */
export const rankFeatures: FieldTypeDefinition = {
  name: 'rank_features',
  capabilities: withCapabilities({ vectors: 'sparse' }),
  parameters: [booleanParameter('positive_score_impact', true), meta],
  create: keyedFeatures,
  faultStyle: 'cause',
};

/** `sparse_vector`: weights by token. */
export const sparseVector: FieldTypeDefinition = {
  name: 'sparse_vector',
  capabilities: withCapabilities({ vectors: 'sparse' }),
  parameters: [meta],
  create: keyedFeatures,
  faultStyle: 'cause',
};
