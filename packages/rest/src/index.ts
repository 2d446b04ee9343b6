export { createHttpStats, type HttpStats } from './http-stats.js';
export type { Method, Params, RestRequest, RestResponse, Route } from './route.js';
export type { NodeFacts, Services } from './services.js';
