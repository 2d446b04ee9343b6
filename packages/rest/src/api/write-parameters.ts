import {
  type ActiveShardCount,
  type Refresh,
  type VersionType,
  type WriteOptions,
  parseVersionType,
} from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { RestRequest } from '../routing/route.js';

/** Parameters of all writes. */
export const WRITE_PARAMETERS: readonly string[] = ['refresh', 'timeout', 'wait_for_active_shards', 'quarantine'];

const WRITE_TIMEOUT_MS = 60_000;

function parseRefresh(text: string | null): Refresh {
  if (text === null || text === 'false') return 'none';
  if (text === '' || text === 'true') return 'now';
  if (text === 'wait_for') return 'wait';
  throw errors.illegalArgument(`Unknown value for refresh: [${text}].`);
}

/** Parses a number of copies or `all`; null: the default of the index. */
export function parseActiveShardCount(text: string | null): ActiveShardCount | null {
  if (text === null) return null;
  if (text === 'all') return 'all';
  if (/^\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) throw errors.illegalArgument('shard count cannot be a negative value');
  throw errors.illegalArgument(`cannot parse ActiveShardCount[${text}]`, {
    cause: errors.numberFormat(`For input string: "${text}"`),
  });
}

/** Reads `refresh`, `timeout`, `wait_for_active_shards` and `quarantine` of a request. */
export function writeOptions(request: RestRequest): WriteOptions {
  const { params } = request;
  const quarantine = params.optionalBoolean('quarantine');
  return {
    refresh: parseRefresh(params.text('refresh')),
    timeoutMs: params.time('timeout', WRITE_TIMEOUT_MS),
    waitForActiveShards: parseActiveShardCount(params.text('wait_for_active_shards')),
    ...(quarantine === null ? {} : { quarantine }),
  };
}

/** Reads `version_type` of a request. */
export function versionType(request: RestRequest): VersionType {
  const text = request.params.text('version_type');
  return text === null ? 'internal' : parseVersionType(text);
}
