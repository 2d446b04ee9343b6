import { compositionFor } from '@shoal/cluster';
import type { PipelineNames } from '@shoal/ingest';
import { type ClusterState, type FlatSettings, resolveDateMath, resolveWriteTarget } from '@shoal/state';

/** Names of no pipelines. */
export const NO_PIPELINES: PipelineNames = { first: null, final: null };

/** Name that stands for no pipeline. */
const NONE = '_none';

/** Returns the name of a pipeline; null for none. */
export function pipelineName(name: unknown): string | null {
  return typeof name === 'string' && name !== NONE ? name : null;
}

/**
 * Returns the pipelines that settings give the documents of an index: those of the index, of the write index of an
 * alias or data stream, or, if there is none yet, those that templates would give it.
 */
export function pipelinesOfIndex(state: ClusterState, name: string, nowMs: number): PipelineNames {
  const settings = settingsOf(state, name, nowMs);
  const first = pipelineName(settings['index.default_pipeline']);
  const final = pipelineName(settings['index.final_pipeline']);
  return first === null && final === null ? NO_PIPELINES : { first, final };
}

function settingsOf(state: ClusterState, name: string, nowMs: number): FlatSettings {
  try {
    const target = resolveWriteTarget(state, name, nowMs);
    return target ? target.index.settings : compositionFor(state, resolveDateMath(name, nowMs), false).settings;
  } catch {
    // A name that cannot be written to: the write is refused when its shard is looked for.
    return {};
  }
}
