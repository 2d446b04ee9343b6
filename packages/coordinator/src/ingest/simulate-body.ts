import type { JsonObject } from '@shoal/json';

/** A body with documents to simulate. */
export interface SimulateBody {
  /** What was parsed of the JSON; taken over. */
  readonly parsed: JsonObject;
  /** JSON. */
  readonly bytes: Uint8Array;
}
