import { isPlainObject, parseJson } from '@shoal/json';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { get } from '../../get/get.js';

/** Key of more_like_this. Bodies without it need no documents. */
export const LIKE_KEY = Buffer.from('"more_like_this"');

async function withSource(context: CoordinatorContext, item: unknown, call: CallContext): Promise<unknown> {
  if (
    !isPlainObject(item) ||
    typeof item['_index'] !== 'string' ||
    item['_id'] === undefined ||
    item['doc'] !== undefined
  )
    return item;
  const routing = item['routing'] ?? item['_routing'];
  const answer = await get(
    context,
    {
      index: item['_index'],
      id: String(item['_id']),
      routing: routing === undefined ? null : String(routing),
      source: true,
      storedFields: null,
      version: null,
      versionType: 'internal',
      realtime: true,
      refresh: false,
      preference: null,
      bareSource: false,
    },
    call,
  );
  if (answer.status === 404) return item;
  const { _source: doc } = parseJson(Buffer.concat(answer.chunks)) as { _source?: unknown };
  return { ...item, doc };
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
    resolved[key] = await Promise.all(
      (Array.isArray(items) ? items : [items]).map((item) => withSource(context, item, call)),
    );
  }
  return resolved;
}
