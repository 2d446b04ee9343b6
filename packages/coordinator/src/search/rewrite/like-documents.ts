import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { lookedUpSource } from './looked-up-source.js';

/** Key of more_like_this. Bodies without it need no documents. */
export const LIKE_KEY = Buffer.from('"more_like_this"');

/** Items of `like`, of `unlike` at most: their documents are asked for at once. */
const ITEMS_MAX = 1000;

async function withSource(context: CoordinatorContext, item: unknown, call: CallContext): Promise<unknown> {
  if (!isPlainObject(item) || item['_id'] === undefined) return item;
  if (item['doc'] !== undefined)
    throw errors.parse('failed to parse More Like This item. either [id] or [doc] can be specified, but not both!');
  if (typeof item['_index'] !== 'string') return item;
  return { ...item, doc: (await sourceOf(context, item, call)) ?? {} };
}

/** Returns the source of the document of an item; null if there is none, or none of the version that is asked for. */
async function sourceOf(
  context: CoordinatorContext,
  item: Readonly<Record<string, unknown>>,
  call: CallContext,
): Promise<unknown> {
  const { _index: index, _id: id, routing, version, version_type: versionType } = item;
  try {
    return (await lookedUpSource(context, { index, id, routing, version, versionType }, call))?.source ?? null;
  } catch (error) {
    // As in 8.12, an item whose index is missing or whose version is another one adds no terms.
    if (isApiError(error) && (error.status === 404 || error.status === 409)) return null;
    throw error;
  }
}

/**
 * Returns the body of a more_like_this query with the sources of the documents that `like` and `unlike` name by index
 * and id.
 */
export async function resolveLikeDocuments(
  context: CoordinatorContext,
  body: Readonly<Record<string, unknown>>,
  call: CallContext,
): Promise<Record<string, unknown>> {
  const resolved: Record<string, unknown> = { ...body };
  for (const key of ['like', 'unlike']) {
    const items = body[key];
    if (items === undefined) continue;
    const given = Array.isArray(items) ? items : [items];
    if (given.length > ITEMS_MAX)
      throw errors.illegalArgument(
        `[${key}] of [more_like_this] has [${given.length}] items, more than [${ITEMS_MAX}]`,
      );
    const found = await Promise.all(given.map((item) => withSource(context, item, call)));
    // Left as it was written if nothing was looked up: places in errors stay those of the request.
    if (found.some((item, i) => item !== given[i])) resolved[key] = found;
  }
  return resolved;
}
