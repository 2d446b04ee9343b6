import { type Answer, ownCall } from './own-call.js';

/** A saved object as the server answers it. */
export interface SavedObject {
  readonly id: string;
  readonly version: string;
  readonly updated_at: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Most objects that a list shows. */
export const LIST_MAX = 1_000;

/** Objects of a type by title, `LIST_MAX` at most; a failed answer if they cannot be read. */
export async function findObjects(
  type: string,
  fields: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly objects: readonly SavedObject[]; readonly total: number } | Answer> {
  const query = new URLSearchParams({ type, per_page: String(LIST_MAX), sort_field: 'title', sort_order: 'asc' });
  for (const field of fields) query.append('fields', field);
  const answer = await ownCall('GET', `/api/saved_objects/_find?${query}`, signal === undefined ? {} : { signal });
  if (answer.status !== 200) return answer;
  const { total, saved_objects: objects } = answer.json as { total: number; saved_objects: readonly SavedObject[] };
  return { objects, total };
}

const pathOf = (type: string, id: string): string => `/api/saved_objects/${type}/${encodeURIComponent(id)}`;

/** Reads an object. */
export const readObject = (type: string, id: string, signal?: AbortSignal): Promise<Answer> =>
  ownCall('GET', pathOf(type, id), signal === undefined ? {} : { signal });

/** Creates an object, or with an id changes the version that was read: 409 if somebody else was faster. */
export const writeObject = (
  type: string,
  attributes: object,
  old: { readonly id: string; readonly version: string } | null,
): Promise<Answer> =>
  old === null
    ? ownCall('POST', `/api/saved_objects/${type}`, { body: { attributes } })
    : ownCall('PUT', pathOf(type, old.id), { body: { attributes, version: old.version } });

/** Deletes an object. */
export const deleteObject = (type: string, id: string): Promise<Answer> => ownCall('DELETE', pathOf(type, id));
