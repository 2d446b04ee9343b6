export {
  type Channel,
  type ChannelHandler,
  type LocalChannel,
  type LocalHandler,
  type MessagePair,
  type ShardKey,
  type RequestOptions,
  type RequestOrigin,
  sendMessage,
  withLocalHandler,
} from './channel.js';
export { attempts, type Backoff, pauseBehind } from './attempts.js';
export { pause } from './pause.js';
export { fakeClock, type Clock, type FakeClock, type TimerHandle } from './clock.js';
export { Fifo } from './fifo.js';
export { type Files, memoryFiles, type OpenFile } from './files.js';
export { type AbortCause, abortCauseOf, LazySignal } from './lazy-signal.js';
export { type Log, type LogFields, type LogLevel, silentLog } from './log.js';
export { createRateLimit } from './rate-limit.js';
export { type Random, seededRandom } from './random.js';
export {
  type BatchOperation,
  type KeyValueStore,
  type KeyValueStores,
  type KeyRange,
  memoryStores,
} from './key-value-store.js';
export { isSpaceError } from './space-error.js';
export { newUuid } from './uuid.js';
export { createTurns, inTurns, type Turns, type TurnsLimits } from './turns.js';
