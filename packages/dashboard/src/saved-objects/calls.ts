import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { decodeJson, encodeJson } from '@shoal/json';
import type { Express, Request } from 'express';
import { callerOf, type DashboardContext, privilegeUserOf } from '../context.js';
import { LOG_IN } from '../guard/refusal.js';
import { BodyError, checkJson } from '../guard/strict-json.js';
import { readBytes, sendJson, sendRefusal } from '../http-answers.js';
import { importObjects } from './import-objects.js';
import { partOf } from './multipart.js';
import type { ObjectSearch } from './object-store.js';
import { OBJECT_TYPES, type ObjectType, readContent, readId, readType, SavedObjectError } from './object-types.js';
import { registerPrivileges } from './register-privileges.js';

const PER_PAGE_MAX = 1_000;
/** Furthest object that `_find` pages to, as in Kibana. */
const FIND_MAX = 10_000;
const SEARCH_CHARACTERS_MAX = 1_000;

type Handler = (call: SavedObjectCall) => Promise<void>;

/** A call that is allowed. */
interface SavedObjectCall {
  readonly context: DashboardContext;
  readonly request: Request;
  readonly answer: ServerResponse;
  readonly query: URLSearchParams;
}

/** Calls of `/api/saved_objects`, in Kibana's shapes. */
export function addSavedObjects(app: Express, context: DashboardContext): void {
  const base = '/api/saved_objects';
  const register = registerPrivileges(context);
  const on = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    access: 'read' | 'write',
    handle: Handler,
  ): void => {
    app[method](base + path, async (request, answer) => {
      const caller = callerOf(context, request, { isUse: true, isApi: true });
      if (caller.kind === 'nobody') return sendRefusal(answer, LOG_IN);
      await register();
      const isAllowed = await context.privileges.may(privilegeUserOf(caller), `saved objects, ${access}`);
      if (!isAllowed) return sendRefusal(answer, { status: 403, message: FORBIDDEN[access] });
      const query = new URL(request.url, 'http://dashboard.invalid').searchParams;
      await handle({ context, request, answer, query });
    });
  };
  on('get', '/_find', 'read', find);
  on('post', '/_export', 'read', exportAll);
  on('post', '/_import', 'write', importFile);
  on('get', '/:type/:id', 'read', get);
  on('post', '/:type', 'write', create);
  on('post', '/:type/:id', 'write', create);
  on('put', '/:type/:id', 'write', update);
  on('delete', '/:type/:id', 'write', remove);
}

const FORBIDDEN = {
  read: 'Reading saved objects needs the privilege [read] of the application [kibana-.kibana].',
  write: 'Changing saved objects needs the privilege [all] of the application [kibana-.kibana].',
} as const;

/** Refuses parameters that no call takes. */
function known(query: URLSearchParams, names: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new BodyError(`The parameter [${unknown}] is not known.`);
}

function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw new BodyError(`[${name}] must be true or false.`);
  return value === 'true';
}

const typeAndId = ({ request }: SavedObjectCall): readonly [ObjectType, string] => [
  readType(request.params['type']),
  readId(request.params['id']),
];

async function get(call: SavedObjectCall): Promise<void> {
  known(call.query, []);
  sendExact(call.answer, await call.context.savedObjects.get(...typeAndId(call)));
}

