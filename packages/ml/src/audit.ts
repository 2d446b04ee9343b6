import type { JsonObject } from '@shoal/json';
import { NOTIFICATIONS_INDEX } from './documents/ml-indices.js';
import type { MlDoors } from './ml-doors.js';

/** Writes a message about a job where the API's users look for it. Failures of the write are logged, not thrown. */
export async function notify(
  { documents, clock, log, nodeName, random }: MlDoors,
  jobId: string,
  level: 'info' | 'warning' | 'error',
  message: string,
  jobType: 'anomaly_detector' | 'data_frame_analytics' = 'anomaly_detector',
): Promise<void> {
  const id = Buffer.from(random.bytes(15)).toString('base64url');
  const source: JsonObject = {
    ...{ job_id: jobId, message, level, timestamp: clock.now(), node_name: nodeName, job_type: jobType },
  };
  await documents
    .put(NOTIFICATIONS_INDEX, id, source, null, false)
    .catch((error: unknown) => log.write('warn', 'a notification was not written', { 'ml.job': jobId, error }));
}
