import { rawMembers } from '@shoal/values';
import { BodyError, parseBody } from '../guard/strict-json.js';

/** What is exported: `query` and `sort` are JSON text as it came, so that numbers keep all digits. */
export interface ExportRequest {
  readonly index: string;
  readonly query: string;
  readonly sort: string;
  /** Null: all fields of the indices. */
  readonly columns: readonly string[] | null;
  readonly format: 'csv' | 'ndjson';
}

const MEMBERS: ReadonlySet<string> = new Set(['index', 'query', 'columns', 'sort', 'format']);
const INDEX_CHARACTERS_MAX = 2_000;
const COLUMNS_MAX = 10_000;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the body of `POST /api/export`. Throws BodyError. */
export function readExportRequest(text: string): ExportRequest {
  const body = parseBody(text);
  if (!isObject(body)) throw new BodyError('The body must be an object.');
  const { index, query, columns, sort, format } = body as Record<string, unknown>;
  const unknown = Object.keys(body as object).find((key) => !MEMBERS.has(key));
  if (unknown !== undefined) throw new BodyError(`The body has an unknown key [${unknown}].`);
  if (typeof index !== 'string' || index.trim() === '' || index.length > INDEX_CHARACTERS_MAX)
    throw new BodyError(`[index] must be a text of 1 to ${INDEX_CHARACTERS_MAX} characters.`);
  // It becomes part of a path, which has no code for half of a character.
  if (/\p{Surrogate}/u.test(index)) throw new BodyError('[index] must be Unicode: it has half of a surrogate pair.');
  if (query !== undefined && !isObject(query)) throw new BodyError('[query] must be an object.');
  if (sort !== undefined && !Array.isArray(sort)) throw new BodyError('[sort] must be a list.');
  if (format !== 'csv' && format !== 'ndjson') throw new BodyError('[format] must be csv or ndjson.');
  const raw = new Map(rawMembers(text).map(({ key, from, to }) => [key, text.slice(from, to)]));
  return {
    index,
    format,
    columns: readColumns(columns),
    query: raw.get('query') ?? '{"match_all":{}}',
    sort: raw.get('sort') ?? '["_doc"]',
  };
}

function readColumns(value: unknown): readonly string[] | null {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  const isList = Array.isArray(value) && value.length <= COLUMNS_MAX;
  if (!isList || !value.every((one) => typeof one === 'string' && one !== ''))
    throw new BodyError(`[columns] must be a list of at most ${COLUMNS_MAX} names.`);
  return [...new Set(value as readonly string[])];
}
