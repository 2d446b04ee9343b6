import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import type { MlDocuments } from '../documents/ml-documents.js';
import { META_INDEX } from '../documents/ml-indices.js';
import { checkId, selectByExpression } from '../jobs/job-id.js';

const ITEMS_MAX = 10_000;
const FILTERS_MAX = 10_000;
const documentId = (id: string): string => `filter_${id}`;
const missing = (id: string) => errors.resourceNotFound(`No filter with id [${id}] exists`);

/** Returns the items of a filter; none if it is not there. */
export async function filterItems(documents: MlDocuments, id: string): Promise<readonly string[]> {
  const found = await documents.get(META_INDEX, documentId(id));
  return (found?.source['items'] as readonly string[] | undefined) ?? [];
}

function shown(source: JsonObject): JsonObject {
  const { type: _, ...json } = source;
  return json;
}

/** Filters: lists of values that rules of detectors name. */
export class Filters {
  readonly #documents: MlDocuments;

  constructor(documents: MlDocuments) {
    this.#documents = documents;
  }

  async put(id: string, body: unknown): Promise<JsonObject> {
    const reader = bodyReader('ml_filter_parser', body);
    reader.onlyKeys(['filter_id', 'description', 'items']);
    checkId('filter_id', id);
    const items = [...new Set(reader.texts('items'))].sort();
    checkItems(id, items);
    const description = reader.optionalText('description');
    const source = { filter_id: id, ...(description === null ? {} : { description }), items, type: 'filter' };
    try {
      await this.#documents.put(META_INDEX, documentId(id), source, 'new', true);
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw errors.resourceAlreadyExists(`A filter with id [${id}] already exists`);
    }
    return shown(source);
  }

  async update(id: string, body: unknown): Promise<JsonObject> {
    const reader = bodyReader('update_filter_action', body);
    reader.onlyKeys(['filter_id', 'description', 'add_items', 'remove_items']);
    const found = await this.#documents.get(META_INDEX, documentId(id));
    if (found === null) throw missing(id);
    const items = new Set(found.source['items'] as readonly string[]);
    for (const item of reader.texts('add_items')) items.add(item);
    for (const item of reader.texts('remove_items')) {
      if (!items.delete(item))
        throw errors.illegalArgument(`Cannot remove item [${item}] as it is not present in filter [${id}]`);
    }
    checkItems(id, [...items]);
    const description = reader.optionalText('description') ?? found.source['description'];
    const source = {
      ...found.source,
      ...(description === undefined ? {} : { description }),
      items: [...items].sort(),
    };
    await this.#documents.put(META_INDEX, documentId(id), source, found, true);
    return shown(source);
  }

  async find(expression: string, from: number, size: number): Promise<JsonObject> {
    const query = { term: { type: 'filter' } };
    const { hits } = await this.#documents.search(META_INDEX, { size: FILTERS_MAX, query });
    const all = hits.map(({ source }) => ({ id: String(source['filter_id']), json: shown(source) }));
    const found = selectByExpression(all, expression, true, missing);
    return { count: found.length, filters: found.slice(from, from + size).map(({ json }) => json) };
  }

  /** Deletes a filter unless a job of `usedBy` names it. */
  async remove(id: string, usedBy: readonly string[]): Promise<void> {
    if (usedBy.length > 0)
      throw errors.illegalState(
        `Cannot delete filter [${id}] because it is currently used by jobs [${usedBy.join(', ')}]`,
        {
          status: 409,
        },
      );
    if ((await this.#documents.get(META_INDEX, documentId(id))) === null)
      throw errors.resourceNotFound(`Could not delete filter with ID [${id}] because it does not exist`);
    await this.#documents.remove(META_INDEX, documentId(id), true);
  }
}

function checkItems(id: string, items: readonly string[]): void {
  if (items.length > ITEMS_MAX)
    throw errors.illegalArgument(`Filter [${id}] contains too many items; up to [${ITEMS_MAX}] items are allowed`);
}
