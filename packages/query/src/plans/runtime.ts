import type { PlanOf } from '../execute/plan-of.js';
import type { WeightContext } from '../execute/weight-context.js';
import { runtimeWeight } from '../execute/weights/runtime.js';
import type { RuntimeLeaf } from '../plan.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation } from './explanation-tree.js';
import { describeGeo } from './geo.js';
import type { DescribeContext, PlanKind } from './plan-kind.js';
import { describeValue } from './value.js';

/** Names of Lucene-like queries for `exists`, by type of runtime field. */
const EXISTS_NAMES: Readonly<Record<string, string>> = {
  boolean: 'BooleanScriptFieldExistsQuery',
  date: 'LongScriptFieldExistsQuery',
  double: 'DoubleScriptFieldExistsQuery',
  geo_point: 'GeoPointScriptFieldExistsQuery',
  ip: 'IpScriptFieldExistsQuery',
  keyword: 'StringScriptFieldExistsQuery',
  long: 'LongScriptFieldExistsQuery',
};

function describeLeaf(plan: RuntimeLeaf, context: DescribeContext): string {
  const { field } = plan;
  const type = context.mapping?.field(field) ?? null;
  if (plan.kind === 'exists') return `${field}:${EXISTS_NAMES[type?.typeName ?? ''] ?? 'ExistsQuery'}`;
  if (plan.kind === 'terms' && plan.terms.length === 1) return `${field}:${shown(plan.terms[0]!, context, field)}`;
  if (plan.kind === 'terms') return `${field}:[${plan.terms.map((term) => shown(term, context, field)).join(', ')}]`;
  if (plan.kind === 'numbers') return `${field}:${numbersText(plan.values, type?.valueKind)}`;
  const isNumber = plan.kind === 'value' && plan.query.kind === 'number';
  if (isNumber && plan.query.low === plan.query.high) return `${field}:${numberText(plan.query.low, type?.valueKind)}`;
  const options = { ...context, bothWays: false };
  if (plan.kind === 'value') return describeValue(field, plan.query, options);
  return plan.kind === 'geo' ? describeGeo(field, plan.area, options) : context.text(plan);
}

function shown(term: string, { mapping }: DescribeContext, field: string): string {
  return String(mapping?.field(field)?.format(null, null).toJson(term) ?? term);
}

const numberText = (value: number | bigint, kind: string | undefined): string =>
  kind === 'boolean' ? String(Number(value) !== 0) : String(value);

function numbersText(values: readonly (number | bigint)[], kind: string | undefined): string {
  const texts = values.map((value) => numberText(value, kind));
  return kind === 'boolean' && texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

function explainRuntime(plan: PlanOf<'runtime'>, context: WeightContext, place: ExplainPlace): Explanation {
  const whole = explainAsWhole(plan, context, place);
  if (!whole.match) return whole;
  return explanation(whole.value, place.describe(plan), [
    explanation(whole.value, 'boost * runtime_field_score', [
      explanation(whole.value, 'boost'),
      explanation(1, 'runtime_field_score is always 1'),
    ]),
  ]);
}

/** A condition on the values of a runtime field. */
export const runtimeKind: PlanKind<PlanOf<'runtime'>> = {
  luceneName: 'ScriptFieldQuery',
  weight: runtimeWeight,
  describe: ({ plan }, context) => describeLeaf(plan, context),
  scoresConstant: true,
  explain: explainRuntime,
  matching: ({ plan }, inner) => inner(plan),
  highlightedParts: ({ plan }) => [plan],
};
