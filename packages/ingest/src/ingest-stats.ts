import type { IngestCounters } from './ingest-counters.js';
import type { Pipeline, Processor } from './processor.js';

type Figures = ReturnType<IngestCounters['render']>;

/** The section `ingest` of `_nodes/stats`. */
export interface IngestStats {
  readonly total: Figures;
  readonly pipelines: Readonly<Record<string, unknown>>;
}

/** Renders the figures of all pipelines. */
export function ingestStats(total: IngestCounters, pipelines: readonly Pipeline[]): IngestStats {
  return { total: total.render(), pipelines: Object.fromEntries(pipelines.map((one) => [one.id, pipelineStats(one)])) };
}

function pipelineStats({ counters, processors }: Pipeline): Record<string, unknown> {
  // Elasticsearch shows a processor with a condition as one of the type `conditional`.
  const each = processors.map(({ label, type, condition, counters: own }) => ({
    [label]: { type: condition === null ? type : 'conditional', stats: own.render() },
  }));
  return { ...counters.render(), processors: each };
}

/** Name of a processor in statistics: type, for `pipeline` the pipeline that it calls, and tag. */
export function processorLabel(
  { type, tag }: Pick<Processor, 'type' | 'tag'>,
  options: Readonly<Record<string, unknown>>,
): string {
  const called = type === 'pipeline' ? `:${String(options['name'])}` : '';
  return `${type}${called}${tag === null || tag === '' ? '' : `:${tag}`}`;
}
