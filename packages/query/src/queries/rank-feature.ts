import type { JsonObject } from '@shoal/json';
import { isPlainObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { formatFloat } from '@shoal/values';
import type { FieldType } from '@shoal/mapping';
import {
  float,
  type OptionPlace,
  type Reader,
  readOptions,
  text,
  unknownField,
  unsupportedValue,
} from '../parse/options.js';
import { parseField } from '../parse/parse-field.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { FeatureFunction, Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';

/** Scores documents by the value of a `rank_feature` field or of one feature of a `rank_features` field. */
export const rankFeature: QueryType = { name: 'rank_feature', parse: (body) => parse(body as JsonObject) };

/** Name of the parser of this query, and of its functions, in errors. */
const PARSER = 'feature';

/** Reads an object of floats, of which `required` must be there. */
function floats(name: string, known: readonly string[], required: readonly string[]): Reader<Record<string, number>> {
  return (value, { container, key }: OptionPlace) => {
    if (!isPlainObject(value)) throw unsupportedValue(PARSER, String(key), container as JsonObject);
    return parseField(PARSER, container, name, () => {
      const found: Record<string, number> = {};
      for (const option of Object.keys(value)) {
        if (!known.includes(option)) throw unknownField(name, option, value, known);
        found[option] = parseField(name, value, option, () =>
          float(value[option], { type: name, container: value, key: option }),
        );
      }
      const missing = required.filter((option) => found[option] === undefined);
      if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
      return found;
    });
  };
}

const FUNCTIONS = {
  log: floats('log', ['scaling_factor'], ['scaling_factor']),
  saturation: floats('saturation', ['pivot'], []),
  sigmoid: floats('sigmoid', ['pivot', 'exponent'], ['pivot', 'exponent']),
  linear: floats('linear', [], []),
};

function parse(body: JsonObject): ParsedQuery {
  const options = readOptions(PARSER, body, { field: text, ...FUNCTIONS }, 'declared');
  const { field, boost, queryName } = options;
  if (field === undefined) throw errors.illegalArgument('Required [field]');
  const given = (['log', 'saturation', 'sigmoid', 'linear'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 1)
    throw errors.xContentParse(`Failed to build [${PARSER}] after last required field arrived`, {
      cause: errors.illegalArgument('Can only specify one of [log], [saturation], [sigmoid] and [linear]'),
    });
  const score = functionOf(given[0] ?? 'saturation', options[given[0] ?? 'saturation'] ?? {});
  return { type: 'rank_feature', boost, queryName, plan: (context) => plan(field, score, context) };
}

function functionOf(kind: FeatureFunction['kind'], options: Readonly<Record<string, number>>): FeatureFunction {
  const { pivot = null, exponent = 1, scaling_factor: scalingFactor = 1 } = options;
  if (kind === 'log') return { kind, scalingFactor };
  if (kind === 'sigmoid') return { kind, pivot: pivot ?? 1, exponent };
  return kind === 'linear' ? { kind } : { kind, pivot };
}

function plan(name: string, score: FeatureFunction, { searcher }: PlanContext): Plan {
  const type = searcher.mapping.field(name);
  if (type === null) return nonePlan('');
  if (type.typeName !== 'rank_feature' && !isOneOfFeatures(type, name))
    throw errors.illegalArgument(
      '[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not ' +
        `[${type.typeName}]`,
    );
  if (score.kind === 'log' && type.toJson(false)['positive_score_impact'] === false)
    throw errors.illegalArgument(
      'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
    );
  checkFunction(score);
  const dot = name.lastIndexOf('.');
  const of = type.typeName === 'rank_feature' ? ['_feature', type.name] : [name.slice(0, dot), name.slice(dot + 1)];
  return { kind: 'rankFeature', field: type.name, of: of as [string, string], score, boost: 1 };
}

/** Whether a field is a feature, and not the field of all features. */
const isOneOfFeatures = (type: FieldType, name: string): boolean =>
  type.typeName === 'rank_features' && type.keyed === undefined && name.includes('.');

function checkFunction(score: FeatureFunction): void {
  if (score.kind === 'log' && !(score.scalingFactor >= 1))
    throw errors.illegalArgument(`scalingFactor must be >= 1, got: ${formatFloat(score.scalingFactor)}`);
  if ((score.kind === 'saturation' || score.kind === 'sigmoid') && score.pivot !== null && !(score.pivot > 0))
    throw errors.illegalArgument(`pivot must be > 0, got: ${formatFloat(score.pivot)}`);
  if (score.kind === 'sigmoid' && !(score.exponent > 0))
    throw errors.illegalArgument(`exp must be > 0, got: ${formatFloat(score.exponent)}`);
}
