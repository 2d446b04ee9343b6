import type { Clock } from '@shoal/doors';
import { installIngestFunctions } from './ingest-functions.js';
import { catalogue } from './catalogue.js';
import type { IngestDatabases } from './databases.js';
import type { IngestBatch } from './ingest-batch.js';
import type { IngestedItem } from './ingest-item.js';
import { IngestCounters } from './ingest-counters.js';
import { type IngestStats, ingestStats } from './ingest-stats.js';
import { compilePipeline } from './pipeline.js';
import { prepareScripts } from './prepare-scripts.js';
import { checkPipelineSize } from './pipeline-size.js';
import { type PipelineBodies, PipelineSet } from './pipeline-set.js';
import type { IngestScripts } from './scripts.js';
import { runItems } from './run-items.js';
import { TimeGuard } from './time-guard.js';
import { turnsOf } from './turns.js';
import { simulate, type SimulateRequest } from './simulate.js';

/** Runs pipelines. What it needs of the cluster state comes with each call, so that it may run on another thread. */
export interface Ingest {
  /** Runs the pipelines of documents, in order. A document that fails does not stop the others. */
  run(batch: IngestBatch, signal: AbortSignal): Promise<IngestedItem[]>;
  /** As `run`, with pipelines that exist for this call only. Counts nothing. */
  rehearse(batch: IngestBatch, signal: AbortSignal): Promise<IngestedItem[]>;
  /** Compiles the body of a pipeline, its scripts in turns. Rejects with its errors. */
  check(name: string, body: Readonly<Record<string, unknown>>): Promise<void>;
  /** Answers `_simulate` of one pipeline. */
  simulate(request: SimulateRequest, pipelines: PipelineBodies, signal: AbortSignal): Promise<Record<string, unknown>>;
  stats(pipelines: PipelineBodies): IngestStats;
  /** Names of the types of processors, sorted. */
  readonly processorTypes: readonly string[];
}

/** Doors and scripts of an `Ingest`. */
export interface IngestOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'yield'>;
  readonly scripts: IngestScripts;
  readonly databases: IngestDatabases;
}

/** Makes the `Ingest` that runs pipelines on the thread of the caller, in turns. */
export function createIngest(options: IngestOptions): Ingest {
  installIngestFunctions();
  const { clock, scripts, databases } = options;
  const guard = new TimeGuard();
  const newSet = (): PipelineSet => new PipelineSet({ scripts, databases, guard, now: () => clock.now() });
  const set = newSet();
  const total = new IngestCounters();
  const current = (pipelines: PipelineBodies): PipelineSet => {
    set.update(pipelines);
    return set;
  };
  return {
    run: (batch, signal) => runItems(batch, signal, { clock, guard, set: current(batch.pipelines), total }),
    rehearse(batch, signal) {
      const own = newSet();
      own.update(batch.pipelines);
      return runItems(batch, signal, { clock, guard, set: own, total: new IngestCounters() });
    },
    async check(name, body) {
      checkPipelineSize(name, body);
      await prepareScripts(body, scripts, turnsOf(clock, new AbortController().signal));
      compilePipeline(name, body, set.site);
    },
    simulate: (request, pipelines, signal) =>
      simulate(request, current(pipelines).site, {
        monotonic: () => clock.monotonic(),
        pause: turnsOf(clock, signal),
        trace: null,
        user: request.user,
        running: [],
      }),
    stats: (pipelines) => ingestStats(total, current(pipelines).all()),
    processorTypes: [...catalogue.values()]
      .filter(({ isAvailable }) => isAvailable?.(databases) ?? true)
      .map(({ name }) => name)
      .sort(),
  };
}
