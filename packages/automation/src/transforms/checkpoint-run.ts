import type { Clock } from '@shoal/doors';
import { isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { OwnCalls } from '@shoal/coordinator';
import { pause } from '@shoal/doors';
import { type CheckpointSpan, narrows, onlyGroups, queryChanged, queryOfGroups, queryUntil } from './changed-groups.js';
import type { GroupSource } from './group-sources.js';
import { latestGroups, latestPage, latestRequest } from './latest.js';
import { countAggregations, groupsOf, groupsRequest, type MadePage, pivotPage } from './pivot.js';
import type { TransformConfig } from './transform-config.js';
import type { OpenCheckpoint, TransformCounters } from './transform-progress.js';

const PAGE_SIZE_MIN = 10;
/**
 * Results of aggregations in a page: a page of 500 groups with 1,000 aggregations would be read, made into documents
 * and written at half a second each.
 */
const PAGE_RESULTS_MAX = 20_000;
/** A point in time is kept for five minutes without a search: over longer waits of the throttle another is opened. */
const PIT_WAIT_MS = 120_000;
/** Errors of a page that was too large. */
const TOO_LARGE: ReadonlySet<string> = new Set(['circuit_breaking_exception', 'too_many_buckets_exception']);

/** What a run needs, and what it tells. */
export interface CheckpointSite {
  readonly config: TransformConfig;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly stats: TransformCounters;
  /** Called when the documents of a page are written: the place can be kept. */
  pageDone(): Promise<void>;
}

/** Which pages of groups are read. */
interface PagesPlan {
  readonly query: JsonObject;
  /** Where the first page begins; null for the start. */
  readonly first: JsonObject | null;
  /** Answer with the keys of the groups to make; null for all that the query finds. */
  readonly changed: JsonObject | null;
  /** Told where the next page begins, when one is written. */
  reached(after: JsonObject): void;
}

/** Makes the documents of one checkpoint, page by page. A run that is repeated writes the same documents again. */
export class CheckpointRun {
  readonly #site: CheckpointSite;
  readonly #open: OpenCheckpoint;
  readonly #span: CheckpointSpan;
  readonly #groups: readonly GroupSource[];
  #pageSize: number;
  #pit: string | null = null;

  constructor(site: CheckpointSite, open: OpenCheckpoint, fromMs: number | null) {
    const { config } = site;
    this.#site = site;
    this.#open = open;
    this.#span = { fromMs, toMs: open.toMs };
    this.#groups = config.function.kind === 'pivot' ? config.function.groups : latestGroups(config.function);
    this.#pageSize = Math.min(config.settings.maxPageSearchSize, groupsInPage(config));
  }

  /** Runs to the end, or until the signal. Throws what a search or a write throws. */
  async run(): Promise<void> {
    const { config, calls } = this.#site;
    await this.#countDocuments();
    this.#pit = config.settings.usePointInTime ? await calls.openPointInTime(config.source.index) : null;
    try {
      if (this.#span.fromMs === null || !this.#findsGroups()) await this.#allGroups();
      else await this.#changedGroups();
    } finally {
      await this.#closePointInTime();
    }
  }

  async #closePointInTime(): Promise<void> {
    const id = this.#pit;
    this.#pit = null;
    if (id !== null) await this.#site.calls.closePointInTime(id);
  }

  /** Counts the documents of the checkpoint, once, so that its progress can be told. */
  async #countDocuments(): Promise<void> {
    const { config, calls } = this.#site;
    const open = this.#open;
    if (typeof open.totalDocs === 'number') return;
    const query = this.#span.fromMs === null ? queryUntil(config, this.#span) : queryChanged(config, this.#span);
    open.totalDocs = await calls.count(config.source.index, query, config.source.runtime);
    open.docsProcessed = 0;
    open.docsIndexed = 0;
  }

  /** Whether changed documents tell which groups have to be made again; else all groups are. */
  #findsGroups(): boolean {
    return this.#groups.some(narrows);
  }

  async #allGroups(): Promise<void> {
    const query = queryUntil(this.#site.config, this.#span);
    const reached = (after: JsonObject): void => void (this.#open.after = after);
    await this.#pagesOf({ query, first: this.#open.after, changed: null, reached });
  }

  async #changedGroups(): Promise<void> {
    const { config, signal } = this.#site;
    const query = queryChanged(config, this.#span);
    for (let after: JsonObject | null = null; !signal.aborted; ) {
      const answer = await this.#search(query, (size) => groupsRequest(this.#groups, null, size, after));
      const { buckets, after_key: next } = groupsOf(answer);
      if (buckets.length === 0) return;
      const found = queryOfGroups(config, this.#groups, answer, this.#span);
      await this.#pagesOf({ query: found, first: null, changed: answer, reached: () => undefined });
      if (next === undefined) return;
      after = next;
    }
  }

  async #pagesOf({ query, first, changed, reached }: PagesPlan): Promise<void> {
    const { signal, clock } = this.#site;
    for (let after = first; !signal.aborted; ) {
      const startedMs = clock.monotonic();
      const answer = await this.#search(query, (size) => this.#request(size, after));
      const page = this.#pageOf(changed === null ? answer : onlyGroups(answer, this.#groups, changed));
      await this.#write(page);
      if (page.after === null) return;
      after = page.after;
      reached(after);
      await this.#site.pageDone();
      await this.#throttle(page.read, startedMs);
    }
  }

  #request(size: number, after: JsonObject | null): JsonObject {
    const { function: made } = this.#site.config;
    return made.kind === 'pivot'
      ? groupsRequest(made.groups, made.aggregations, size, after)
      : latestRequest(made, size, after);
  }

  #pageOf(answer: JsonObject): MadePage {
    const { config, stats, clock } = this.#site;
    const startedMs = clock.monotonic();
    const made = config.function;
    const page = made.kind === 'pivot' ? pivotPage(answer, made, config.settings) : latestPage(answer, made);
    stats.processing_total++;
    stats.processing_time_in_ms += Math.round(clock.monotonic() - startedMs);
    stats.documents_processed += page.read;
    this.#open.docsProcessed += page.read;
    return page;
  }

  /** Searches a page; one that is too large is searched again with half of its groups. */
  async #search(query: JsonObject, aggregations: (size: number) => JsonObject): Promise<JsonObject> {
    const { config, calls, clock, stats } = this.#site;
    const { source } = config;
    const startedMs = clock.monotonic();
    stats.search_total++;
    try {
      return await calls.search(source.index, {
        size: 0,
        track_total_hits: false,
        query,
        runtime_mappings: source.runtime,
        aggregations: aggregations(this.#pageSize),
        ...(this.#pit === null ? {} : { pit: { id: this.#pit, keep_alive: '5m' } }),
      });
    } catch (error) {
      stats.search_failures++;
      if (!isTooLarge(error) || this.#pageSize <= PAGE_SIZE_MIN) throw error;
      this.#pageSize = Math.max(PAGE_SIZE_MIN, this.#pageSize >> 1);
      return await this.#search(query, aggregations);
    } finally {
      stats.search_time_in_ms += Math.round(clock.monotonic() - startedMs);
      stats.pages_processed++;
    }
  }

  async #write({ documents }: MadePage): Promise<void> {
    const { config, calls, clock, stats } = this.#site;
    if (documents.length === 0) return;
    const startedMs = clock.monotonic();
    stats.index_total++;
    try {
      await calls.write(config.dest.index, documents, config.dest.pipeline);
      stats.documents_indexed += documents.length;
      this.#open.docsIndexed += documents.length;
    } catch (error) {
      stats.index_failures++;
      throw error;
    } finally {
      stats.index_time_in_ms += Math.round(clock.monotonic() - startedMs);
    }
  }

  async #throttle(read: number, startedMs: number): Promise<void> {
    const { config, clock, signal } = this.#site;
    const { docsPerSecond } = config.settings;
    if (docsPerSecond === null) return;
    const waitMs = startedMs + (read / docsPerSecond) * 1000 - clock.monotonic();
    const isLong = this.#pit !== null && waitMs > PIT_WAIT_MS;
    if (isLong) await this.#closePointInTime();
    await pause(clock, waitMs, signal);
    // What the next pages find is bounded by the time of the checkpoint, not by the point in time.
    if (isLong && !signal.aborted) this.#pit = await this.#site.calls.openPointInTime(config.source.index);
  }
}

/** Groups whose results a page has room for. */
function groupsInPage({ function: made }: TransformConfig): number {
  const each = made.kind === 'pivot' ? Math.max(1, countAggregations(made.aggregations)) : 1;
  return Math.max(PAGE_SIZE_MIN, Math.floor(PAGE_RESULTS_MAX / each));
}

function isTooLarge(error: unknown): boolean {
  for (let at: unknown = error; isApiError(at); at = at.causedBy) if (TOO_LARGE.has(at.type)) return true;
  return false;
}
