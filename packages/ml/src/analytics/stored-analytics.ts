import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { Authentication } from '@shoal/security';
import type { KeptDocument, MlDocuments } from '../documents/ml-documents.js';
import { CONFIG_INDEX, STATE_INDEX } from '../documents/ml-indices.js';
import { CONFIGS_MAX } from '../jobs/stored-job.js';
import { type AnalyticsConfig, parseAnalytics } from './analytics-config.js';

export const analyticsDocumentId = (id: string): string => `data_frame_analytics_config-${id}`;
const progressId = (id: string): string => `data_frame_analytics-${id}-progress`;
const CONFIG_TYPE = 'data-frame-analytics-config';

export const missingAnalytics = (id: string): ApiError =>
  errors.resourceNotFound(`No known data frame analytics with id [${id}]`);

/** An analysis as it is stored, with who made it. */
export interface StoredAnalytics {
  readonly id: string;
  readonly config: AnalyticsConfig;
  readonly json: JsonObject;
  /** Null without security. */
  readonly authentication: Authentication | null;
  readonly document: KeptDocument;
}

function storedAnalytics(document: KeptDocument): StoredAnalytics {
  const { config_type: _, authentication, ...json } = document.source;
  const id = String(json['id']);
  const who = (authentication ?? null) as Authentication | null;
  return { id, config: parseAnalytics(id, json, Number.MAX_SAFE_INTEGER), json, authentication: who, document };
}

/** Returns an analysis. Throws resource_not_found_exception. */
export async function loadAnalytics(documents: MlDocuments, id: string): Promise<StoredAnalytics> {
  const found = await documents.get(CONFIG_INDEX, analyticsDocumentId(id));
  if (found === null) throw missingAnalytics(id);
  return storedAnalytics(found);
}

/** Returns all analyses. */
export async function allAnalytics(documents: MlDocuments): Promise<StoredAnalytics[]> {
  const query = { term: { config_type: CONFIG_TYPE } };
  const { hits } = await documents.search(CONFIG_INDEX, { size: CONFIGS_MAX, query });
  return hits.map(({ id, source }) => storedAnalytics({ id, source, seqNo: 0, primaryTerm: 0 }));
}

/** The document of an analysis. */
export function analyticsDocument(json: JsonObject, authentication: Authentication | null): JsonObject {
  return { ...json, config_type: CONFIG_TYPE, ...(authentication === null ? {} : { authentication }) } as JsonObject;
}

/** What an analysis had reached when it ended, or was stopped. */
export interface AnalyticsProgress {
  readonly phases: readonly (readonly [phase: string, percent: number])[];
  readonly counts: JsonObject;
  readonly peakBytes: number;
  readonly stats: JsonObject;
  readonly startedMs: number;
  readonly elapsedMs: number;
}

export async function readProgress(documents: MlDocuments, id: string): Promise<AnalyticsProgress | null> {
  const found = await documents.get(STATE_INDEX, progressId(id));
  return found === null ? null : (found.source['progress'] as unknown as AnalyticsProgress);
}

export async function writeProgress(documents: MlDocuments, id: string, progress: AnalyticsProgress): Promise<void> {
  await documents.put(STATE_INDEX, progressId(id), { progress: progress as unknown as JsonObject }, null, false);
}

export async function removeProgress(documents: MlDocuments, id: string): Promise<void> {
  await documents.remove(STATE_INDEX, progressId(id), false);
}
