import type { ClusterState } from '../state.js';
import { sectionEntry, section } from '../edit.js';

/** Entry of the section `dataStreams`. */
export interface DataStream {
  readonly name: string;
  /** Uuids of the backing indices, the write index last. */
  readonly indices: readonly string[];
  readonly generation: number;
  readonly hidden: boolean;
  readonly allowCustomRouting: boolean;
  readonly template: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly lifecycle?: Readonly<Record<string, unknown>>;
}

/** Returns all data streams. */
export function dataStreams(state: ClusterState): readonly DataStream[] {
  return Object.values(section(state, 'dataStreams')) as DataStream[];
}

/** Returns the data stream with a name; null if there is none. */
export function dataStream(state: ClusterState, name: string): DataStream | null {
  return (sectionEntry(state, 'dataStreams', name) as DataStream | undefined) ?? null;
}

const byBackingIndex = new WeakMap<object, ReadonlyMap<string, DataStream>>();

/** The data stream whose backing index this is; null if none. Computed once for each section of data streams. */
export function dataStreamOf(state: ClusterState, indexUuid: string): DataStream | null {
  const streams = state.customs.get('dataStreams');
  if (streams === undefined) return null;
  let index = byBackingIndex.get(streams);
  if (!index) {
    index = new Map(
      (Object.values(streams) as DataStream[]).flatMap((stream) =>
        stream.indices.map((uuid) => [uuid, stream] as const),
      ),
    );
    byBackingIndex.set(streams, index);
  }
  return index.get(indexUuid) ?? null;
}
