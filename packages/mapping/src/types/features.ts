import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import { booleanParameter, javaText, meta, nullValueParameter } from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, refuseRange } from './definition.js';
import { decimalNumberFormat } from './number-format.js';
import { parseDouble } from './number-text.js';

/** Smallest normal number of binary32, the smallest value of a feature. */
const SMALLEST_FEATURE = 1.17549435e-38;

/** Rounds to nine bits of fraction, as Lucene's FeatureField. */
function roundFeature(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  view.setUint32(0, (view.getUint32(0) >>> 15) << 15);
  return view.getFloat32(0);
}

/** Whether a smaller value of the field scores higher: its inverse is kept. */
const isNegative = (config: FieldConfig): boolean => config.value('positive_score_impact') === false;

function readFeature(field: string, value: unknown, isInverted: boolean): number {
  const given = typeof value === 'number' ? value : parseDouble(javaText(value));
  const number = isInverted ? Math.fround(1 / Math.fround(given)) : given;
  if (number >= SMALLEST_FEATURE && Number.isFinite(number)) return roundFeature(number);
  const shown = number > 0 ? 'finite' : 'a positive normal float';
  throw errors.illegalArgument(
    `featureValue must be ${shown}, got: ${number} for feature ${field} on field _feature which is less than the ` +
      'minimum positive normal float: 1.17549435E-38',
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
      if (given !== null) sink.addNumber(layout, readFeature(config.name, given, isNegative(config)));
    };
    return featureField(config, parse, layout);
  },
};

/** Returns the layouts of features by name; each is created once. */
function featureLayouts(config: FieldConfig): (feature: string) => FieldLayout {
  const layouts = new Map<string, FieldLayout>();
  return (feature) => {
    let layout = layouts.get(feature);
    if (!layout) {
      layout = valueLayout(`${config.name}.${feature}`);
      layouts.set(feature, layout);
    }
    return layout;
  };
}

function keyedFeatures(config: FieldConfig): FieldType {
  const layoutOf = featureLayouts(config);
  const parse = (value: unknown, sink: DocumentSink): void => {
    if (value === null) return;
    if (config.typeName === 'sparse_vector') sink.markPresent(config.name);
    if (!isPlainObject(value)) {
      throw errors.illegalArgument(
        `[${config.typeName}] fields must be json objects, expected a START_OBJECT but got: ${simpleTokenName(value)}`,
      );
    }
    for (const [feature, weight] of Object.entries(value)) {
      if (feature.includes('.'))
        throw errors.illegalArgument(
          `[${config.typeName}] fields do not support dots in feature names but found [${feature}]`,
        );
      if (weight !== null) sink.addNumber(layoutOf(feature), readFeature(feature, weight, isNegative(config)));
    }
  };
  const field = featureField(config, parse, null);
  return {
    ...field,
    isSearchable: true,
    keyed: (feature) => ({
      ...featureField({ ...config, name: `${config.name}.${feature}` }, parse, layoutOf(feature)),
    }),
  };
}

/** `rank_features`: numbers by name, each a field of its own below this one. */
export const rankFeatures: FieldTypeDefinition = {
  name: 'rank_features',
  parameters: [booleanParameter('positive_score_impact', true), meta],
  create: keyedFeatures,
};

/** `sparse_vector`: weights by token. */
export const sparseVector: FieldTypeDefinition = {
  name: 'sparse_vector',
  parameters: [meta],
  create: keyedFeatures,
};
