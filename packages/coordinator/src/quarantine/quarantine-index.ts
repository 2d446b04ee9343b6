import { compositionFor } from '@shoal/cluster';
import { isApiError } from '@shoal/errors';
import { isRestricted } from '@shoal/security';
import {
  aliasIndex,
  type ClusterState,
  type IndexMetadata,
  isTrue,
  resolveDateMath,
  resolveWriteTarget,
  writeIndexOf,
} from '@shoal/state';
import type { CoordinatorContext } from '../context.js';

const PREFIX = '.quarantine-';
const SETTING = 'index.shoal.quarantine';
/** How long the copies of a new index are waited for: what the only one has is lost with its node. */
const COPIES_TIMEOUT_MS = 10_000;

/** Alias of the indices with the refused documents of an index or data stream. */
export const quarantineAlias = (name: string): string => `${PREFIX}${name}`;

/** The refused documents of one index or data stream. */
export interface Quarantine {
  /** Name of the index or data stream, which need not exist any more. */
  readonly name: string;
  readonly alias: string;
  /** From the oldest one; the last one is written to. */
  readonly indices: readonly IndexMetadata[];
}

/** Returns the quarantines of the cluster, by name. */
export function quarantines(state: ClusterState): Quarantine[] {
  const found: Quarantine[] = [];
  for (const [alias, indices] of aliasIndex(state))
    if (alias.startsWith(PREFIX)) found.push({ name: alias.slice(PREFIX.length), alias, indices });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the name of the index or data stream whose quarantine takes what was written to `index`; null if refused
 * documents are not kept. For an index that is not there its templates decide. `asked` is what the request says.
 */
export function quarantinedName(
  state: ClusterState,
  index: string,
  nowMs: number,
  asked: boolean | undefined,
): string | null {
  if (asked === false) return null;
  try {
    const target = resolveWriteTarget(state, index, nowMs);
    const concrete = resolveDateMath(index, nowMs);
    const settings = target?.index.settings ?? compositionFor(state, concrete, false).settings;
    if (asked !== true && !isTrue(settings, SETTING)) return null;
    const name = target === null ? concrete : (target.dataStream?.name ?? target.index.name);
    return isRestricted(name) ? null : name;
  } catch {
    // A name that cannot be written to.
    return null;
  }
}

const keyword = { type: 'keyword', ignore_above: 1024 };

const MAPPINGS = {
  dynamic: 'false',
  properties: {
    '@timestamp': { type: 'date' },
    document: {
      properties: {
        index: keyword,
        id: keyword,
        routing: keyword,
        op: keyword,
        pipeline: keyword,
        source: { type: 'object', enabled: false },
        raw: { type: 'keyword', index: false, doc_values: false },
        raw_base64: { type: 'keyword', index: false, doc_values: false },
      },
    },
    error: {
      properties: {
        type: keyword,
        reason: { type: 'text' },
        stage: keyword,
        pipeline: keyword,
        processor_type: keyword,
        processor_tag: keyword,
      },
    },
    user: keyword,
    attempts: { type: 'integer' },
    last_attempt: { type: 'date' },
  },
};

/** Body of the call that creates the index of a quarantine, without its aliases. */
export const QUARANTINE_BODY = {
  settings: {
    'index.number_of_shards': '1',
    'index.auto_expand_replicas': '0-1',
    'index.hidden': 'true',
    // Not those of a template that matches every name.
    'index.default_pipeline': '_none',
    'index.final_pipeline': '_none',
    [SETTING]: 'false',
  },
  mappings: MAPPINGS,
};

/** Block of an index that is about to be dropped. */
export const BLOCK = 'index.blocks.write';

/** Returns the index that entries of a quarantine are written to. */
export function writeIndexOfQuarantine({ alias, indices }: Quarantine): IndexMetadata {
  return writeIndexOf(indices, alias) ?? indices.at(-1)!;
}

/** Begins a new index of a quarantine. */
export async function rollQuarantine({ cluster }: CoordinatorContext, alias: string): Promise<void> {
  const rolled = { alias, newName: null, body: QUARANTINE_BODY, metConditions: [], answer: {} };
  await cluster.submit('rollover', { ...rolled, waitForActiveShards: 'all' }, { timeoutMs: COPIES_TIMEOUT_MS });
}

/**
 * Makes the index of a quarantine unless it is there, and waits for its copies. A new one begins if that one is about
 * to be dropped.
 */
export async function ensureQuarantine(context: CoordinatorContext, name: string): Promise<void> {
  const { cluster } = context;
  const alias = quarantineAlias(name);
  const indices = aliasIndex(cluster.state()).get(alias);
  if (indices !== undefined) {
    const { settings } = writeIndexOfQuarantine({ name, alias, indices });
    if (isTrue(settings, BLOCK)) await rollQuarantine(context, alias);
    return;
  }
  const aliases = { [alias]: { is_write_index: true, is_hidden: true } };
  const body = { name: `${alias}-000001`, body: { ...QUARANTINE_BODY, aliases }, waitForActiveShards: 'all' };
  try {
    await cluster.submit('create-index', body, { timeoutMs: COPIES_TIMEOUT_MS });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    await cluster.waitFor((state) => aliasIndex(state).has(alias), COPIES_TIMEOUT_MS);
  }
}
