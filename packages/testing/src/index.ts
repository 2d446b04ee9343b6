export { bench } from './bench.js';
export { kernelContract } from './kernel-contract.js';
export { runs } from './runs.js';
export { scenarios } from './scenario.js';
