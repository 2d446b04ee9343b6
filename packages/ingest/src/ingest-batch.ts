import type { JsonObject } from '@shoal/json';
import type { IngestItem, PipelineNames } from './ingest-item.js';
import type { PipelineBodies } from './pipeline-set.js';

/** Documents of a request with pipelines to run. */
export interface IngestBatch {
  /** All pipelines that there are, by name. */
  readonly pipelines: PipelineBodies;
  readonly items: readonly IngestItem[];
  /** The caller of the request, as `set_security_user` shows it; null if security is off. */
  readonly user: JsonObject | null;
  /** Returns the pipelines of an index to which a pipeline sent a document. */
  readonly pipelinesOf: (index: string) => PipelineNames;
}
