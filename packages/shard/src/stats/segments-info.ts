import { LUCENE_VERSION } from '@shoal/values';
import type { SegmentView } from '@shoal/query';
import type { Engine } from '../engine/engine.js';
import type { Part } from '../engine/part.js';
import type { SegmentInfo } from '../shard-api.js';

function infoOf(part: Part, name: string, generation: number, isSearched: boolean): SegmentInfo {
  return {
    name,
    generation,
    num_docs: part.liveRoots,
    deleted_docs: part.rootCount - part.liveRoots,
    size_in_bytes: part.byteSize,
    committed: part.kind === 'sealed' && part.isCommitted,
    search: isSearched,
    version: LUCENE_VERSION,
    compound: false,
    attributes: {},
  };
}

/** Returns the segments as the API lists them. The buffer is listed as the segment that it will become. */
export function segmentsInfo(engine: Engine, views: readonly SegmentView[]): readonly SegmentInfo[] {
  const searched = new Set(views.map((view) => view.reader.id));
  const infos = engine.sealed.map((part) => infoOf(part, part.reader.id, part.segment, searched.has(part.reader.id)));
  const buffers = [engine.sealing, engine.current].filter((part) => part !== null && part.maxDoc > 0);
  buffers.forEach((part, i) => {
    const generation = engine.nextSegment + i;
    infos.push(infoOf(part!, `_${generation.toString(36)}`, generation, searched.has(part!.id)));
  });
  return infos;
}
