export { TaskRunner } from './persistent/task-runner.js';
export { QuarantineKeeper } from './quarantine/quarantine-keeper.js';
export { ProgressStore } from './transforms/progress-store.js';
export type { StoredTransform } from './transforms/stored-transform.js';
export { TransformExecutor } from './transforms/transform-executor.js';
export { type StopOptions, TransformService } from './transforms/transform-service.js';
