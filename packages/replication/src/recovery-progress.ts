/** Progress of a copy's recovery, for the recovery APIs. */
export interface RecoveryProgress {
  stage: 'INIT' | 'INDEX' | 'VERIFY_INDEX' | 'TRANSLOG' | 'FINALIZE' | 'DONE';
  readonly type: 'EMPTY_STORE' | 'EXISTING_STORE' | 'PEER' | 'LOCAL_SHARDS' | 'SNAPSHOT';
  readonly startedAtMs: number;
  endedAtMs: number;
  sourceNodeId: string | null;
  totalFiles: number;
  recoveredFiles: number;
  /** Part of the total that the copy had already. */
  reusedFiles: number;
  totalBytes: number;
  recoveredBytes: number;
  reusedBytes: number;
  totalOperations: number;
  recoveredOperations: number;
}

/** Creates the progress of a recovery that begins at `nowMs` (milliseconds since 1970). */
export function newProgress(type: RecoveryProgress['type'], nowMs: number): RecoveryProgress {
  return {
    stage: 'INIT',
    type,
    startedAtMs: nowMs,
    endedAtMs: 0,
    sourceNodeId: null,
    totalFiles: 0,
    recoveredFiles: 0,
    reusedFiles: 0,
    totalBytes: 0,
    recoveredBytes: 0,
    reusedBytes: 0,
    totalOperations: 0,
    recoveredOperations: 0,
  };
}
