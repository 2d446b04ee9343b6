export { decodeLimits, encodeLimits, type MessageLimits } from './access-limits.js';
export * as control from './generated/control.js';
export * as coordination from './generated/coordination.js';
export * as coordinator from './generated/coordinator.js';
export * as master from './generated/master.js';
export * as node from './generated/node.js';
export * as recovery from './generated/recovery.js';
export * as replication from './generated/replication.js';
export * as shard from './generated/shard.js';
export * as stores from './generated/stores.js';
export * as threads from './generated/threads.js';
export * as transport from './generated/transport.js';
export {
  type Answerer,
  answerers,
  answerersByShard,
  type Handler,
  localAnswers,
  type Method,
  type Pool,
  type Route,
  type Service,
} from './method.js';
export { methodOf } from './methods.js';
export { sourceFilterOf } from './source-filter.js';
export { answerFromVersion1, answerToVersion1 } from './version-1.js';
export { requestFromVersion1, requestToVersion1 } from './version-1-requests.js';
export { PROTOCOL_VERSIONS } from './versions.js';
export { errorMessage, errorOf, NO_ERROR } from './wire-error.js';
