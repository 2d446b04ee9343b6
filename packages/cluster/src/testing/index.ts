export { TASKS } from '../tasks/catalogue.js';
export type { Task, TaskResult } from '../tasks/task.js';
export { TestCluster, testNode } from '../allocation/testing/clusters.js';
