import { errors } from '@shoal/errors';
import { checkTimestampField } from '../metadata/timestamp-field.js';
import {
  type ClusterState,
  type DataStream,
  dataStream,
  dataStreamOf,
  type IndexMetadata,
  nameIndex,
  noSuchIndex,
} from '@shoal/state';
import { withEntry, withIndex } from '../metadata/edit-state.js';
import { removeIndices } from '../metadata/remove-indices.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** An action of `_data_stream/_modify`. */
export interface DataStreamAction {
  readonly kind: 'add' | 'remove';
  readonly dataStream: string;
  readonly index: string;
}

/** Puts an index in the place of a backing index, which is deleted. */
export interface BackingExchange {
  readonly dataStream: string;
  readonly from: string;
  readonly to: string;
}

/** Body of `modifyDataStreams`. */
export interface ModifyDataStreamsBody {
  readonly actions?: readonly DataStreamAction[];
  /** Uuids of indices. */
  readonly replace?: readonly BackingExchange[];
}

function streamNamed(state: ClusterState, name: string): DataStream {
  const stream = dataStream(state, name);
  if (!stream) throw errors.illegalArgument(`data stream [${name}] not found`);
  return stream;
}

function withHidden(state: ClusterState, meta: IndexMetadata, isHidden: boolean): ClusterState {
  const { 'index.hidden': _old, ...settings } = meta.settings;
  const next = isHidden ? { ...settings, 'index.hidden': 'true' } : settings;
  return withIndex(state, {
    ...meta,
    settings: next,
    version: meta.version + 1,
    settingsVersion: meta.settingsVersion + 1,
  });
}

/** Throws illegal_argument_exception unless the mapping of `@timestamp` is that of a data stream. */
export function checkTimestamp({ mapping }: IndexMetadata): void {
  const properties = (mapping['properties'] ?? {}) as Record<string, Record<string, unknown> | undefined>;
  checkTimestampField(properties['@timestamp'] ?? {});
}

function add(state: ClusterState, action: DataStreamAction): ClusterState {
  const stream = streamNamed(state, action.dataStream);
  const meta = nameIndex(state).get(action.index);
  if (!meta) throw errors.illegalArgument(`index [${action.index}] not found`);
  if (stream.indices.includes(meta.uuid)) return state;
  const owner = dataStreamOf(state, meta.uuid);
  if (owner)
    throw errors.illegalArgument(
      `cannot add index [${meta.name}] to data stream [${stream.name}] because it is already a backing index on data ` +
        `stream [${owner.name}]`,
    );
  const aliases = Object.keys(meta.aliases).sort();
  if (aliases.length > 0) {
    const [noun, verb] = aliases.length > 1 ? ['aliases', 'are'] : ['alias', 'is'];
    throw errors.illegalArgument(
      `cannot add index [${meta.name}] to data stream [${stream.name}] until its ${noun} [${aliases.join(', ')}] ` +
        `${verb} removed`,
    );
  }
  checkTimestamp(meta);
  const next = { ...stream, indices: [meta.uuid, ...stream.indices], generation: stream.generation + 1 };
  return withEntry(withHidden(state, meta, true), 'dataStreams', stream.name, next);
}

function remove(state: ClusterState, action: DataStreamAction): ClusterState {
  const stream = streamNamed(state, action.dataStream);
  const meta = nameIndex(state).get(action.index);
  if (!meta || !stream.indices.includes(meta.uuid))
    throw errors.illegalArgument(`index [${action.index}] is not part of data stream [${stream.name}]`);
  if (stream.indices.at(-1) === meta.uuid)
    throw errors.illegalArgument(
      `cannot remove backing index [${meta.name}] of data stream [${stream.name}] because it is the write index`,
    );
  const indices = stream.indices.filter((uuid) => uuid !== meta.uuid);
  const next = { ...stream, indices, generation: stream.generation + 1 };
  return withEntry(withHidden(state, meta, false), 'dataStreams', stream.name, next);
}

/** Nothing happens if the exchange was made before. */
function exchange(state: ClusterState, { dataStream: name, from, to }: BackingExchange, nowMs: number): ClusterState {
  const stream = streamNamed(state, name);
  const target = state.indices.get(to);
  if (!target) throw noSuchIndex(to);
  if (!stream.indices.includes(from)) return state;
  const indices = stream.indices.map((uuid) => (uuid === from ? to : uuid));
  return removeIndices(withEntry(state, 'dataStreams', name, { ...stream, indices }), [from], nowMs);
}

/** Adds and removes backing indices of data streams, all in one change. */
export const modifyDataStreams = defineTask<ModifyDataStreamsBody>({
  name: 'modify-data-streams',
  priority: 'URGENT',
  source: () => 'update-backing-indices',
  apply(state, { actions = [], replace = [] }, { nowMs }) {
    let next = state;
    for (const action of actions) next = action.kind === 'add' ? add(next, action) : remove(next, action);
    for (const one of replace) next = exchange(next, one, nowMs);
    return { state: next, answer: ACKNOWLEDGED };
  },
});