/** Members of a body of own calls: integers keep all digits. */
async function readMembers(
  { context, request }: SavedObjectCall,
  names: readonly string[],
): Promise<{ readonly members: Readonly<Record<string, unknown>>; readonly size: number }> {
  const bytes = await readBytes(request, context.settings.server.bodyBytesMax);
  let value: unknown;
  try {
    value = decodeJson(bytes);
  } catch (error) {
    throw new BodyError(`The body is no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BodyError('The body must be an object.');
  checkJson(value);
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) throw new BodyError(`The body has an unknown key [${unknown}].`);
  return { members: value as Record<string, unknown>, size: bytes.length };
}

async function create(call: SavedObjectCall): Promise<void> {
  const { context, request, query, answer } = call;
  known(query, ['overwrite']);
  const type = readType(request.params['type']);
  const given = request.params['id'];
  const { members, size } = await readMembers(call, [
    'attributes',
    'references',
    'coreMigrationVersion',
    'typeMigrationVersion',
  ]);
  const id = given === undefined ? newId(context) : readId(given);
  const content = readContent(members['attributes'], members['references'], size);
  sendExact(answer, await context.savedObjects.create({ type, id, ...content }, flag(query, 'overwrite')));
}

function newId({ random }: DashboardContext): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function update(call: SavedObjectCall): Promise<void> {
  const { context, query, answer } = call;
  known(query, []);
  const [type, id] = typeAndId(call);
  const { members, size } = await readMembers(call, ['attributes', 'references', 'version']);
  const { attributes, references } = readContent(members['attributes'], members['references'], size);
  const { version } = members;
  if (version !== undefined && typeof version !== 'string') throw new BodyError('[version] must be a text.');
  const content = members['references'] === undefined ? { attributes } : { attributes, references };
  sendExact(answer, await context.savedObjects.update(type, id, content, version));
}

async function remove(call: SavedObjectCall): Promise<void> {
  known(call.query, ['force']);
  await call.context.savedObjects.remove(...typeAndId(call));
  sendJson(call.answer, 200, {});
}

async function find({ context, query, answer }: SavedObjectCall): Promise<void> {
  const search = readSearch(query);
  const { total, objects } = await context.savedObjects.find(search);
  sendExact(answer, {
    page: search.page,
    per_page: search.perPage,
    total,
    saved_objects: objects.map((object) => ({ ...object, score: 0 })),
  });
}

const SORTS = ['title', 'type', 'updated_at', 'created_at'] as const;

function readSearch(query: URLSearchParams): ObjectSearch {
  known(query, ['type', 'search', 'per_page', 'page', 'sort_field', 'sort_order', 'fields']);
  const types = query.getAll('type').map(readType);
  if (types.length === 0) throw new BodyError('[type] must name at least one type.');
  const [page, perPage] = [count(query, 'page', 1, FIND_MAX), count(query, 'per_page', 20, PER_PAGE_MAX)];
  if (page * perPage > FIND_MAX + perPage) throw new BodyError(`[page] leads beyond ${FIND_MAX} objects.`);
  const search = query.get('search') ?? '';
  if (search.length > SEARCH_CHARACTERS_MAX)
    throw new BodyError(`[search] must have at most ${SEARCH_CHARACTERS_MAX} characters.`);
  const fields = query.getAll('fields').flatMap((names) => names.split(','));
  const refused = fields.find((name) => !/^[\w.-]{1,256}$/.test(name));
  if (refused !== undefined) throw new BodyError(`[fields] takes names of attributes but was given [${refused}].`);
  return {
    types,
    search,
    page,
    perPage,
    sort: {
      field: choice(query, 'sort_field', SORTS, 'updated_at'),
      order: choice(query, 'sort_order', ['asc', 'desc'], query.get('sort_field') === null ? 'desc' : 'asc'),
    },
    fields: fields.length === 0 ? null : fields,
  };
}

function choice<const T extends string>(query: URLSearchParams, name: string, values: readonly T[], fallback: T): T {
  const given = query.get(name) ?? fallback;
  const value = values.find((one) => one === given);
  if (value === undefined) throw new BodyError(`[${name}] must be one of [${values.join(', ')}].`);
  return value;
}

function count(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name) ?? String(fallback);
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new BodyError(`[${name}] must be a number from 1 to ${max}.`);
  return value;
}

/** `_export`: NDJSON of the objects of some types or of a list of them, and a last line that counts. */
async function exportAll(call: SavedObjectCall): Promise<void> {
  const { context, answer } = call;
  known(call.query, []);
  const names = ['type', 'objects', 'excludeExportDetails', 'includeReferencesDeep'];
  const { members } = await readMembers(call, names);
  const { type, objects, excludeExportDetails = false } = members;
  if ((type === undefined) === (objects === undefined))
    throw new BodyError('Either [type] or [objects] must be given, and not both.');
  const lines = type === undefined ? listed(context, objects) : typed(context, type);
  let exported = 0;
  const missing: object[] = [];
  for await (const line of lines) {
    if ('missing' in line) {
      missing.push(line.missing as object);
      continue;
    }
    if (exported === 0) beginFile(answer);
    exported++;
    if (!answer.write(`${Buffer.from(encodeJson(line)).toString('utf8')}\n`)) await drained(answer);
    if (answer.destroyed) return;
  }
  if (exported === 0) beginFile(answer);
  const details = {
    exportedCount: exported,
    missingRefCount: missing.length,
    missingReferences: missing,
    excludedObjectsCount: 0,
    excludedObjects: [],
  };
  answer.end(excludeExportDetails === true ? undefined : `${JSON.stringify(details)}\n`);
}

function beginFile(answer: ServerResponse): void {
  answer.writeHead(200, {
    'content-type': 'application/ndjson',
    'content-disposition': 'attachment; filename="export.ndjson"',
    'cache-control': 'no-store',
  });
}

const drained = (answer: ServerResponse): Promise<unknown> =>
  Promise.race([once(answer, 'drain'), once(answer, 'close')]);

async function* typed({ savedObjects, settings }: DashboardContext, type: unknown): AsyncGenerator<object> {
  const given = Array.isArray(type) ? type : [type];
  const types = given.includes('*') ? OBJECT_TYPES : given.map(readType);
  const sort = { field: 'type', order: 'asc' } as const;
  const { total } = await savedObjects.find({ types, search: '', page: 1, perPage: 1, sort, fields: ['title'] });
  const max = settings.savedObjects.objectsMax;
  if (total > max) throw new SavedObjectError(400, `Can't export more than ${max} objects`);
  for await (const page of savedObjects.pages(types)) yield* page;
}

async function* listed({ savedObjects, settings }: DashboardContext, objects: unknown): AsyncGenerator<object> {
  if (!Array.isArray(objects) || objects.length > settings.savedObjects.objectsMax)
    throw new BodyError(`[objects] must be a list of at most ${settings.savedObjects.objectsMax}.`);
  const wanted = objects.map((one: unknown) => {
    const { type, id } = (one ?? {}) as { type?: unknown; id?: unknown };
    return [readType(type), readId(id)] as const;
  });
  for (const [type, id] of wanted)
    yield await savedObjects.get(type, id).catch((error: unknown) => {
      if (error instanceof SavedObjectError && error.status === 404) return { missing: { type, id } };
      throw error;
    });
}

/** `_import`: a file as the part `file` of a form, or as the body. */
async function importFile({ context, request, answer, query }: SavedObjectCall): Promise<void> {
  known(query, ['overwrite', 'createNewCopies', 'compatibilityMode']);
  if (flag(query, 'createNewCopies'))
    throw new BodyError('[createNewCopies] is not supported: objects keep their ids.');
  const { importBytesMax, objectsMax } = context.settings.savedObjects;
  const body = await readBytes(request, importBytesMax);
  const type = request.headers['content-type'] ?? '';
  const file = /^multipart\/form-data\b/i.test(type) ? partOf(body, type, 'file') : body;
  const isOverwrite = flag(query, 'overwrite');
  sendJson(answer, 200, await importObjects(file, context.savedObjects, { isOverwrite, objectsMax }));
}

/** Sends JSON in which integers keep all digits. */
function sendExact(answer: ServerResponse, value: object): void {
  const bytes = encodeJson(value);
  answer.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
  });
  answer.end(bytes);
}
