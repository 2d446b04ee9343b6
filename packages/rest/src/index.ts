export type { Method, Params, RestRequest, RestResponse, Route } from './route.js';
