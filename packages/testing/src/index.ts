export { anyText } from './any-text.js';
export { bench } from './bench.js';
export { kernelContract } from './kernel-contract.js';
export { runs } from './runs.js';
export { type RunCommand, type ScenarioCommand, scenarios } from './scenario.js';
