export { JobExecutor } from './jobs/job-executor.js';
export { createJobRoom, type ModelRoom } from './jobs/job-room.js';
export type { FlushOptions } from './jobs/flush-options.js';
export { MlService } from './ml-service.js';
export { openMl, type OpenMl } from './open-ml.js';
