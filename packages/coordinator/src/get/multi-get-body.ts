import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parseVersionType } from '../bulk/action-line.js';
import { validationError } from '../bulk/validate-operation.js';
import { tokenName } from '../token-names.js';
import type { Turns } from '../turns.js';
import type { GetOptions, MultiGetRequest } from './get-request.js';
import { parseSourceSelection } from './source-selection.js';

/** A document of a multi-get. */
export interface WantedDocument extends GetOptions {
  readonly index: string;
  readonly id: string;
}

type Draft = { -readonly [K in keyof GetOptions]: GetOptions[K] } & {
  index: string | null;
  id: string | null;
  namesSource: boolean;
};

const SETTERS: ReadonlyMap<string, (draft: Draft, value: unknown) => void> = new Map<
  string,
  (draft: Draft, value: unknown) => void
>([
  ['_index', (draft, value) => (draft.index = String(value))],
  ['_id', (draft, value) => (draft.id = String(value))],
  ['routing', (draft, value) => (draft.routing = String(value))],
  ['_type', () => undefined],
  ['version', (draft, value) => (draft.version = Number(value))],
  ['version_type', (draft, value) => (draft.versionType = parseVersionType(String(value)))],
  ['_source', (draft, value) => setSource(draft, value)],
  ['stored_fields', (draft, value) => setStoredFields(draft, value)],
]);

function setSource(draft: Draft, value: unknown): void {
  draft.source = parseSourceSelection(value);
  draft.namesSource = true;
}

function setStoredFields(draft: Draft, value: unknown): void {
  draft.storedFields = (Array.isArray(value) ? value : [value]).map(String);
  if (typeof draft.source === 'boolean' && !draft.namesSource) draft.source = draft.storedFields.includes('_source');
}

const unknownField = (key: string): Error => errors.parse(`failed to parse multi get request. unknown field [${key}]`);

/** 8.12 looks for a known field below an object too, and finds none; it takes the end of the object for the item's. */
function refuseKeys(value: unknown, isLast: boolean): void {
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value)) throw unknownField(key);
  if (isLast) throw errors.illegalArgument('docs array element should include an object');
}

function parseItem(item: unknown, request: MultiGetRequest): Draft {
  if (!isPlainObject(item)) throw errors.illegalArgument('docs array element should include an object');
  const draft: Draft = { ...request.defaults, index: request.index, id: null, namesSource: false };
  const keys = Object.keys(item);
  for (const key of keys) {
    const value = item[key];
    const setter = SETTERS.get(key);
    if (!setter) throw unknownField(key);
    if (key !== '_source') refuseKeys(value, key === keys.at(-1));
    setter(draft, value);
  }
  return draft;
}

function parseId(id: unknown, request: MultiGetRequest): Draft {
  if (typeof id === 'object') throw errors.illegalArgument('ids array element should only contain ids');
  return { ...request.defaults, index: request.index, id: String(id), namesSource: false };
}

/** Items between two looks at the clock. */
const ITEMS_AT_ONCE = 512;

async function entries(
  body: Readonly<Record<string, unknown>>,
  request: MultiGetRequest,
  turns: Turns,
): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const [key, value] of Object.entries(body)) {
    const location = { container: body, key };
    if (!Array.isArray(value))
      throw errors.parsing(`unexpected token [${tokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`, {
        location,
      });
    const parse = key === 'docs' ? parseItem : key === 'ids' ? parseId : null;
    if (parse === null)
      throw errors.parsing(`unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`, { location });
    for (let i = 0; i < value.length; i++) {
      drafts.push(parse(value[i], request));
      if (i % ITEMS_AT_ONCE === 0) await turns.pause();
    }
  }
  return drafts;
}

function validate(drafts: readonly Draft[]): void {
  const messages = drafts.length === 0 ? ['no documents to get'] : [];
  drafts.forEach((draft, i) => {
    if (draft.index === null) messages.push(`index is missing for doc ${i}`);
    if (draft.id === null) messages.push(`id is missing for doc ${i}`);
  });
  if (messages.length > 0) throw validationError(messages);
}

/** Returns how many documents a body asks for, before it is looked at closely. */
export function countWanted(body: unknown): number {
  if (!isPlainObject(body)) return 0;
  return Object.values(body).reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/** Reads the documents of a multi-get, in order; what they must name may be missing. */
export async function readMultiGet(request: MultiGetRequest, turns: Turns): Promise<Draft[]> {
  if (!isPlainObject(request.body)) {
    throw errors.parsing(`unexpected token [${tokenName(request.body)}], expected [START_OBJECT]`, {
      meta: { line: 1, col: 1 },
    });
  }
  return entries(request.body, request, turns);
}

/** As `readMultiGet`, of documents that are named. */
export async function parseMultiGet(request: MultiGetRequest, turns: Turns): Promise<WantedDocument[]> {
  const drafts = await readMultiGet(request, turns);
  validate(drafts);
  return drafts as WantedDocument[];
}
