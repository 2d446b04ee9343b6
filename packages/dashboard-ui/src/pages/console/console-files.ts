import { type Answer, noted, reasonOf } from '../../request/own-call.js';
import { deleteObject, findObjects, readObject, type SavedObject, writeObject } from '../../request/saved-objects.js';
import { storedJson, storedText, storeText } from '../../state/browser-storage.js';

const TYPE = 'console-file';
/** The file that every browser has; it is not in the cluster. */
export const SCRATCH = 'scratch';

/** A file in the list. */
export interface FileName {
  readonly id: string;
  readonly title: string;
}

/** A file that is open. `version` is null for the scratch file. */
export interface OpenFile extends FileName {
  readonly text: string;
  readonly version: string | null;
  /** Whether the text is newer than that of the cluster. */
  readonly isUnsaved: boolean;
}

const isOpenFile = (value: unknown): value is OpenFile =>
  typeof (value as OpenFile | null)?.text === 'string' && typeof (value as OpenFile).title === 'string';

const keyOf = (id: string): string => `console:file:${id}`;

const EXAMPLE = `# Control+Enter runs the request at the cursor.
GET /_cluster/health

GET /_search
{
  "query": { "match_all": {} }
}
`;

/** The scratch file, and those in the cluster; the latter are empty where they may not be read. */
export async function listFiles(): Promise<readonly FileName[]> {
  const found = await findObjects(TYPE, ['title']);
  if ('status' in found) noted(found);
  const objects = 'status' in found ? [] : found.objects;
  const named = objects.map(({ id, attributes }) => ({ id, title: String(attributes['title']) }));
  return [{ id: SCRATCH, title: SCRATCH }, ...named];
}

/** Opens a file: what this browser keeps if it was not saved yet, else that of the cluster. */
export async function openFile(id: string): Promise<OpenFile | Answer> {
  if (id === SCRATCH)
    return { id, title: SCRATCH, text: storedText(keyOf(id)) ?? EXAMPLE, version: null, isUnsaved: false };
  const kept = storedJson<OpenFile | null>(keyOf(id), isOpenFile, null);
  if (kept?.isUnsaved === true) return kept;
  const answer = noted(await readObject(TYPE, id));
  if (answer.status !== 200) return answer;
  const { attributes, version } = answer.json as SavedObject;
  return { id, title: String(attributes['title']), text: String(attributes['text']), version, isUnsaved: false };
}

/** Keeps a file in this browser, at each pause. Returns false if it does not fit. */
export function keepFile(file: OpenFile): boolean {
  return storeText(keyOf(file.id), file.id === SCRATCH ? file.text : JSON.stringify({ ...file, isUnsaved: true }));
}

/** What became of a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly version: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Saves a file in the cluster; `conflict` if somebody else saved it since it was read. */
export async function saveOpenFile({ id, title, text, version }: OpenFile): Promise<SaveOutcome> {
  const answer = noted(await writeObject(TYPE, { title, text }, { id, version: version! }));
  if (answer.status === 409) return { kind: 'conflict' };
  if (answer.status !== 200) return { kind: 'failed', reason: reasonOf(answer) };
  const { version: made } = answer.json as SavedObject;
  // What was typed and kept in the meantime is newer than what was saved.
  const kept = storedJson<OpenFile | null>(keyOf(id), isOpenFile, null);
  storeText(keyOf(id), kept === null || kept.text === text ? null : JSON.stringify({ ...kept, version: made }));
  return { kind: 'saved', version: made };
}

/** The version of a file in the cluster, to overwrite it with. */
export async function versionNow(id: string): Promise<string | null> {
  const answer = await readObject(TYPE, id);
  return answer.status === 200 ? (answer.json as SavedObject).version : null;
}

/** Forgets what this browser keeps of a file. */
export const forgetFile = (id: string): boolean => storeText(keyOf(id), null);

/** Creates an empty file in the cluster. */
export const createFile = (title: string): Promise<Answer> => writeObject(TYPE, { title, text: '' }, null);

/** Removes a file from the cluster. */
export const removeFile = (id: string): Promise<Answer> => deleteObject(TYPE, id);
