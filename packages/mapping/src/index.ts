export type * from './field-type.js';
export type * from './mapping-api.js';
