import { errors } from '@shoal/errors';
import type { BodyReader, JsonObject } from '@shoal/json';
import { parseTimeValue } from '@shoal/values';

const PERSIST_LEAST_S = 3600;
const RETENTION_DAYS = 10;

/**
 * Throws 8.12's errors for settings that a call gives a job and that nothing else reads; `all` is the job with them.
 * Jobs that are stored already may have others.
 */
export function checkSettings(given: BodyReader, all: JsonObject): void {
  given.optionalText('description');
  given.optionalObject('custom_settings');
  const interval = given.optionalText('background_persist_interval');
  const everyS = interval === null ? PERSIST_LEAST_S : parseTimeValue(interval, 'background_persist_interval') / 1000;
  if (everyS < PERSIST_LEAST_S)
    throw errors.illegalArgument(
      `background_persist_interval cannot be less than ${PERSIST_LEAST_S}. Value = ${everyS}`,
    );
  const { daily_model_snapshot_retention_after_days: daily, model_snapshot_retention_days: kept = RETENTION_DAYS } =
    all;
  if (typeof daily === 'number' && daily > Number(kept))
    throw errors.illegalArgument(
      `daily_model_snapshot_retention_after_days [${daily}] cannot be greater than model_snapshot_retention_days ` +
        `[${String(kept)}]`,
    );
}
