export {
  acceptedIn,
  errorText,
  FIXTURE_NOW_MS,
  type MemoryIndex,
  type MemoryIndexOptions,
  memoryIndex,
} from './memory-index.js';
