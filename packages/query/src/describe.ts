import type { FieldType, Mapping, ValueQuery } from '@shoal/mapping';
import { decodeLat, decodeLon, encodeLat, encodeLon, formatDouble, formatIp } from '@shoal/values';
import type { PlanOf } from './execute/plan-of.js';
import type { GeoArea, Plan, TermMatch } from './plan.js';

/** What describing may look at: field types give bounds and addresses their text. */
export interface DescribeOptions {
  readonly mapping?: Mapping;
  /** True names both ways in which a range may run, as `_validate/query` does; false the one that explanations name. */
  readonly bothWays?: boolean;
}

/** A plan in Lucene's notation, as `_validate/query?explain`, profiles and explanations show queries. */
export function describePlan(plan: Plan, options: DescribeOptions = {}): string {
  if (plan.kind === 'named') return describePlan(plan.plan, options);
  const text = plain(plan, options);
  const boost = 'boost' in plan ? plan.boost : 1;
  if (boost === 1) return text;
  return isCompound(plan, options) ? `(${text})^${formatFloat(boost)}` : `${text}^${formatFloat(boost)}`;
}

/**
 * The query of a whole search as `_validate/query?explain` shows it: in an index with nested objects, queries that
 * might match those are kept to root documents.
 */
export function describeQuery(plan: Plan, mapping: Mapping): string {
  const text = describePlan(plan, { mapping, bothWays: true });
  if (!mapping.hasNested || !mayMatchNested(plan, mapping)) return text;
  const isClauses = plan.kind === 'bool' && plan.boost === 1;
  return `+${isClauses ? `(${text})` : text} #FieldExistsQuery [field=_primary_term]`;
}

function mayMatchNested(plan: Plan, mapping: Mapping): boolean {
  switch (plan.kind) {
    case 'none':
    case 'nested':
      return false;
    case 'constant':
    case 'named':
      return mayMatchNested(plan.plan, mapping);
    case 'value':
      if (plan.query.kind === 'terms' && mapping.field(plan.field)?.valueKind !== 'ip') return true;
      return plan.field.startsWith('_') || mapping.nestedParent(plan.field) !== null;
    case 'geo':
      return plan.area.kind !== 'box' || mapping.nestedParent(plan.field) !== null;
    case 'term':
    case 'terms':
      return plan.field.startsWith('_') || mapping.nestedParent(plan.field) !== null;
    case 'bool': {
      const required = [...plan.must, ...plan.filter];
      const check = (one: Plan): boolean => mayMatchNested(one, mapping);
      return required.length > 0 ? required.every(check) : plan.should.some(check);
    }
    default:
      return true;
  }
}

