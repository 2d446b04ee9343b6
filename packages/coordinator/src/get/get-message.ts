import { type shard as messages, sourceFilterOf } from '@shoal/protocol';
import type { VersionType } from '../bulk/write-request.js';
import type { GetOptions } from './get-request.js';

const VERSION_CODES: Readonly<Record<VersionType, number>> = { internal: 0, external: 1, external_gte: 2 };

/** Undefined if the whole source is asked for, and nothing else. */
function optionsOf({ source, storedFields }: GetOptions): messages.GetOptions | undefined {
  if (source === true && storedFields === null) return undefined;
  return { source: sourceFilterOf(source), storedFields: [...(storedFields ?? [])] };
}

/** Makes the item of a message for one document. */
export function getItem(id: string, routing: string | null, options: GetOptions): messages.GetItem {
  return {
    id,
    routing: routing ?? undefined,
    version: options.version ?? undefined,
    versionType: VERSION_CODES[options.versionType],
    options: optionsOf(options),
  };
}
