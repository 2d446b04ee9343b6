import { isAnything, type Kql, type KqlLiteral, literalText, parseKql } from './parse-kql.js';

/** A query as the cluster takes it. */
export type Query = Readonly<Record<string, unknown>>;

/** What a query is made with. */
export interface KqlContext {
  /** Types of the fields of the searched indices by name; null while they are not known. */
  readonly types: ReadonlyMap<string, string> | null;
  /** Zone of dates without one, `Europe/Berlin`. */
  readonly timeZone: string;
}

const ALL: Query = { match_all: {} };
const NONE: Query = { match_none: {} };

/** The query of a text in KQL. Throws KqlError for a text that is none. */
export const kqlQuery = (text: string, context: KqlContext): Query => queryOf(parseKql(text), context, '');

/** `path` is that of the nested field around, with a dot at its end. */
function queryOf(kql: Kql, context: KqlContext, path: string): Query {
  switch (kql.kind) {
    case 'all':
      return ALL;
    case 'and':
      return { bool: { filter: kql.parts.map((part) => queryOf(part, context, path)) } };
    case 'or':
      return { bool: { should: kql.parts.map((part) => queryOf(part, context, path)), minimum_should_match: 1 } };
    case 'not':
      return { bool: { must_not: [queryOf(kql.part, context, path)] } };
    case 'nested':
      return {
        nested: {
          path: path + kql.path,
          query: queryOf(kql.part, context, `${path}${kql.path}.`),
          score_mode: 'none',
          ignore_unmapped: true,
        },
      };
    case 'range':
      return rangeQuery(path + literalText(kql.field), kql.comparison, literalText(kql.value), context);
    case 'is':
      return kql.field === null ? anyField(kql.value) : fieldQuery(path, kql.field, kql.value, context);
  }
}

function anyField(value: KqlLiteral): Query {
  if (isAnything(value)) return ALL;
  if (value.isQuoted) return { multi_match: { query: literalText(value), type: 'phrase', lenient: true } };
  if (value.pieces.length > 1) return { query_string: { query: patternText(value) } };
  return { multi_match: { query: literalText(value), type: 'best_fields', lenient: true } };
}

function fieldQuery(path: string, field: KqlLiteral, value: KqlLiteral, context: KqlContext): Query {
  const name = path + literalText(field);
  if (!field.isQuoted && field.pieces.length > 1) return fieldsQuery(name, value);
  const type = context.types?.get(name);
  if (context.types !== null && type === undefined) return NONE;
  if (isAnything(value)) return { exists: { field: name } };
  const text = literalText(value);
  if (!value.isQuoted && value.pieces.length > 1)
    return type === 'keyword' || type === 'wildcard'
      ? { wildcard: { [name]: { value: wildcardText(value) } } }
      : { query_string: { fields: [name], query: patternText(value) } };
  if (isDate(type)) return { range: { [name]: { gte: text, lte: text, time_zone: context.timeZone } } };
  return value.isQuoted ? { match_phrase: { [name]: text } } : { match: { [name]: text } };
}

/** A pattern of fields, `log.*: error`. */
function fieldsQuery(pattern: string, value: KqlLiteral): Query {
  if (isAnything(value)) return /^\*+$/.test(pattern) ? ALL : { exists: { field: pattern } };
  if (!value.isQuoted && value.pieces.length > 1)
    return { query_string: { fields: [pattern], query: patternText(value), lenient: true } };
  const type = value.isQuoted ? 'phrase' : 'best_fields';
  return { multi_match: { query: literalText(value), fields: [pattern], type, lenient: true } };
}

function rangeQuery(name: string, comparison: string, value: string, { types, timeZone }: KqlContext): Query {
  const type = types?.get(name);
  if (types !== null && type === undefined) return NONE;
  return { range: { [name]: { [comparison]: value, ...(isDate(type) ? { time_zone: timeZone } : {}) } } };
}

const isDate = (type: string | undefined): boolean => type === 'date' || type === 'date_nanos';

/** The pattern for query_string: everything but its asterisks is escaped. `<` and `>` cannot be, and go. */
const patternText = ({ pieces }: KqlLiteral): string =>
  pieces.map((piece) => piece.replace(/[<>]/g, '').replace(/[+\-=&|!(){}[\]^"~*?:\\/\s]/g, '\\$&')).join('*');

/** The pattern for the query wildcard. */
const wildcardText = ({ pieces }: KqlLiteral): string =>
  pieces.map((piece) => piece.replace(/[*?\\]/g, '\\$&')).join('*');
