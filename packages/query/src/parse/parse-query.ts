import { isPlainObject, type JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import { didYouMean } from '@shoal/values';
import { parseContext } from './parse-context.js';
import { parsingAt } from './parse-field.js';
import { checkQueryCount, malformedQuery } from './parse-queries.js';
import type { ParseContext, ParsedQuery, QueryContext } from '../parsed-query.js';
import { queryTypes } from '../queries/catalogue.js';

/**
 * Parses a query of the DSL: an object with exactly one key, the query's name. Throws Elasticsearch's errors for
 * malformed and unknown queries, for queries nested deeper than `maxNestedDepth`, and for more than 32,768 in one.
 */
export function parseQuery(body: unknown, context: ParseContext): ParsedQuery {
  const inner = deeper(context);
  if (!isPlainObject(body)) throw malformedQuery();
  const name = Object.keys(body)[0];
  if (name === undefined) throw emptyClause(body);
  if (!isPlainObject(body[name])) {
    throw errors.parsing(`[${name}] query malformed, no start_object after query name`, {
      location: { container: body, key: name },
    });
  }
  const type = queryTypes.get(name);
  if (type === undefined) throw unknownQuery(name, body);
  const parsed = parsingAt({ container: body, key: name, at: 'end' }, () => type.parse(body[name], body, inner));
  refuseSecondKey(name, body);
  return parsed;
}

/** Parses a query that was accepted before. */
export const parseStored = (query: unknown): ParsedQuery => parseQuery(query, parseContext());

/** Context of the queries inside of one query. A class, as copying an object key by key was 4 % of a count. */
class InnerContext implements QueryContext {
  readonly maxNestedDepth: number;
  readonly allowExpensiveQueries: boolean;
  readonly onInnerHits: (() => void) | undefined;
  readonly innerHits: ParseContext['innerHits'];
  readonly storedScripts: ParseContext['storedScripts'];
  readonly depth: number;
  readonly count: { queries: number };

  constructor(outer: ParseContext, depth: number, count: { queries: number }) {
    this.maxNestedDepth = outer.maxNestedDepth;
    this.allowExpensiveQueries = outer.allowExpensiveQueries;
    this.onInnerHits = outer.onInnerHits;
    this.innerHits = outer.innerHits;
    this.storedScripts = outer.storedScripts;
    this.depth = depth;
    this.count = count;
  }

  parseQuery(query: unknown): ParsedQuery {
    return parseQuery(query, this);
  }

  get parseStored(): QueryContext['parseStored'] {
    return parseStored;
  }
}

function deeper(context: ParseContext): QueryContext {
  const depth = (context.depth ?? 0) + 1;
  const count = context.count ?? { queries: 0 };
  checkQueryCount(++count.queries);
  if (depth <= context.maxNestedDepth) return new InnerContext(context, depth, count);
  throw errors.illegalArgument(
    'The nested depth of the query exceeds the maximum nested depth for queries set in ' +
      '[indices.query.bool.max_nested_depth]',
  );
}

function emptyClause(body: JsonObject): ApiError {
  return errors.illegalArgument('query malformed, empty clause found', {
    location: { container: body, at: 'end', isAppended: true },
  });
}

function unknownQuery(name: string, body: JsonObject): ApiError {
  const hint = didYouMean(name, [...queryTypes.keys(), 'span_gap']);
  const location = { container: body, key: name } as const;
  const cause = errors.namedObjectNotFound(`unknown field [${name}]`, { location });
  return errors.parsing(`unknown query [${name}]${hint}`, { location, cause });
}

function refuseSecondKey(name: string, body: JsonObject): void {
  const second = Object.keys(body)[1];
  if (second === undefined) return;
  throw errors.parsing(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`, {
    location: { container: body, key: second, at: 'key' },
  });
}
