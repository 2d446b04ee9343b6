import { type ApiError, toApiError } from '@shoal/errors';
import type { IngestCounters } from './ingest-counters.js';
import type { IngestDocument } from './document.js';
import { documentContext } from './script-context.js';
import type { IngestRun, Pending, Pipeline, Processor } from './processor.js';
import { refused } from './refused.js';

/** Levels of pipelines that call each other. */
const NESTED_MAX = 100;

/** Beginning of the error of a pipeline that is called by itself, perhaps through others. */
export const CYCLE = 'Cycle detected for pipeline: ';

/**
 * Runs a pipeline on a document. Throws, or rejects with, the error of the first processor that failed and was not
 * recovered from. Source: Elasticsearch's `IngestDocument.executePipeline` and `CompoundProcessor`.
 */
export function runPipeline(pipeline: Pipeline, document: IngestDocument, run: IngestRun): Pending {
  const { id, processors, onFailure } = pipeline;
  if (processors.length === 0) return;
  if (document.pipelines.includes(id)) throw refused(`${CYCLE}${id}`);
  if (document.pipelines.length >= NESTED_MAX)
    throw refused(`Too many nested pipelines. Cannot have more than ${NESTED_MAX} nested pipelines`);
  const outer = document.ingest['pipeline'];
  document.pipelines.unshift(id);
  document.ingest['pipeline'] = id;
  const startedMs = begin(pipeline.counters, run);
  const leave = (hasFailed: boolean): void => {
    end(pipeline.counters, run, startedMs, hasFailed);
    document.pipelines.shift();
    if (outer === undefined) delete document.ingest['pipeline'];
    else document.ingest['pipeline'] = outer;
  };
  const recovery = (thrown: unknown): Pending => recover(onFailure, document, run, thrown);
  return ending(() => attempt(() => runAll(processors, document, run), recovery), leave);
}

/** Runs processors one after another until one drops the document or sends it elsewhere. */
export function runAll(processors: readonly Processor[], document: IngestDocument, run: IngestRun, from = 0): Pending {
  for (let i = from; i < processors.length && !isOver(document); i++) {
    const pause = run.pause();
    if (pause) return pause.then(() => runAll(processors, document, run, i));
    const pending = runProcessor(processors[i]!, document, run);
    if (pending) return pending.then(() => runAll(processors, document, run, i + 1));
  }
}

/** Runs one processor if its condition holds, and its `on_failure` processors if it fails. */
export function runProcessor(processor: Processor, document: IngestDocument, run: IngestRun): Pending {
  if (run.trace !== null) return run.trace.run(processor, document, run);
  if (!conditionHolds(processor, document)) return;
  let pending: Pending;
  try {
    pending = runStep(processor, document, run);
  } catch (thrown) {
    return handleFailure(processor, document, run, thrown);
  }
  return pending && pending.catch((thrown) => handleFailure(processor, document, run, thrown));
}

/** Whether a processor is to run on a document. Throws the condition's error. */
export function conditionHolds(processor: Processor, document: IngestDocument): boolean {
  if (processor.condition === null) return true;
  try {
    return processor.condition.call(documentContext(document)) === true;
  } catch (thrown) {
    throw failureOf(document, thrown, { type: 'conditional', tag: processor.tag });
  }
}

/** Runs what a processor does, without its condition and without recovering from a failure. */
export function runStep(processor: Processor, document: IngestDocument, run: IngestRun): Pending {
  const { counters } = processor;
  document.isTouched = true;
  const startedMs = begin(counters, run);
  const failed = (thrown: unknown): never => {
    end(counters, run, startedMs, true);
    throw failureOf(document, thrown, processor);
  };
  let pending: Pending;
  // Written out, without functions for the parts: it runs for each processor on each document.
  try {
    pending = processor.step(document, run);
  } catch (thrown) {
    return failed(thrown);
  }
  if (pending) return pending.then(() => end(counters, run, startedMs, false), failed);
  end(counters, run, startedMs, false);
}

/** Ignores the failure of a processor or runs its `on_failure` processors; rethrows it if neither is asked for. */
export function handleFailure(
  processor: Processor,
  document: IngestDocument,
  run: IngestRun,
  thrown: unknown,
): Pending {
  if (processor.ignoreFailure) return;
  return recover(processor.onFailure, document, run, thrown);
}

/** A document that was dropped or rerouted is not given to the processors that follow. */
function isOver(document: IngestDocument): boolean {
  return document.isDropped || document.isRerouted;
}

/** Remembers on the document which processor failed first with an error, before outer ones see it. */
function failureOf(
  document: IngestDocument,
  thrown: unknown,
  { type, tag }: { readonly type: string; readonly tag: string | null },
): ApiError {
  const error = toApiError(thrown);
  if (document.failure?.error !== error) document.failure = { error, type, tag, pipeline: innermostPipeline(document) };
  return error;
}

/** Name of the innermost pipeline; null if it was not called by another one. */
function innermostPipeline({ pipelines }: IngestDocument): string | null {
  return pipelines.length > 1 ? pipelines[0]! : null;
}

const FAILURE_FIELDS = [
  'on_failure_message',
  'on_failure_processor_type',
  'on_failure_processor_tag',
  'on_failure_pipeline',
];

function recover(onFailure: readonly Processor[], document: IngestDocument, run: IngestRun, thrown: unknown): Pending {
  if (onFailure.length === 0) throw thrown;
  const { failure, ingest } = document;
  ingest['on_failure_message'] = rootReason(toApiError(thrown));
  ingest['on_failure_processor_type'] = failure?.type ?? null;
  ingest['on_failure_processor_tag'] = failure?.tag ?? null;
  if ((failure?.pipeline ?? null) !== null) ingest['on_failure_pipeline'] = failure?.pipeline;
  return settle(
    () => runAll(onFailure, document, run),
    () => FAILURE_FIELDS.forEach((field) => delete ingest[field]),
  );
}

function rootReason(error: ApiError): string | null {
  let root = error;
  while (root.causedBy) root = root.causedBy;
  return root.reason;
}

/** Counts the beginning of a run and returns its time. */
function begin(counters: IngestCounters, run: IngestRun): number {
  counters.current++;
  run.running.push(counters);
  return run.monotonic();
}

/** Counts the end of a run. */
function end(counters: IngestCounters, run: IngestRun, startedMs: number, hasFailed: boolean): void {
  run.running.pop();
  counters.current--;
  counters.add(run.monotonic() - startedMs, hasFailed);
}

/** Runs something, and `after` when it has ended in any way. */
function ending(run: () => Pending, after: (hasFailed: boolean) => void): Pending {
  let pending: Pending;
  try {
    pending = run();
  } catch (thrown) {
    after(true);
    throw thrown;
  }
  const failed = (thrown: unknown): never => {
    after(true);
    throw thrown;
  };
  if (pending) return pending.then(() => after(false), failed);
  after(false);
}

/** Runs something; if it throws or rejects, returns what `recovery` makes of the error. */
export function attempt(run: () => Pending, recovery: (thrown: unknown) => Pending): Pending {
  let pending: Pending;
  try {
    pending = run();
  } catch (thrown) {
    return recovery(thrown);
  }
  return pending ? pending.catch(recovery) : undefined;
}

/** Runs something, and `end` when it has ended in any way. */
export function settle(run: () => Pending, end: () => void): Pending {
  let pending: Pending;
  try {
    pending = run();
  } catch (thrown) {
    end();
    throw thrown;
  }
  if (pending) return pending.finally(end);
  end();
}
