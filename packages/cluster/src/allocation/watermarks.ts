import { formatByteSize, parseByteSize } from '@shoal/values';
import { ownProperty } from '@shoal/json';
import { type FlatSettings, type ClusterState, clusterSetting } from '@shoal/state';

const PREFIX = 'cluster.routing.allocation.disk.watermark.';

/** Names of the watermarks of disk usage, lowest first. */
export type WatermarkName = 'low' | 'high' | 'flood_stage';

/** A watermark in force: how much of a disk must be free. */
export interface Watermark {
  readonly name: string;
  readonly text: string;
  /** Share of the disk that may be used, 0 to 1; null if the watermark is in bytes. */
  readonly usedRatio: number | null;
  readonly freeBytes: number;
  /** `max_headroom`: free bytes that suffice on a large disk; Infinity if there is no such limit. */
  readonly headroomBytes: number;
  readonly headroomText: string;
}

/** Parses `85%` or `0.85` to a share; null for bytes. */
function ratioOf(text: string): number | null {
  if (text.endsWith('%')) return Number(text.slice(0, -1)) / 100;
  return /^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : null;
}

function isSet(state: ClusterState, nodeSettings: FlatSettings, name: string): boolean {
  return [state.transientSettings, state.persistentSettings, nodeSettings].some(
    (settings) => (ownProperty(settings, name) ?? null) !== null,
  );
}

/**
 * Returns a watermark in force. If the watermark is set and its `max_headroom` is not, the default headroom does not
 * apply.
 */
export function watermark(state: ClusterState, which: WatermarkName, nodeSettings: FlatSettings): Watermark {
  const name = `${PREFIX}${which}`;
  const headroomName = `${name}.max_headroom`;
  const text = String(clusterSetting(state, name, nodeSettings));
  const usedRatio = ratioOf(text);
  const headroomText = String(clusterSetting(state, headroomName, nodeSettings));
  const isBounded =
    usedRatio !== null &&
    headroomText !== '-1' &&
    (isSet(state, nodeSettings, headroomName) || !isSet(state, nodeSettings, name));
  return {
    name,
    text,
    usedRatio,
    freeBytes: usedRatio === null ? parseByteSize(text, name) : 0,
    headroomBytes: isBounded ? parseByteSize(headroomText, headroomName) : Infinity,
    headroomText,
  };
}

/** Returns the bytes that must be free on a disk of `totalBytes`. */
export function requiredFreeBytes(mark: Watermark, totalBytes: number): number {
  if (mark.usedRatio === null) return mark.freeBytes;
  return Math.min(Math.ceil(totalBytes * (1 - mark.usedRatio) - 1e-6), mark.headroomBytes);
}

/** Returns the setting and value that limit a disk of `totalBytes`, as explanations name them. */
export function describeWatermark(mark: Watermark, totalBytes: number): string {
  const bySize = mark.usedRatio !== null && mark.headroomBytes < totalBytes * (1 - mark.usedRatio);
  return bySize ? `${mark.name}.max_headroom=${mark.headroomText}` : `${mark.name}=${mark.text}`;
}

/** Formats a share as `71.5%` or `71%`, rounded down. */
export function percentText(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1).replace(/\.0$/, '')}%`;
}

/** Formats a number of bytes, as `1.5gb`. */
export const bytesText = (bytes: number): string => formatByteSize(bytes);
