export { bench } from './bench.js';
export { kernelContract } from './kernel-contract.js';
export { scenarios } from './scenario.js';
