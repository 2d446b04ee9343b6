import { type DownsamplingRound, parseRolloverConditions, type RolloverCondition } from '@shoal/cluster';
import { isPlainObject } from '@shoal/json';
import {
  clusterSetting,
  type ClusterState,
  type DataStream,
  dataStreams,
  type IndexMetadata,
  isEnabled,
  isTimeSeries,
  managedBy,
  timeWindow,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';

const ROLLOVER = 'cluster.lifecycle.default.rollover';
const SOURCE = 'index.downsample.source.uuid';
const DAY_MS = 86_400_000;

/** `data_retention` of a data stream in milliseconds; null to keep for ever. */
export function retentionMs({ lifecycle }: DataStream): number | null {
  const text = lifecycle?.['data_retention'];
  return typeof text === 'string' ? parseTimeValue(text, 'data_retention') : null;
}

/** The age that `max_age=auto` stands for: a fraction of the retention, so that data go soon after their time. */
function automaticAge(retention: number | null): string {
  if (retention === null || retention > 90 * DAY_MS) return '30d';
  if (retention > 14 * DAY_MS) return '7d';
  return retention > DAY_MS ? '1d' : '1h';
}

/** Returns the conditions by which streams are rolled over, as a body of `_rollover` has them. */
export function defaultRollover(state: ClusterState, stream: DataStream): Record<string, string | number> {
  const pairs = String(clusterSetting(state, ROLLOVER)).split(',');
  const entries = pairs.map((pair): [string, string | number] => {
    const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
    if (name === 'max_age' && value === 'auto') return [name, automaticAge(retentionMs(stream))];
    return [name, name.endsWith('docs') ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Returns the parsed conditions by which a stream is rolled over. */
export function rolloverConditions(state: ClusterState, stream: DataStream): RolloverCondition[] {
  return parseRolloverConditions(defaultRollover(state, stream));
}

/** When a backing index was rolled over, in milliseconds; null while it is the write index. */
export function rolledOverAt(stream: DataStream, meta: IndexMetadata): number | null {
  if (stream.indices.at(-1) === meta.uuid) return null;
  const info = meta.rolloverInfo?.[stream.name];
  // An index that was added by hand has no rollover: its age begins with its creation.
  return isPlainObject(info) ? Number(info['time']) : Number(meta.settings['index.creation_date']);
}

/** What the lifecycles of data streams want done now. */
export interface StreamWork {
  /** Write indices whose size and age decide on a rollover. */
  readonly candidates: readonly { readonly stream: DataStream; readonly meta: IndexMetadata }[];
  /**
   * Indices that are older than the retention of their stream. What is being made of them to take their place goes with
   * them: it is as old, and would be in no stream.
   */
  readonly expired: readonly {
    readonly stream: DataStream;
    readonly meta: IndexMetadata;
    readonly targets: readonly IndexMetadata[];
  }[];
  /** Indices of time series that are to be downsampled, with the length of a bucket. */
  readonly coarser: readonly { readonly stream: DataStream; readonly meta: IndexMetadata; readonly interval: string }[];
}

/** The interval that an index should have by its age; null if it has it, or takes documents. */
function coarserInterval(stream: DataStream, meta: IndexMetadata, nowMs: number): string | null {
  const sinceMs = rolledOverAt(stream, meta);
  const rounds = (stream.lifecycle?.['downsampling'] ?? []) as readonly DownsamplingRound[];
  if (sinceMs === null || rounds.length === 0 || !isTimeSeries(meta)) return null;
  if (nowMs < timeWindow(meta.settings).endMs) return null;
  const due = rounds.findLast(({ after }) => nowMs - sinceMs >= parseTimeValue(after, 'after'));
  const interval = due?.fixed_interval ?? null;
  return meta.settings['index.downsample.interval'] === interval ? null : interval;
}

/** Name of what an index is downsampled to. */
export function coarserName({ name, settings }: IndexMetadata, interval: string): string {
  return `downsample-${interval}-${String(settings['index.downsample.origin.name'] ?? name)}`;
}

/** Indices that are downsampled from others and are to take their place in a stream, by uuid of the source. */
function targetsOfSources({ indices }: ClusterState): ReadonlyMap<unknown, readonly IndexMetadata[]> {
  const targets = new Map<unknown, IndexMetadata[]>();
  for (const target of indices.values()) {
    const { [SOURCE]: uuid, 'index.downsample.interval': interval } = target.settings;
    const source = indices.get(String(uuid));
    // What somebody made by hand under another name is not for the stream.
    if (!source || coarserName(source, String(interval)) !== target.name) continue;
    targets.set(uuid, [...(targets.get(uuid) ?? []), target]);
  }
  return targets;
}

/** Returns what is to be done, for indices that no lifecycle policy manages. */
export function streamWork(state: ClusterState, nowMs: number): StreamWork {
  const managed = dataStreams(state)
    .filter(({ lifecycle }) => isEnabled(lifecycle))
    .flatMap((stream) => stream.indices.map((uuid) => ({ stream, meta: state.indices.get(uuid) })))
    .flatMap(({ stream, meta }) =>
      meta && managedBy(state, meta) === 'Data stream lifecycle' ? [{ stream, meta }] : [],
    );
  const isWrite = ({ stream, meta }: (typeof managed)[number]): boolean => stream.indices.at(-1) === meta.uuid;
  const targets = targetsOfSources(state);
  const expired = managed
    .filter(({ stream, meta }) => {
      const retention = retentionMs(stream);
      const sinceMs = rolledOverAt(stream, meta);
      return retention !== null && sinceMs !== null && nowMs - sinceMs >= retention;
    })
    .map((one) => ({ ...one, targets: targets.get(one.meta.uuid) ?? [] }));
  const coarser = managed.flatMap(({ stream, meta }) => {
    const interval = coarserInterval(stream, meta, nowMs);
    return interval === null || expired.some((one) => one.meta === meta) ? [] : [{ stream, meta, interval }];
  });
  return { candidates: managed.filter(isWrite), expired, coarser };
}
