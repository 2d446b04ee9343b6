import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { expandTerms } from '../execute/dictionary/expand-terms.js';
import { completionTermPlan, isCompletion } from '../full-text/completion-plan.js';
import { isTextField } from '../full-text/text-field.js';
import { type SpanTree, spanText } from '../execute/positions/span-tree.js';
import { any, boolean, type CommonOptions, int, readFieldClause, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { patternText } from '../plans/pattern-text.js';
import { nonePlan, planQuery } from '../plan-query.js';

/** A parsed span query, which can also be planned as a span tree inside another one. */
interface SpanQuery extends ParsedQuery {
  /** Returns the tree and its field, or null if nothing can match. */
  tree(context: PlanContext): { readonly field: string; readonly tree: SpanTree } | null;
}

function spanQuery(type: string, { boost, queryName }: CommonOptions, tree: SpanQuery['tree']): SpanQuery {
  const plan = (context: PlanContext): Plan => {
    const found = tree(context);
    return found ? { kind: 'span', field: found.field, tree: found.tree, boost: 1 } : nonePlan(`no terms of [${type}]`);
  };
  return { type, boost, queryName, plan, tree };
}

const isSpan = (query: ParsedQuery): query is SpanQuery => 'tree' in query;

/** Parses an inner span query. Throws for queries of other types and for boosts. */
function inner(type: string, key: string, value: unknown, context: QueryContext): SpanQuery {
  const query = context.parseQuery(value);
  if (!isSpan(query))
    throw errors.parsing(`${type} [${key}] must be of type span query`, {
      location: { container: value as object, at: 'end' },
    });
  if (query.boost !== 1)
    throw errors.parsing(
      `${type} [${key}] as a nested span clause can't have non-default boost value [${query.boost.toFixed(1)}]`,
      { location: { container: value as object, at: 'end' } },
    );
  return query;
}

function clauseList(type: string, value: unknown, container: JsonObject, context: QueryContext): SpanQuery[] {
  if (!Array.isArray(value))
    throw errors.parsing(`[${type}] query does not support [clauses]`, { location: { container, key: 'clauses' } });
  return value.map((clause) =>
    isPlainObject(clause) && 'span_gap' in clause ? spanGap(clause) : inner(type, 'clauses', clause, context),
  );
}

function spanGap(clause: JsonObject): SpanQuery {
  const body = clause['span_gap'];
  const field = isPlainObject(body) ? Object.keys(body)[0] : undefined;
  if (!isPlainObject(body) || field === undefined)
    throw errors.illegalArgument(`Expected [FIELD_NAME] in [span_gap] but found [${tokenOf(body)}]`);
  const width = int(body[field], { type: 'span_gap', container: body, key: field });
  return spanQuery('span_gap', { boost: 1, queryName: null }, () => ({ field, tree: { kind: 'gap', width } }));
}

const differentFields = (): string => 'Clauses must have same field.';

/**
 * Returns the trees of clauses on one field, null if a clause cannot match. Throws when their fields differ, with
 * `problem` of the first that is on another field than the first clause.
 */
function treesOf(
  queries: readonly SpanQuery[],
  context: PlanContext,
  problem: (other: { readonly field: string; readonly tree: SpanTree }, field: string) => string = differentFields,
): { field: string; trees: SpanTree[] } | null {
  const found = queries.map((query) => query.tree(context));
  const first = found.find((one) => one !== null);
  if (!first) return null;
  const other = found.find((one) => one !== null && one.field !== first.field);
  if (other) throw errors.illegalArgument(problem(other, first.field));
  return { field: first.field, trees: found.map((one) => one?.tree ?? { kind: 'or', clauses: [] }) };
}

/** Spans of one term. */
export const spanTerm: QueryType = {
  name: 'span_term',
  parse: (body) => {
    refuseArray(body as JsonObject);
    const { field, options } = readFieldClause('span_term', body as JsonObject, 'value', { value: any, term: any });
    const value = options.value ?? options.term;
    if (value === undefined || value === null) throw errors.illegalArgument('value cannot be null');
    const spans = spanQuery('span_term', options, (planContext) => {
      const type = planContext.searcher.mapping.field(field);
      const term = type === null ? String(value) : spanTermOf(type, value, planContext);
      return { field: type?.name ?? field, tree: { kind: 'term', term } };
    });
    return {
      ...spans,
      plan(planContext) {
        const { searcher } = planContext;
        const type = searcher.mapping.field(field);
        return type !== null && isCompletion(type)
          ? completionTermPlan(type, spanTermOf(type, value, planContext), searcher)
          : spans.plan(planContext);
      },
    };
  },
};

/** Spans near each other. */
export const spanNear: QueryType = {
  name: 'span_near',
  parse: (body, container, context) => {
    const options = readOptions('span_near', body as JsonObject, {
      clauses: (value) => clauseList('span_near', value, body as JsonObject, context),
      slop: int,
      in_order: boolean,
    });
    const { clauses } = options;
    if (!clauses || clauses.length === 0)
      throw errors.parsing('span_near must include [clauses]', {
        location: { container, key: 'span_near', at: 'end' },
      });
    return spanQuery('span_near', options, (planContext) => {
      const found = treesOf(
        clauses,
        planContext,
        ({ field, tree }, own) => `Cannot add clause ${spanText(tree, field, true)} to SpanNearQuery for field ${own}`,
      );
      if (!found) return null;
      const { field, trees } = found;
      return {
        field,
        tree:
          trees.length === 1
            ? trees[0]!
            : { kind: 'near', clauses: trees, slop: options.slop ?? 0, inOrder: options.in_order ?? true },
      };
    });
  },
};

/** Spans of any of several queries. */
export const spanOr: QueryType = {
  name: 'span_or',
  parse: (body, container, context) => {
    const options = readOptions('span_or', body as JsonObject, {
      clauses: (value) => clauseList('span_or', value, body as JsonObject, context),
    });
    const { clauses } = options;
    if (!clauses || clauses.length === 0)
      throw errors.parsing('span_or must include [clauses]', { location: { container, key: 'span_or', at: 'end' } });
    return spanQuery('span_or', options, (planContext) => {
      const found = treesOf(clauses, planContext);
      return found && { field: found.field, tree: { kind: 'or', clauses: found.trees } };
    });
  },
};

/** Spans of one query that no span of another query overlaps or is near. */
export const spanNot: QueryType = {
  name: 'span_not',
  parse: (body, container, context) => {
    const json = body as JsonObject;
    const side =
      (key: string) =>
      (value: unknown): SpanQuery => {
        if (isPlainObject(value)) return inner('span_not', key, value, context);
        throw errors.parsing(`[span_not] query does not support [${key}]`, { location: { container: json, key } });
      };
    const options = readOptions('span_not', json, {
      include: side('include'),
      exclude: side('exclude'),
      dist: int,
      pre: int,
      post: int,
    });
    const { include, exclude, dist } = options;
    const fail = (reason: string): Error =>
      errors.parsing(reason, { location: { container, key: 'span_not', at: 'end' } });
    if (!include) throw fail('span_not must have [include] span query clause');
    if (!exclude) throw fail('span_not must have [exclude] span query clause');
    if (dist !== undefined && (options.pre !== undefined || options.post !== undefined))
      throw fail('span_not can either use [dist] or [pre] & [post] (or none)');
    return spanQuery('span_not', options, (planContext) => {
      const found = treesOf([include, exclude], planContext);
      if (!found) return null;
      const [kept, dropped] = found.trees as [SpanTree, SpanTree];
      return {
        field: found.field,
        tree: {
          kind: 'not',
          include: kept,
          exclude: dropped,
          pre: dist ?? options.pre ?? 0,
          post: dist ?? options.post ?? 0,
        },
      };
    });
  },
};

/** Spans that end within a number of positions from the beginning of the field. */
export const spanFirst: QueryType = {
  name: 'span_first',
  parse: (body, container, context) => {
    const options = readOptions('span_first', body as JsonObject, {
      match: (value) => inner('span_first', 'match', value, context),
      end: int,
    });
    const { match, end } = options;
    if (!match)
      throw errors.parsing('span_first must have [match] span query clause', {
        location: { container, key: 'span_first', at: 'end' },
      });
    if (end === undefined)
      throw errors.parsing('span_first must have [end] set for it', {
        location: { container, key: 'span_first', at: 'end' },
      });
    return spanQuery('span_first', options, (planContext) => {
      const found = match.tree(planContext);
      return found && { field: found.field, tree: { kind: 'first', match: found.tree, end } };
    });
  },
};

function containment(name: 'span_containing' | 'span_within'): QueryType {
  return {
    name,
    parse: (body, container, context) => {
      const json = body as JsonObject;
      const side =
        (key: string) =>
        (value: unknown): SpanQuery =>
          inner(name, key, value, context);
      const options = readOptions(name, json, { big: side('big'), little: side('little') });
      const { big, little } = options;
      if (!big || !little)
        throw errors.illegalArgument(`inner clause [${big ? 'little' : 'big'}] cannot be null.`, {
          location: { container, key: name },
        });
      return spanQuery(name, options, (planContext) => {
        const found = treesOf([big, little], planContext, () => 'big and little not same field');
        if (!found) return null;
        const [outer, within] = found.trees as [SpanTree, SpanTree];
        return {
          field: found.field,
          tree: { kind: name === 'span_within' ? 'within' : 'containing', big: outer, little: within },
        };
      });
    },
  };
}

/** Spans of `big` that contain a span of `little`. */
export const spanContaining = containment('span_containing');
/** Spans of `little` within a span of `big`. */
export const spanWithin = containment('span_within');

/** The same by its older name. */
export const fieldMaskingSpan: QueryType = {
  name: 'field_masking_span',
  parse: (body, _container, context) => spanFieldMasking.parse(body, { span_field_masking: body }, context),
};

/** Spans of one field, treated as spans of another field. */
export const spanFieldMasking: QueryType = {
  name: 'span_field_masking',
  parse: (body, container, context) => {
    const options = readOptions('span_field_masking', body as JsonObject, {
      query: (value) => inner('span_field_masking', 'query', value, context),
      field: text,
    });
    const { query, field } = options;
    if (!query)
      throw errors.parsing('span_field_masking must have [query] span query clause', {
        location: { container, key: 'span_field_masking', at: 'end' },
      });
    if (field === undefined)
      throw errors.parsing('span_field_masking must have [field] set for it', {
        location: { container, key: 'span_field_masking', at: 'end' },
      });
    return spanQuery('span_field_masking', options, (planContext) => {
      const found = query.tree(planContext);
      return (
        found && {
          field: planContext.searcher.mapping.field(field)?.name ?? field,
          tree: { kind: 'field', field: found.field, tree: found.tree },
        }
      );
    });
  },
};

/** Spans of any term of a prefix, wildcard, regexp, fuzzy or range query. */
export const spanMulti: QueryType = {
  name: 'span_multi',
  parse: (body, container, context) => {
    const options = readOptions('span_multi', body as JsonObject, { match: (value) => context.parseQuery(value) });
    const { match } = options;
    if (!match)
      throw errors.parsing('[span_multi] must have [match] multi term query clause', {
        location: { container, key: 'span_multi', at: 'end' },
      });
    if (!['prefix', 'wildcard', 'regexp', 'fuzzy', 'range'].includes(match.type)) {
      throw errors.parsing('[span_multi] [match] must be of type multi term query', {
        location: { container: (body as JsonObject)['match'] as object, at: 'end' },
      });
    }
    return spanQuery('span_multi', options, (planContext) => {
      if (match.type === 'prefix') requireSpanPrefix(prefixedField((body as JsonObject)['match']), planContext);
      const plan = planQuery(match, planContext);
      if (plan.kind === 'term') return { field: plan.field, tree: { kind: 'term', term: plan.term } };
      if (plan.kind !== 'multiTerm') return null;
      const terms = expandTerms(
        plan.field,
        plan.match,
        planContext.searcher,
        planContext.searcher.settings.maxClauseCount,
        match.type,
      );
      return {
        field: plan.field,
        tree: {
          kind: 'or',
          clauses: terms.map((term): SpanTree => ({ kind: 'term', term })),
          text: patternText(plan.match),
        },
      };
    });
  },
};

/** The field of `{prefix: {field: ...}}`, which was parsed before. */
function prefixedField(match: unknown): string {
  const clause = (match as JsonObject)['prefix'] as JsonObject;
  return Object.keys(clause).find((key) => key !== 'boost' && key !== '_name') ?? '';
}

function requireSpanPrefix(field: string, { searcher }: PlanContext): void {
  const type = searcher.mapping.field(field);
  if (type === null || isTextField(type)) return;
  throw errors.illegalArgument(
    `Can only use span prefix queries on text fields - not on [${type.name}] which is of type [${type.typeName}]`,
  );
}

/** Returns the term of a value in a field's index. Throws for fields whose values are no terms. */
function spanTermOf(type: FieldType, value: unknown, context: PlanContext): string {
  if (isTextField(type)) return String(value);
  if (type.layout?.terms === null && type.valueKind === 'keyword')
    throw errors.illegalArgument(`Cannot extract a term from a query on [${type.name}], which is not indexed`);
  const query = type.termQuery(value, context);
  if (query.kind === 'term' && type.runtime === undefined) return query.term;
  if (type.valueKind === 'boolean') return String(value);
  throw errors.illegalArgument(`Cannot extract a term from a query on [${type.name}] of type [${type.typeName}]`);
}

function refuseArray(body: JsonObject): void {
  const [field] = Object.keys(body);
  const value = field === undefined ? undefined : body[field];
  if (!Array.isArray(value)) return;
  const second = value.length === 0 ? field : 'null';
  throw errors.parsing(`[span_term] query doesn't support multiple fields, found [${field}] and [${second}]`, {
    location: value.length === 0 ? { container: value, at: 'end' } : { container: value, key: 0 },
  });
}
