import { errors } from '@shoal/errors';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { lookedUpSource } from './looked-up-source.js';

/** Key of percolate queries. Bodies without it look up no document for one. */
export const PERCOLATE_KEY = Buffer.from('"percolate"');

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
  const found = await lookedUpSource(context, { index, id, routing, preference, version }, call);
  if (found === null)
    throw errors.resourceNotFound(`indexed document [${String(index)}/${String(id)}] couldn't be found`);
  const { source } = found;
  if (source === undefined)
    throw errors.illegalArgument(`indexed document [${String(index)}/${String(id)}] source disabled`);
  return { ...rest, document: source };
}
