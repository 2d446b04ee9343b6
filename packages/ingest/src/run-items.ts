import type { Clock } from '@shoal/doors';
import { toApiError } from '@shoal/errors';
import type { IngestBatch } from './ingest-batch.js';
import type { IngestCounters } from './ingest-counters.js';
import { ingestItem, type IngestedItem, type IngestItem, type ItemSite } from './ingest-item.js';
import type { PipelineSet } from './pipeline-set.js';
import { ingestTimestamps } from './timestamp.js';
import type { TimeGuard } from './time-guard.js';
import { turnsOf } from './turns.js';

/** What running the documents of a batch needs. */
export interface ItemRuns {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'yield'>;
  readonly guard: TimeGuard;
  readonly set: PipelineSet;
  /** Counts all documents. */
  readonly total: IngestCounters;
}

type Outcome = IngestedItem | Promise<IngestedItem>;

/** Runs the pipelines of documents one after another, in turns of the thread. A document that fails stops no other. */
export async function runItems(batch: IngestBatch, signal: AbortSignal, runs: ItemRuns): Promise<IngestedItem[]> {
  const { items } = batch;
  const site = siteOf(batch, signal, runs);
  const results: IngestedItem[] = [];
  while (results.length < items.length) {
    const pause = site.run.pause();
    if (pause) await pause;
    const waiting = runSlice(items, results, site, runs);
    if (waiting !== null) results.push(await waiting);
  }
  return results;
}

function siteOf({ pipelinesOf, user }: IngestBatch, signal: AbortSignal, { clock, set }: ItemRuns): ItemSite {
  const monotonic = (): number => clock.monotonic();
  const run = { monotonic, pause: turnsOf(clock, signal), trace: null, user, running: [] };
  return { pipeline: set.site.pipeline, pipelinesOf, run, timestamp: ingestTimestamps(() => clock.now()) };
}

/**
 * Runs documents and adds their results, until the turn is over or one has to wait: its result is a promise then.
 * Expressions that may take for ever are watched together if there are several documents. If their time is over, the
 * document that was being worked on begins again from its bytes, and its expressions are watched one by one.
 */
function runSlice(
  items: readonly IngestItem[],
  results: IngestedItem[],
  site: ItemSite,
  runs: ItemRuns,
): Promise<IngestedItem> | null {
  const { guard } = runs;
  let waiting: Promise<IngestedItem> | null = null;
  const next = (): void => {
    const outcome = runItem(items[results.length]!, site, runs);
    if (outcome instanceof Promise) waiting = outcome;
    else results.push(outcome);
  };
  const isGuarded = guard.isWanted && items.length - results.length > 1;
  guard.isWanted = false;
  const endMs = runs.clock.monotonic() + SLICE_MS;
  const work = (): void => {
    do next();
    while (
      waiting === null &&
      results.length < items.length &&
      (isGuarded || !guard.isWanted) &&
      runs.clock.monotonic() < endMs
    );
  };
  if (!isGuarded) work();
  // The time may also be over when the last document is done, or when one waits already.
  else if (!guard.run(work) && waiting === null && results.length < items.length) {
    for (const counters of site.run.running.splice(0)) counters.current--;
    next();
  }
  return waiting;
}

/** Milliseconds of work between two looks at whether the turn of the thread is over. */
const SLICE_MS = 4;

function runItem(item: IngestItem, site: ItemSite, { clock, total }: ItemRuns): Outcome {
  const startedMs = clock.monotonic();
  const ended = (result: IngestedItem): IngestedItem => {
    total.add(clock.monotonic() - startedMs, result.kind === 'failed');
    return result;
  };
  try {
    const outcome = ingestItem(item, site);
    return outcome instanceof Promise ? outcome.catch(failed).then(ended) : ended(outcome);
  } catch (thrown) {
    return ended(failed(thrown));
  }
}

function failed(thrown: unknown): IngestedItem {
  return { kind: 'failed', error: toApiError(thrown), at: null };
}
