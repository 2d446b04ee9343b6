import type { JsonObject } from '@shoal/json';
import type { CalendarEvent } from '@shoal/learning';
import { calendarEventsOf } from '../calendars/calendars.js';
import { filterItems } from '../calendars/filters.js';
import type { KeptDocument, MlDocuments } from '../documents/ml-documents.js';
import { CONFIG_INDEX } from '../documents/ml-indices.js';
import { type JobConfig, parseJob } from './job-config.js';
import { missingJob } from './job-id.js';

/** Jobs that a list returns at most. */
export const CONFIGS_MAX = 10_000;
export const jobDocumentId = (id: string): string => `anomaly_detector-${id}`;

/** A job as it is stored, with the filters that its rules name. */
export interface StoredJob {
  readonly id: string;
  readonly config: JobConfig;
  readonly json: JsonObject;
  readonly document: KeptDocument;
}

function storedJob(document: KeptDocument): StoredJob {
  const { config_type: _, ...json } = document.source;
  const id = String(json['job_id']);
  const nowMs = Number(json['create_time']);
  const site = { nowMs, memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };
  return { id, config: parseJob(id, json, site, true), json, document };
}

/** Returns a job; null if there is none. */
export async function loadJobOrNull(documents: MlDocuments, id: string): Promise<StoredJob | null> {
  const found = await documents.get(CONFIG_INDEX, jobDocumentId(id));
  return found === null ? null : storedJob(found);
}

/** Returns a job. Throws resource_not_found_exception. */
export async function loadJob(documents: MlDocuments, id: string): Promise<StoredJob> {
  const found = await loadJobOrNull(documents, id);
  if (found === null) throw missingJob(id);
  return found;
}

/** Returns all jobs. */
export async function allJobs(documents: MlDocuments): Promise<StoredJob[]> {
  const query = { term: { job_type: 'anomaly_detector' } };
  const { hits } = await documents.search(CONFIG_INDEX, { size: CONFIGS_MAX, query });
  return hits.map(({ id, source }) => storedJob({ id, source, seqNo: 0, primaryTerm: 0 }));
}

/** Items of the filters that the rules of a job name. */
export async function filtersOf(
  documents: MlDocuments,
  { detectors }: JobConfig,
): Promise<Record<string, readonly string[]>> {
  const names = new Set(detectors.flatMap((detector) => detector.filters));
  const filters: Record<string, readonly string[]> = {};
  for (const name of names) filters[name] = await filterItems(documents, name);
  return filters;
}

/** What a job needs besides its configuration when it opens. */
export interface JobSurroundings {
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly calendar: readonly CalendarEvent[];
}

export async function jobSurroundings(documents: MlDocuments, { id, config }: StoredJob): Promise<JobSurroundings> {
  const filters = await filtersOf(documents, config);
  return { filters, calendar: await calendarEventsOf(documents, [id, ...config.groups]) };
}
