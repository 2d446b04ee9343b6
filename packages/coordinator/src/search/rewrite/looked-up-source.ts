import { parseJson } from '@shoal/json';
import { parseVersionType } from '../../bulk/action-line.js';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import { get } from '../../get/get.js';

/** A document that a query names instead of containing it; members as the body has them. */
export interface NamedDocument {
  readonly index: unknown;
  readonly id: unknown;
  readonly routing?: unknown;
  readonly preference?: unknown;
  readonly version?: unknown;
  readonly versionType?: unknown;
}

const asText = (value: unknown): string | null => (value === undefined ? null : String(value));

/** Returns the source of a document, undefined if its index keeps none; null if there is no such document. */
export async function lookedUpSource(
  context: CoordinatorContext,
  { index, id, routing, preference, version, versionType }: NamedDocument,
  call: CallContext,
): Promise<{ readonly source: unknown } | null> {
  const answer = await get(
    context,
    {
      index: String(index),
      id: String(id),
      routing: asText(routing),
      source: true,
      storedFields: null,
      version: version === undefined ? null : Number(version),
      versionType: parseVersionType(asText(versionType) ?? 'internal'),
      realtime: true,
      refresh: false,
      preference: asText(preference),
      bareSource: false,
    },
    call,
  );
  if (answer.status === 404) return null;
  return { source: (parseJson(Buffer.concat(answer.chunks)) as { _source?: unknown })._source };
}
