import { errors } from '@shoal/errors';
import type { LookedUpBody } from '../parse/search-request.js';
import { extractValues, isPlainObject, parseJson, stringify } from '@shoal/json';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { encodeUtf8 } from '../../json-bytes.js';
import { LIKE_KEY, resolveLikeDocuments } from './like-documents.js';
import { lookedUpSource } from './looked-up-source.js';
import { namesDocument, PERCOLATE_KEY, resolvePercolated } from './percolated-document.js';

/** A terms lookup: values of a field in another document. */
interface Lookup {
  readonly index: string;
  readonly id: string;
  readonly path: string;
  readonly routing: string | null;
}

/** Key of lookups. Bodies without it and without escapes have no lookup. */
const PATH_KEY = Buffer.from('"path"');

/** Returns a complete lookup; null for all else, which the parser of the query refuses. */
function lookupOf(value: unknown): Lookup | null {
  if (!isPlainObject(value)) return null;
  const { index, id, path, routing = null, ...others } = value;
  if (typeof index !== 'string' || typeof id !== 'string' || typeof path !== 'string') return null;
  if ((routing !== null && typeof routing !== 'string') || Object.keys(others).length > 0) return null;
  return { index, id, path, routing };
}

/** What the lookups of one request share. */
interface LookupSite {
  readonly context: CoordinatorContext;
  readonly call: CallContext;
  /** Values by lookup: each document is read and taken apart once. */
  readonly known: Map<string, Promise<readonly unknown[]>>;
  /** Values put into the body so far. */
  values: number;
}

/** Values of all lookups of a request at most: a body with them is parsed in one piece. Two full lists of `terms`. */
const VALUES_MAX = 131_072;

async function valuesOf({ context, call }: LookupSite, lookup: Lookup): Promise<readonly unknown[]> {
  const { index, id, routing } = lookup;
  const named = { index, id, ...(routing === null ? {} : { routing }) };
  const source = (await lookedUpSource(context, named, call))?.source;
  return extractValues(source ?? {}, lookup.path).filter((value) => value !== null);
}

async function countedValues(site: LookupSite, lookup: Lookup): Promise<readonly unknown[]> {
  const key = JSON.stringify(lookup);
  const known = site.known.get(key) ?? valuesOf(site, lookup);
  site.known.set(key, known);
  const values = await known;
  site.values += values.length;
  if (site.values <= VALUES_MAX) return values;
  throw errors.illegalArgument(`the lookups of the search find more than [${VALUES_MAX}] terms`);
}

async function resolveTerms(
  site: LookupSite,
  terms: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(terms).map(async ([field, value]): Promise<[string, unknown]> => {
    const lookup = lookupOf(value);
    return [field, lookup ? await countedValues(site, lookup) : value];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function resolve(site: LookupSite, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolve(site, item)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(
    async ([key, member]): Promise<[string, unknown]> => [key, await resolveMember(site, key, member)],
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function resolveMember(site: LookupSite, key: string, member: unknown): Promise<unknown> {
  const { context, call } = site;
  if (key === 'terms' && isPlainObject(member)) return resolveTerms(site, member);
  if (key === 'more_like_this' && isPlainObject(member)) return resolveLikeDocuments(context, member, call);
  if (key === 'percolate' && isPlainObject(member)) return resolvePercolated(context, member, call);
  return resolve(site, member);
}

/** Start of an escape. A key may be written with escapes: `"p\u0061th"`. */
const ESCAPE = Buffer.from('\\u');

/** Whether a body may have lookups or like documents. Reads the bytes only; some bodies without lookups pass. */
export function mayLookUp(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length);
  return text.includes(PATH_KEY) || text.includes(LIKE_KEY) || text.includes(PERCOLATE_KEY) || text.includes(ESCAPE);
}

/** Whether a parsed body has lookups or like documents. */
function looksUp(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(looksUp);
  if (!isPlainObject(value)) return false;
  return Object.entries(value).some(([key, member]) => {
    if (key === 'terms' && isPlainObject(member)) return Object.values(member).some((one) => lookupOf(one) !== null);
    if (key === 'percolate' && isPlainObject(member) && namesDocument(member)) return true;
    return (key === 'more_like_this' && isPlainObject(member)) || looksUp(member);
  });
}

/**
 * Returns the body with the values of terms lookups and the sources of like documents inserted. A missing document has
 * no values. Throws index_not_found_exception if the index of a lookup is missing.
 */
export async function resolveTermsLookups(
  context: CoordinatorContext,
  { body, json = undefined, isLookedUp = false }: LookedUpBody,
  call: CallContext,
): Promise<LookedUpBody> {
  if (isLookedUp || !mayLookUp(body)) return { body, json };
  const value = json ?? parseJson(body);
  if (!looksUp(value)) return { body, json };
  const site: LookupSite = { context, call, known: new Map(), values: 0 };
  return { body: encodeUtf8(stringify(await resolve(site, value))), isLookedUp: true };
}
