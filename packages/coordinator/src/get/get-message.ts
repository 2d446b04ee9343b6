import { shard as messages } from '@shoal/protocol';
import { encodeJson } from '../json-bytes.js';
import type { VersionType } from '../bulk/write-request.js';
import type { GetOptions } from './get-request.js';

const VERSION_CODES: Readonly<Record<VersionType, number>> = { internal: 0, external: 1, external_gte: 2 };
const WHOLE = new Uint8Array(0);

function optionsBytes(options: GetOptions): Uint8Array {
  if (options.source === true && options.storedFields === null) return WHOLE;
  return encodeJson({
    _source: options.source,
    ...(options.storedFields ? { stored_fields: options.storedFields } : {}),
  });
}

/** Makes the item of a message for one document. */
export function getItem(id: string, routing: string | null, options: GetOptions): messages.GetItem {
  return {
    id,
    routing: routing ?? undefined,
    version: options.version ?? undefined,
    versionType: VERSION_CODES[options.versionType],
    options: optionsBytes(options),
  };
}
