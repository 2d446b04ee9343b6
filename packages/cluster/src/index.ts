export type * from './state.js';
