import { KqlError } from '../../kql/parse-kql.js';
import { kqlQuery } from '../../kql/kql-query.js';

/** Stands for the text in a query of the user's own. */
const TEXT = '{{text}}';
const SIZE = 20;

/** How a search is tried. */
export interface SearchOptions {
  readonly text: string;
  /** Fields with their weights: `title^2, body`; empty for all. */
  readonly fields: string;
  readonly fuzziness: string;
  readonly operator: string;
  /** In KQL: what all results match without a score; empty for all documents. */
  readonly filter: string;
  /** A query of the user's own as JSON, with `{{text}}` where the text goes; null for one that is made of the rest. */
  readonly own: string | null;
}

/** Fields of a text with commas. */
const fieldList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');

/** The query of a search; without a text all documents. */
export function queryOf({ text, fields, fuzziness, operator }: Omit<SearchOptions, 'filter' | 'own'>): object {
  if (text.trim() === '') return { match_all: {} };
  const list = fieldList(fields);
  return {
    multi_match: {
      query: text,
      ...(list.length === 0 ? {} : { fields: list }),
      ...(fuzziness === '0' ? {} : { fuzziness }),
      ...(operator === 'or' ? {} : { operator }),
      lenient: true,
    },
  };
}

/** The query as it is edited: the text in it is not the one that is typed now, but its place. */
export const queryTemplate = (options: SearchOptions): string =>
  options.own ?? JSON.stringify(queryOf({ ...options, text: TEXT }), null, 2);

/** A search as it is sent, as text: numbers of a query stay as they were written. */
export type MadeSearch = { readonly query: string; readonly body: string } | { readonly problem: string };

/** The search of the options, or what is wrong with them. */
export function madeSearch(options: SearchOptions, timeZone: string): MadeSearch {
  const { text, filter, own } = options;
  const query = own === null ? JSON.stringify(queryOf(options), null, 2) : ownQuery(own, text);
  if (query === null) return { problem: 'The query is no JSON object.' };
  try {
    const filtered = filter.trim() === '' ? query : filteredQuery(query, filter, timeZone);
    return { query: filtered, body: `{\n"query": ${filtered},\n"size": ${SIZE}\n}` };
  } catch (error) {
    if (error instanceof KqlError) return { problem: `Filter: ${error.message}` };
    throw error;
  }
}

/** A query of the user's own with the text in its place; null if it is no JSON object. */
function ownQuery(own: string, text: string): string | null {
  const query = own.replaceAll(TEXT, () => JSON.stringify(text).slice(1, -1));
  try {
    const parsed: unknown = JSON.parse(query);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? query : null;
  } catch {
    return null;
  }
}

const filteredQuery = (query: string, filter: string, timeZone: string): string =>
  `{"bool": {"must": [${query}], "filter": [${JSON.stringify(kqlQuery(filter, { types: null, timeZone }))}]}}`;

/** A part of the explanation of a score. */
export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Explanation[];
}
