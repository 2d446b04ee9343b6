import { errors } from '@shoal/errors';
import { parseJson } from '@shoal/json';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { get } from '../../get/get.js';

/** Key of percolate queries. Bodies without it look up no document for one. */
export const PERCOLATE_KEY = Buffer.from('"percolate"');

const asText = (value: unknown): string | null => (value === undefined ? null : String(value));

/** Whether a percolate query names a document of an index, by an id. */
export const namesDocument = (body: Readonly<Record<string, unknown>>): boolean =>
  typeof body['index'] === 'string' &&
  body['id'] !== undefined &&
  body['document'] === undefined &&
  body['documents'] === undefined;

/**
 * Returns the body of a percolate query with the source of the document that it names. Throws
 * resource_not_found_exception if there is none.
 */
export async function resolvePercolated(
  context: CoordinatorContext,
  body: Readonly<Record<string, unknown>>,
  call: CallContext,
): Promise<Record<string, unknown>> {
  if (!namesDocument(body)) return body;
  const { index, id, routing, preference, version, ...rest } = body;
  const answer = await get(
    context,
    {
      index: String(index),
      id: String(id),
      routing: asText(routing),
      source: true,
      storedFields: null,
      version: version === undefined ? null : Number(version),
      versionType: 'internal',
      realtime: true,
      refresh: false,
      preference: asText(preference),
      bareSource: false,
    },
    call,
  );
  if (answer.status === 404)
    throw errors.resourceNotFound(`indexed document [${String(index)}/${String(id)}] couldn't be found`);
  const { _source: source } = parseJson(Buffer.concat(answer.chunks)) as { _source?: unknown };
  if (source === undefined)
    throw errors.illegalArgument(`indexed document [${String(index)}/${String(id)}] source disabled`);
  return { ...rest, document: source };
}
