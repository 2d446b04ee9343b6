import type { JsonObject } from '@shoal/json';
import { BUILD } from '@shoal/values';

const MB = 1024 * 1024;

/** Returns defaults and limits where models may have `modelBytes`; `isHeld`: upgrade mode. */
export function infoOf(modelBytes: number, isHeld: boolean): JsonObject {
  const limit = `${Math.max(1, Math.floor(modelBytes / MB))}mb`;
  return {
    defaults: {
      anomaly_detectors: {
        model_memory_limit: limit,
        categorization_examples_limit: 4,
        model_snapshot_retention_days: 10,
        daily_model_snapshot_retention_after_days: 1,
      },
      datafeeds: { scroll_size: 1000 },
    },
    upgrade_mode: isHeld,
    native_code: { version: '8.12.0', build_hash: BUILD.hash.slice(0, 14) },
    limits: { effective_max_model_memory_limit: limit, total_ml_memory: limit },
  };
}