/** A float as Java prints it. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : value < 0 ? '-Infinity' : 'NaN';
  for (let digits = 1; digits < 17; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return formatDouble(short);
  }
  return formatDouble(value);
}

function isCompound(plan: Plan, options: DescribeOptions): boolean {
  if (plan.kind === 'term' || plan.kind === 'phrase' || plan.kind === 'terms' || plan.kind === 'numbers')
    return options.bothWays === true && plan.kind !== 'phrase';
  return options.bothWays === true || plan.kind === 'bool' || plan.kind === 'disMax';
}

type Described = Exclude<Plan, { kind: 'named' }>;

function plain(plan: Described, options: DescribeOptions): string {
  switch (plan.kind) {
    case 'all':
      return '*:*';
    case 'none':
      return `MatchNoDocsQuery("${plan.reason}")`;
    case 'term':
      return isAddress(plan, options)
        ? `${plan.field}:[${formatIp(plan.term)} TO ${formatIp(plan.term)}]`
        : `${plan.field}:${plan.term}`;
    case 'synonym':
      return `Synonym(${plan.terms.map((term) => `${plan.field}:${term}`).join(' ')})`;
    case 'terms':
      return `${plan.field}:(${[...plan.terms].sort().join(' ')})`;
    case 'numbers':
      return plan.values.length === 1
        ? `${plan.field}:[${plan.values[0]} TO ${plan.values[0]}]`
        : `${plan.field}:{${[...plan.values].join(' ')}}`;
    case 'phrase':
      return describePhrase(plan);
    case 'multiTerm':
      return `${plan.field}:${describeMatch(plan.match)}`;
    case 'value':
      return describeValue(plan.field, plan.query, options);
    case 'exists':
      return `FieldExistsQuery [field=${plan.field}]`;
    case 'ids':
      return `_id:(${plan.ids.join(' ')})`;
    case 'geo':
      return describeGeo(plan.field, plan.area, options);
    default:
      return compound(plan, options);
  }
}

type Compound = Exclude<
  Described,
  PlanOf<
    | 'all'
    | 'none'
    | 'term'
    | 'synonym'
    | 'terms'
    | 'numbers'
    | 'phrase'
    | 'multiTerm'
    | 'value'
    | 'exists'
    | 'ids'
    | 'geo'
  >
>;

function compound(plan: Compound, options: DescribeOptions): string {
  const inner = (one: Plan): string => describePlan(one, options);
  switch (plan.kind) {
    case 'bool':
      return describeBool(plan, options);
    case 'disMax':
      return describeDisMax(plan, options);
    case 'constant':
      return isUnscored(plan.plan) || isAddress(plan.plan, options)
        ? inner(plan.plan)
        : `ConstantScore(${inner(plan.plan)})`;
    case 'boosting':
      return (
        `FunctionScoreQuery(${inner(plan.positive)}, scored by ` +
        `boost(queryboost(score(${inner(plan.negative)}))^${formatFloat(plan.negativeBoost)}))`
      );
    case 'functionScore':
      return (
        `function score (${inner(plan.plan)}, functions: ` +
        `[${plan.functions.map(({ filter }) => `{filter(${filter === null ? '*:*' : inner(filter)})}`).join('')}])`
      );
    case 'nested':
      return `ToParentBlockJoinQuery (${inner(plan.plan)})`;
    case 'covering':
      return (
        `CoveringQuery(queries=[${plan.plans.map(inner).join(', ')}], ` +
        `minimumNumberMatch=long(${plan.minimumField}))`
      );
    case 'distanceFeature':
      return `LongDistanceFeatureQuery(field=${plan.field},origin=${String(plan.origin)},pivotDistance=${plan.pivot})`;
    case 'slice':
      return `SliceQuery[id=${plan.id}, max=${plan.max}]`;
    case 'combined':
      return `CombinedFieldQuery((${plan.fields.map(({ field, weight }) => (weight === 1 ? field : `${field}^${formatFloat(weight)}`)).join(' ')})(${plan.terms.join(', ')}))`;
    case 'intervals':
    case 'span':
      return `${plan.kind}(${plan.field})`;
  }
}

function isAddress(plan: Plan, { mapping }: DescribeOptions): boolean {
  return plan.kind === 'term' && mapping?.field(plan.field)?.valueKind === 'ip';
}

/**
 * Plans that score a constant by themselves in Lucene, so that nothing needs to say so. `exists` has the words in its
 * own name.
 */
function isUnscored(plan: Plan): boolean {
  return (
    ['value', 'numbers', 'multiTerm', 'ids', 'geo', 'all', 'none', 'terms'].includes(plan.kind) && plan.kind !== 'terms'
  );
}

function describeBool(plan: PlanOf<'bool'>, options: DescribeOptions): string {
  const part = (prefix: string) => (one: Plan) => prefix + clause(one, options);
  const clauses = [
    ...plan.must.map(part('+')),
    ...plan.mustNot.map(part('-')),
    ...plan.should.map(part('')),
    ...plan.filter.map(part('#')),
  ];
  const minimum = plan.minimumShouldMatch;
  const implied = plan.must.length + plan.filter.length === 0 && minimum === 1;
  return minimum === 0 || implied ? clauses.join(' ') : `(${clauses.join(' ')})~${minimum}`;
}

function clause(plan: Plan, options: DescribeOptions): string {
  const bare = plan.kind === 'named' ? plan.plan : plan;
  const text = describePlan(plan, options);
  return bare.kind === 'bool' && bare.boost === 1 ? `(${text})` : text;
}

