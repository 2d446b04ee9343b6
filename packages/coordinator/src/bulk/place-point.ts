import { errors } from '@shoal/errors';
import { type Point, pointFault, pointId, pointOf, routingHash } from '@shoal/mapping';
import type { IndexMappings } from '@shoal/cluster';
import {
  type ClusterState,
  type DataStream,
  type IndexMetadata,
  isTimeSeries,
  refuseRouting,
  timeWindow,
  windowText,
} from '@shoal/state';
import type { WriteOperation } from './write-request.js';

/** A write to an index of time series: the index whose window holds its time, and the id of the document. */
export interface PlacedPoint {
  readonly index: IndexMetadata;
  readonly id: string;
}

function patternsOf({ settings }: IndexMetadata): readonly string[] {
  const path = settings['index.routing_path'] ?? [];
  return typeof path === 'string' ? path.split(',').map((each) => each.trim()) : path;
}

/** Throws if the time of a document is outside the window of its index. */
function checkWindow(index: IndexMetadata, source: Uint8Array, timestampMs: number): void {
  const { startMs, endMs } = timeWindow(index.settings);
  const refuse = (rule: string, limit: number): never => {
    const shown = windowText(timestampMs);
    throw pointFault(source, `time series index @timestamp value [${shown}] must be ${rule} than ${windowText(limit)}`);
  };
  if (timestampMs < startMs) refuse('larger', startMs);
  if (timestampMs >= endMs) refuse('smaller', endMs);
}

/** Returns the newest backing index of a data stream whose window holds a time. */
function backingIndexFor(state: ClusterState, stream: DataStream, timestampMs: number): IndexMetadata {
  const members = stream.indices.flatMap((uuid) => state.indices.get(uuid) ?? []).filter(isTimeSeries);
  const windows = members.map((index) => ({ index, window: timeWindow(index.settings) }));
  const found = windows.findLast(({ window }) => timestampMs >= window.startMs && timestampMs < window.endMs);
  if (found) return found.index;
  const shown = (ms: number): string => new Date(ms).toISOString();
  const ranges = windows.map(({ window }) => `[${shown(window.startMs)},${shown(window.endMs)}]`).join('');
  throw errors.illegalArgument(
    `the document timestamp [${shown(timestampMs)}] is outside of ranges of currently writable indices [${ranges}]`,
  );
}

/**
 * Places an `index` or `create` on an index of time series. Its id is made of the hash of its routing, its series and
 * its time, so that the same point written twice has one id. Throws illegal_argument_exception for a routing value, and
 * document_parsing_exception for a document without time or series, outside the window, or with another id.
 */
export function placePoint(
  state: ClusterState,
  operation: WriteOperation,
  target: { readonly index: IndexMetadata; readonly dataStream: DataStream | null },
  mappings: IndexMappings,
  nowMs: number,
): PlacedPoint {
  if (operation.routing !== null) throw refuseRouting(target.index, 'specifying routing');
  const { source } = operation;
  const context = { id: operation.id, nowMs, ...dynamicTemplatesOf(operation) };
  const pointIn = (meta: IndexMetadata): Point => {
    const { mapping, options } = mappings.current(meta);
    return pointOf(mapping, source, context, options);
  };
  const newest = pointIn(target.index);
  const index =
    target.dataStream === null ? target.index : backingIndexFor(state, target.dataStream, newest.timestampMs);
  // An older index may have fewer dimensions: a point that is sent again must get the id that it got then.
  const point = index === target.index ? newest : pointIn(index);
  checkWindow(index, source, point.timestampMs);
  const id = pointId(routingHash(source, patternsOf(index)), point);
  if (operation.id !== null && operation.id !== id)
    throw pointFault(
      source,
      `_id must be unset or set to [${id}] but was [${operation.id}] because [${index.name}] is in time_series mode`,
    );
  return { index, id };
}

function dynamicTemplatesOf({ dynamicTemplates }: WriteOperation): { dynamicTemplates?: Record<string, string> } {
  if (dynamicTemplates === null) return {};
  return { dynamicTemplates: dynamicTemplates as Record<string, string> };
}
