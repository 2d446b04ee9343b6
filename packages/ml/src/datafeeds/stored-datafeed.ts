import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { Authentication } from '@shoal/security';
import type { KeptDocument, MlDocuments } from '../documents/ml-documents.js';
import { CONFIG_INDEX } from '../documents/ml-indices.js';
import { CONFIGS_MAX } from '../jobs/stored-job.js';
import { type DatafeedConfig, parseDatafeed } from './datafeed-config.js';

export const datafeedDocumentId = (id: string): string => `datafeed-${id}`;
export const missingDatafeed = (id: string): ApiError => errors.resourceNotFound(`No datafeed with id [${id}] exists`);

/** A datafeed as it is stored, with who made it. */
export interface StoredDatafeed {
  readonly id: string;
  readonly config: DatafeedConfig;
  readonly json: JsonObject;
  /** Null without security. */
  readonly authentication: Authentication | null;
  readonly document: KeptDocument;
}

function storedDatafeed(document: KeptDocument): StoredDatafeed {
  const { config_type: _, authentication, ...json } = document.source;
  const id = String(json['datafeed_id']);
  const who = (authentication ?? null) as Authentication | null;
  return { id, config: parseDatafeed(id, json, true), json, authentication: who, document };
}

/** Returns a datafeed. Throws resource_not_found_exception. */
export async function loadDatafeed(documents: MlDocuments, id: string): Promise<StoredDatafeed> {
  const found = await documents.get(CONFIG_INDEX, datafeedDocumentId(id));
  if (found === null) throw missingDatafeed(id);
  return storedDatafeed(found);
}

/** Returns all datafeeds. */
export async function allDatafeeds(documents: MlDocuments): Promise<StoredDatafeed[]> {
  const query = { term: { config_type: 'datafeed' } };
  const { hits } = await documents.search(CONFIG_INDEX, { size: CONFIGS_MAX, query });
  return hits.map(({ id, source }) => storedDatafeed({ id, source, seqNo: 0, primaryTerm: 0 }));
}
