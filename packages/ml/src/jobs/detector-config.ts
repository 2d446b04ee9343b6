import { errors } from '@shoal/errors';
import { type BodyReader, bodyReader, type JsonObject } from '@shoal/json';
import { CATEGORY_FIELD, type DetectorRule, type DetectorSpec, functionOf, type RuleCondition } from '@shoal/learning';

/** A detector of a job's configuration. */
export interface DetectorConfig {
  /** The function as it was named. */
  readonly functionName: string;
  readonly spec: DetectorSpec;
  readonly json: JsonObject;
  /** Filters that its rules name. */
  readonly filters: readonly string[];
}

const KEYS = [
  'detector_description',
  'function',
  'field_name',
  'by_field_name',
  'over_field_name',
  'partition_field_name',
  'use_null',
  'exclude_frequent',
  'custom_rules',
  'detector_index',
];
const FREQUENT = ['none', 'all', 'by', 'over'];
const FORBIDDEN = /["\\]/;
const OPERATORS = ['gt', 'gte', 'lt', 'lte'];
const APPLIES = ['actual', 'typical', 'diff_from_typical', 'time'];
const ACTIONS = ['skip_result', 'skip_model_update'];
const RULES_MAX = 100;

/** Items of a filter by its id. */
export type FilterItems = (id: string) => ReadonlySet<string>;

function fieldName(reader: BodyReader, key: string): string | null {
  const name = reader.optionalText(key);
  if (name === null || name === '') return null;
  if (FORBIDDEN.test(name))
    throw errors.illegalArgument(
      `Invalid field name '${name}'. Field names including over, by and partition fields cannot contain any of these ` +
        'characters: ",\\',
    );
  if (name === 'count' && key !== 'field_name')
    throw errors.illegalArgument(`'count' is not a permitted value for ${key}`);
  if (name === 'by' || name === 'over') throw errors.illegalArgument(`'${name}' is not a permitted value for ${key}`);
  return name;
}

/** Parses a detector. Throws the errors of 8.12. `items` resolves the filters of rules. */
export function parseDetector(body: unknown, index: number, items: FilterItems): DetectorConfig {
  const reader = bodyReader('detector', body);
  reader.onlyKeys(KEYS);
  const name = (reader.optionalText('function') ?? 'metric').toLowerCase();
  const made = functionOf(name);
  if (made === null) throw errors.illegalArgument(`Unknown function '${name}'`);
  const field = fieldName(reader, 'field_name');
  const by = fieldName(reader, 'by_field_name');
  const over = fieldName(reader, 'over_field_name');
  const partition = fieldName(reader, 'partition_field_name');
  checkFields(name, made.field, { field, by, over, partition });
  const frequent = (reader.optionalText('exclude_frequent') ?? 'none').toLowerCase();
  if (!FREQUENT.includes(frequent)) throw errors.illegalArgument(`Unknown exclude frequent '${frequent}'`);
  const splits = [by, over, partition].filter((one) => one !== null);
  const rules = parseRules(reader.optionalList('custom_rules') ?? [], splits, items);
  const useNull = reader.optionalBoolean('use_null') ?? false;
  const spec: DetectorSpec = {
    ...{ function: made, field, by, over, partition, useNull, rules: rules.rules },
    excludeFrequent: frequent as DetectorSpec['excludeFrequent'],
  };
  const description = reader.optionalText('detector_description') || describe(name, spec);
  const named = (key: string, value: string | null): JsonObject => (value === null ? {} : { [key]: value });
  const json: JsonObject = {
    ...{ detector_description: description, function: name },
    ...named('field_name', field),
    ...named('by_field_name', by),
    ...named('over_field_name', over),
    ...named('partition_field_name', partition),
    ...(useNull ? { use_null: true } : {}),
    ...(frequent === 'none' ? {} : { exclude_frequent: frequent }),
    ...(rules.rules.length === 0 ? {} : { custom_rules: reader.optionalList('custom_rules') }),
    detector_index: index,
  };
  return { functionName: name, spec, json, filters: rules.filters };
}

interface DetectorFields {
  readonly field: string | null;
  readonly by: string | null;
  readonly over: string | null;
  readonly partition: string | null;
}

const POPULATION_ONLY = new Set(['freq_rare']);
const NO_OVER = new Set(['non_zero_count', 'low_non_zero_count', 'high_non_zero_count']);

function checkFields(name: string, needs: 'required' | 'none', { field, by, over, partition }: DetectorFields): void {
  if (needs === 'required' && field === null)
    throw errors.illegalArgument(`field_name must be set when the '${name}' function is used`);
  if (needs === 'none' && field !== null)
    throw errors.illegalArgument(`field_name cannot be used in function '${name}'`);
  if ((name === 'rare' || name === 'freq_rare') && by === null)
    throw errors.illegalArgument(`by_field_name must be set when the '${name}' function is used`);
  if (POPULATION_ONLY.has(name) && over === null)
    throw errors.illegalArgument(`over_field_name must be set when the '${name}' function is used`);
  if (NO_OVER.has(name) && over !== null)
    throw errors.illegalArgument(`over_field_name cannot be used in function '${name}'`);
  const splits = Object.entries({ by, over, partition }).filter(([, value]) => value !== null);
  splits.forEach(([key, value], i) => {
    const twin = splits.slice(0, i).find(([, other]) => other === value);
    if (twin !== undefined)
      throw errors.illegalArgument(`${key}_field_name and ${twin[0]}_field_name cannot be the same: '${value}'`);
  });
}

function describe(name: string, { field, by, over, partition, excludeFrequent }: DetectorSpec): string {
  const quoted = (text: string): string => (/[^\w.@]/.test(text) ? `"${text}"` : text);
  let text = field === null ? name : `${name}(${quoted(field)})`;
  if (by !== null) text += ` by ${quoted(by)}`;
  if (over !== null) text += ` over ${quoted(over)}`;
  if (partition !== null) text += ` partitionfield=${quoted(partition)}`;
  return excludeFrequent === 'none' ? text : `${text} excludefrequent=${excludeFrequent}`;
}

function parseRules(
  list: readonly unknown[],
  splits: readonly string[],
  items: FilterItems,
): { readonly rules: DetectorRule[]; readonly filters: string[] } {
  if (list.length > RULES_MAX) throw errors.illegalArgument(`[custom_rules] has more than [${RULES_MAX}] rules`);
  const filters: string[] = [];
  const rules = list.map((body): DetectorRule => {
    const reader = bodyReader('detection_rule', body);
    reader.onlyKeys(['actions', 'scope', 'conditions']);
    const actions = reader.texts('actions');
    const unknown = actions.find((action) => !ACTIONS.includes(action));
    if (unknown !== undefined) throw errors.illegalArgument(`Unknown rule action [${unknown}]`);
    const wanted = actions.length === 0 ? ['skip_result'] : actions;
    const scope = Object.entries(reader.optionalObject('scope') ?? {}).map(([field, given]) => {
      if (!splits.includes(field))
        throw errors.illegalArgument(
          splits.length === 0
            ? `Invalid detector rule: scope field '${field}' is invalid; detector has no available fields for scoping`
            : `Invalid detector rule: scope field '${field}' is invalid; select from [${splits.join(', ')}]`,
        );
      const one = bodyReader('filter_ref', given);
      const filter = one.text('filter_id');
      filters.push(filter);
      return { field, includes: (one.optionalText('filter_type') ?? 'include') === 'include', items: items(filter) };
    });
    const conditions = (reader.optionalList('conditions') ?? []).map(parseCondition);
    if (scope.length === 0 && conditions.length === 0)
      throw errors.illegalArgument('Invalid detector rule: at least scope or a condition is required');
    return {
      skipsResult: wanted.includes('skip_result'),
      skipsUpdate: wanted.includes('skip_model_update'),
      ...{ scope, conditions },
    };
  });
  return { rules, filters };
}

function parseCondition(body: unknown): RuleCondition {
  const reader = bodyReader('rule_condition', body);
  const appliesTo = reader.text('applies_to');
  const operator = reader.text('operator');
  const value = reader.optionalNumber('value');
  if (!APPLIES.includes(appliesTo)) throw errors.illegalArgument(`Unknown applies_to [${appliesTo}]`);
  if (!OPERATORS.includes(operator)) throw errors.illegalArgument(`Unknown condition operator [${operator}]`);
  if (value === null) throw errors.illegalArgument('Required [value]');
  return { appliesTo, operator, value } as RuleCondition;
}

/** Whether a detector splits by category of log lines. */
export const usesCategories = ({ spec }: DetectorConfig): boolean =>
  [spec.by, spec.over, spec.partition].includes(CATEGORY_FIELD);
