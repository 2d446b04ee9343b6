import { encodeJson } from '@shoal/json';
/** Types of saved objects. `index-pattern` comes with imports of Kibana's files, whose saved searches refer to it. */
export const OBJECT_TYPES = ['dashboard', 'search', 'console-file', 'config', 'index-pattern'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** Largest saved object: bytes of its attributes and references as JSON. */
export const OBJECT_BYTES_MAX = 1024 * 1024;
/** Saved objects of a cluster; beyond it nothing is created. */
export const OBJECTS_MAX = 100_000;
const ID_CHARACTERS_MAX = 256;
/** Bytes of an id in UTF-8: an id of a document has 512 at most, of which the type takes some. */
const ID_BYTES_MAX = 490;
const TITLE_CHARACTERS_MAX = 1_000;
const REFERENCES_MAX = 1_000;

/** One link of a saved object to another. */
export interface ObjectReference {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

/** What people save, without what the store adds. */
export interface ObjectContent {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly references: readonly ObjectReference[];
}

/** A saved object in Kibana's shape. */
export interface SavedObject extends ObjectContent {
  readonly id: string;
  readonly type: ObjectType;
  readonly namespaces: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  /** `base64([seq_no, primary_term])`: guards an update. */
  readonly version: string;
  readonly managed: boolean;
}

/** A refusal of a call on saved objects; the message goes to the caller. */
export class SavedObjectError extends Error {
  override readonly name = 'SavedObjectError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const notFound = (type: string, id: string): SavedObjectError =>
  new SavedObjectError(404, `Saved object [${type}/${id}] not found`);
export const conflict = (type: string, id: string): SavedObjectError =>
  new SavedObjectError(409, `Saved object [${type}/${id}] conflict`);

/** Checks the name of a type. */
export function readType(name: unknown): ObjectType {
  const type = OBJECT_TYPES.find((one) => one === name);
  if (type === undefined) throw new SavedObjectError(400, `Unsupported saved object type: '${shownName(name)}'`);
  return type;
}

/** Half of a pair of UTF-16: text that UTF-8 cannot hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a text can be an id: it is a part of the document's id, so neither empty nor long, and Unicode. */
export const isId = (id: unknown): id is string =>
  typeof id === 'string' &&
  id !== '' &&
  id.length <= ID_CHARACTERS_MAX &&
  Buffer.byteLength(id) <= ID_BYTES_MAX &&
  !LONE_SURROGATE.test(id);

/** Checks an id. */
export function readId(id: unknown): string {
  if (isId(id)) return id;
  throw new SavedObjectError(
    400,
    `[id] must have 1 to ${ID_CHARACTERS_MAX} characters of Unicode in at most ${ID_BYTES_MAX} bytes.`,
  );
}

/** Throws for an object whose content is too large. `size`: its bytes as JSON. */
export function checkSize(size: number): void {
  if (size > OBJECT_BYTES_MAX)
    throw new SavedObjectError(413, `A saved object has at most ${OBJECT_BYTES_MAX} bytes, this one ${size}.`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks attributes and references as they come from a body or a line of a file. `size`: their bytes as JSON. */
export function readContent(attributes: unknown, references: unknown, size: number): ObjectContent {
  if (!isObject(attributes)) throw new SavedObjectError(400, '[attributes] must be an object.');
  checkSize(size);
  const { title } = attributes;
  if (title !== undefined && (typeof title !== 'string' || title.length > TITLE_CHARACTERS_MAX))
    throw new SavedObjectError(400, `[attributes.title] must be a text of at most ${TITLE_CHARACTERS_MAX} characters.`);
  return { attributes, references: readReferences(references ?? []) };
}

function readReferences(value: unknown): readonly ObjectReference[] {
  if (!Array.isArray(value) || value.length > REFERENCES_MAX)
    throw new SavedObjectError(400, `[references] must be a list of at most ${REFERENCES_MAX}.`);
  return value.map((one: unknown) => {
    const { type, id, name } = (isObject(one) ? one : {}) as Record<string, unknown>;
    if (typeof type !== 'string' || typeof id !== 'string' || typeof name !== 'string')
      throw new SavedObjectError(400, 'Each of [references] must have [type], [id] and [name].');
    return { type, id, name };
  });
}

/** The version of a document. */
export const versionOf = (seqNo: number, primaryTerm: number): string =>
  Buffer.from(JSON.stringify([seqNo, primaryTerm])).toString('base64');

/** Reads a version: sequence number and primary term. */
export function readVersion(version: unknown): { readonly seqNo: number; readonly primaryTerm: number } {
  const text = typeof version === 'string' ? Buffer.from(version, 'base64').toString('utf8') : '';
  const found = /^\[(\d{1,15}),(\d{1,15})\]$/.exec(text);
  if (found === null) throw new SavedObjectError(400, `Invalid version [${shownName(version)}]`);
  return { seqNo: Number(found[1]), primaryTerm: Number(found[2]) };
}

/** A name of a file or body for people: values of JSON that are none as they are written. */
export function shownName(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? 'undefined' : Buffer.from(encodeJson(value)).toString('utf8').slice(0, 200);
}
