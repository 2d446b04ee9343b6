import type { JsonObject } from '@shoal/json';
import { ANNOTATIONS_READ, ANNOTATIONS_WRITE, ensureAnnotations, hasAnnotations } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import { type AnnotationEvent, annotationSource, type JobAnnotation, SYSTEM_USER } from './annotation-lines.js';
import { bulkLines } from './result-lines.js';

/** Writes an annotation; one of the same id is replaced. Failures are logged, not thrown. */
export async function annotate(doors: MlDoors, id: string, annotation: JobAnnotation): Promise<void> {
  const line = bulkLines([{ id, source: annotationSource(annotation) }]);
  await writeAnnotations(doors, annotation.jobId, Buffer.from(line));
}

/** Writes lines of annotations. Failures are logged, not thrown: a job does not stop for them. */
export async function writeAnnotations({ cluster, documents, log }: MlDoors, job: string, lines: Uint8Array) {
  if (lines.length === 0) return;
  try {
    await ensureAnnotations(cluster);
    await documents.bulk(ANNOTATIONS_WRITE, lines);
  } catch (error) {
    log.write('warn', 'annotations were not written', { 'ml.job': job, error });
  }
}

/** Which annotations of a job are deleted: those from a time on, of some events; by users only if told so. */
export interface AnnotationChoice {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly events?: readonly AnnotationEvent[];
  readonly includesUsers?: boolean;
}

/** Deletes annotations of a job. */
export async function removeAnnotations(
  { cluster, documents }: MlDoors,
  job: string,
  choice: AnnotationChoice,
): Promise<void> {
  if (!hasAnnotations(cluster)) return;
  const { fromMs, toMs, events, includesUsers = false } = choice;
  const isBetween = {
    range: {
      timestamp: { ...(fromMs === undefined ? {} : { gte: fromMs }), ...(toMs === undefined ? {} : { lt: toMs }) },
    },
  };
  const filter: JsonObject[] = [
    { term: { job_id: job } },
    isBetween,
    ...(events === undefined ? [] : [{ terms: { event: events } }]),
    ...(includesUsers ? [] : [{ term: { create_username: SYSTEM_USER } }]),
  ];
  await documents.calls.deleteMatching(ANNOTATIONS_READ, { bool: { filter } });
}
