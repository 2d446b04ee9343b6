export { routes, securityRoutes } from './api/catalogue.js';
export { type HttpApp, type HttpAppOptions, createHttpApp } from './app.js';
export { DEFAULT_HTTP_SETTINGS, type HttpSettings } from './http-settings.js';
export { type HttpStats, createHttpStats } from './http-stats.js';
export { HANDLING_BOUNDS_MS, type RouteStats } from './route-stats.js';
export type { HttpLimits, WorkKind } from './http-limits.js';
export { type HttpServer, createHttpServer } from './server.js';
export type { Method, Params, RestRequest, RestResponse, Route } from './route.js';
export type { EnrollmentSecrets, NodeFacts, Services } from './services.js';