/** Clauses of several words stand in parentheses; terms whose frequencies were blended are named as such. */
function describeDisMax({ plans, tieBreaker }: PlanOf<'disMax'>, options: DescribeOptions): string {
  const blended = plans.filter((plan) => plan.kind === 'term' && plan.docFreq !== undefined) as PlanOf<'term'>[];
  if (blended.length > 1 && blended.length === plans.length) {
    return `blended(terms:[${blended.map(({ field, term, boost }) => `${field}:${term}${boost === 1 ? '' : `^${formatFloat(boost)}`}`).join(', ')}])`;
  }
  const clauses = plans.map((plan) =>
    plan.kind === 'bool' && plan.boost === 1 ? `(${describePlan(plan, options)})` : describePlan(plan, options),
  );
  return `(${clauses.join(' | ')})${tieBreaker === 0 ? '' : `~${formatFloat(tieBreaker)}`}`;
}

function describePhrase({ field, terms, slop, prefixLast }: PlanOf<'phrase'>): string {
  let position = 0;
  const words: string[] = [];
  terms.forEach((place, i) => {
    for (; position < place.position; position++) words.push('?');
    position++;
    const word = place.terms.length === 1 ? place.terms[0]! : `(${place.terms.join(' ')})`;
    words.push(prefixLast && i === terms.length - 1 ? `${word}*` : word);
  });
  return `${field}:"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`;
}

function describeMatch(match: TermMatch): string {
  switch (match.kind) {
    case 'prefix':
      return `${match.prefix}*`;
    case 'wildcard':
      return match.pattern;
    case 'regexp':
      return `/${match.pattern}/`;
    case 'fuzzy':
      return `${match.term}~${match.maxEdits}`;
  }
}

function describeValue(field: string, query: ValueQuery, options: DescribeOptions): string {
  if (query.kind === 'none') return 'MatchNoDocsQuery("")';
  if (query.kind === 'term') return `${field}:${query.term}`;
  if (query.kind === 'dictionary') return `${field}:${query.text}`;
  const type = options.mapping?.field(field) ?? null;
  if (query.kind === 'terms') return describeTermRange(field, query, type);
  const [low, high] = numberBounds(query.low, query.high, type);
  const text = `${field}:[${low} TO ${high}]`;
  return options.bothWays !== true || low === high
    ? text
    : `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${text})`;
}

const INTEGER_BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  integer: ['-2147483648', '2147483647'],
  short: ['-32768', '32767'],
  byte: ['-128', '127'],
};
const LONG_BOUNDS = ['-9223372036854775808', '9223372036854775807'] as const;

function numberBounds(low: number | bigint, high: number | bigint, type: FieldType | null): [string, string] {
  const isDouble = type?.layout?.column === 'double';
  const [least, most] = isDouble ? ['-Infinity', 'Infinity'] : (INTEGER_BOUNDS[type?.typeName ?? ''] ?? LONG_BOUNDS);
  const text = (value: number | bigint): string =>
    typeof value === 'number' && isDouble ? formatDouble(value) : String(value);
  return [low === -Infinity ? least : text(low), high === Infinity ? most : text(high)];
}

function describeTermRange(
  field: string,
  query: Extract<ValueQuery, { kind: 'terms' }>,
  type: FieldType | null,
): string {
  const text = (term: string | null): string =>
    term === null ? '*' : type?.valueKind === 'ip' ? formatIp(term) : term;
  return `${field}:${query.includeLow && query.low !== null ? '[' : '{'}${text(query.low)} TO ${text(query.high)}${query.includeHigh && query.high !== null ? ']' : '}'}`;
}

function describeGeo(field: string, area: GeoArea, options: DescribeOptions): string {
  const lat = (value: number): string => formatDouble(decodeLat(encodeLat(value)));
  const lon = (value: number): string => formatDouble(decodeLon(encodeLon(value)));
  if (area.kind === 'distance')
    return `${field}:${lat(area.lat)},${lon(area.lon)} +/- ${formatDouble(area.meters)} meters`;
  if (area.kind === 'box') {
    const text =
      `${field}:box(minLat=${lat(area.bottom)}, maxLat=${lat(area.top)}, minLon=${lon(area.left)}, ` +
      `maxLon=${lon(area.right)})`;
    const points = `${field}:[${lat(area.bottom)} TO ${lat(area.top)}],[${lon(area.left)} TO ${lon(area.right)}]`;
    return options.bothWays === true ? `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${text})` : text;
  }
  return `${field}:INTERSECTS:geometries([Polygon${area.points.map(([y, x]) => `[${x}, ${y}]`).join('')}])`;
}
