import type { AddBlockBody } from './add-block.js';
import type { AutoCreateIndexBody } from './auto-create-index.js';
import type { ClusterSettingsBody } from './cluster-settings-task.js';
import type { CreateIndexBody } from './create-index.js';
import type { CreateDownsampledBody, FinishDownsampledBody } from './downsample-tasks.js';
import type { DeleteIndexBody } from './delete-index.js';
import type { DeleteEnrichPolicyBody, PutEnrichPolicyBody } from './enrich-tasks.js';
import type { ExplainAllocationBody } from './explain-allocation.js';
import type { NodeDrainingBody } from './node-tasks.js';
import type { OpenCloseBody } from './open-close-index.js';
import type {
  DeleteLifecyclePolicyBody,
  MoveLifecyclesBody,
  OperationModeBody,
  PutLifecyclePolicyBody,
} from './lifecycle-tasks.js';
import type {
  MergePersistentTaskParamsBody,
  MlUpgradeModeBody,
  RemovePersistentTaskBody,
  StartPersistentTaskBody,
  UpdatePersistentTaskBody,
} from './persistent-tasks.js';
import type { MigrateToDataTiersBody, TierMigration } from './migrate-to-data-tiers.js';
import type { ModifyDataStreamsBody } from './modify-data-streams.js';
import type { DeletePipelinesBody, PutPipelineBody } from './pipeline-tasks.js';
import type { DynamicMappingBody, PutMappingBody } from './put-mapping.js';
import type { RerouteBody } from './reroute.js';
import type { ResizeBody } from './resize.js';
import type { BeginRepositoryChangeBody, EndRepositoryChangeBody } from './repository-tasks.js';
import type { RestoredStreamBody, RestoreGlobalStateBody } from './restore-global-state.js';
import type { RestoreIndexBody } from './restore-index.js';
import type { RolloverBody } from './rollover.js';
import type { DeleteEntriesBody, MergeEntryAnswer, MergeEntryBody, PutEntryBody } from './section-tasks.js';
import type { ShardStoresAnswer, ShardStoresBody } from './shard-stores.js';
import type { ShardFailedBody, ShardStartedBody, YieldPrimaryBody } from './shard-tasks.js';
import type { DeleteStoredScriptBody, PutStoredScriptBody } from './stored-script-tasks.js';
import type {
  NoteSnapshotPolicyAnswer,
  NoteSnapshotPolicyBody,
  PutSnapshotPolicyBody,
} from './snapshot-policy-tasks.js';
import type { SetStreamLifecycleBody } from './stream-lifecycle-tasks.js';
import type { UpdateAliasesBody } from './update-aliases.js';
import type { UpdateSettingsBody } from './update-settings.js';
import type { AddVotingExclusionsBody } from './voting-exclusions.js';

/** What the submitter of a task hands over, by the task's name: `TaskBodies['create-index']`. */
export interface TaskBodies {
  readonly 'add-block': AddBlockBody;
  readonly 'add-voting-exclusions': AddVotingExclusionsBody;
  readonly 'auto-create-index': AutoCreateIndexBody;
  readonly 'begin-repository-change': BeginRepositoryChangeBody;
  readonly 'end-repository-change': EndRepositoryChangeBody;
  readonly 'close-index': OpenCloseBody;
  readonly 'cluster-settings': ClusterSettingsBody;
  readonly 'create-index': CreateIndexBody;
  readonly 'delete-enrich-policy': DeleteEnrichPolicyBody;
  readonly 'delete-entries': DeleteEntriesBody;
  readonly 'delete-index': DeleteIndexBody;
  readonly 'create-downsampled': CreateDownsampledBody;
  readonly 'finish-downsampled': FinishDownsampledBody;
  readonly 'extend-series-windows': Readonly<Record<string, never>>;
  readonly 'delete-lifecycle-policy': DeleteLifecyclePolicyBody;
  readonly 'delete-pipelines': DeletePipelinesBody;
  readonly 'delete-stored-script': DeleteStoredScriptBody;
  readonly 'dynamic-mapping': DynamicMappingBody;
  readonly 'explain-allocation': ExplainAllocationBody;
  readonly 'merge-entry': MergeEntryBody;
  readonly 'merge-persistent-task-params': MergePersistentTaskParamsBody;
  readonly 'migrate-to-data-stream': { readonly alias: string };
  readonly 'migrate-to-data-tiers': MigrateToDataTiersBody;
  readonly 'modify-data-streams': ModifyDataStreamsBody;
  readonly 'move-lifecycles': MoveLifecyclesBody;
  readonly 'node-draining': NodeDrainingBody;
  readonly 'note-snapshot-policy': NoteSnapshotPolicyBody;
  readonly 'open-index': OpenCloseBody;
  readonly 'put-enrich-policy': PutEnrichPolicyBody;
  readonly 'put-entry': PutEntryBody;
  readonly 'put-lifecycle-policy': PutLifecyclePolicyBody;
  readonly 'put-mapping': PutMappingBody;
  readonly 'put-pipeline': PutPipelineBody;
  readonly 'put-snapshot-policy': PutSnapshotPolicyBody;
  readonly 'put-stored-script': PutStoredScriptBody;
  readonly 'remove-persistent-task': RemovePersistentTaskBody;
  readonly reroute: RerouteBody;
  readonly resize: ResizeBody;
  readonly 'restore-data-streams': { readonly streams: readonly RestoredStreamBody[] };
  readonly 'restore-global-state': RestoreGlobalStateBody;
  readonly 'restore-index': RestoreIndexBody;
  readonly rollover: RolloverBody;
  readonly 'set-ml-upgrade-mode': MlUpgradeModeBody;
  readonly 'set-operation-mode': OperationModeBody;
  readonly 'set-stream-lifecycle': SetStreamLifecycleBody;
  readonly 'shard-failed': ShardFailedBody;
  readonly 'shard-started': ShardStartedBody;
  readonly 'shard-stores': ShardStoresBody;
  readonly 'start-persistent-task': StartPersistentTaskBody;
  readonly 'update-aliases': UpdateAliasesBody;
  readonly 'update-persistent-task': UpdatePersistentTaskBody;
  readonly 'update-settings': UpdateSettingsBody;
  readonly 'yield-primary': YieldPrimaryBody;
}

/** What the submitter of a task gets, by the task's name, where that is more than `acknowledged`. */
export interface TaskAnswers {
  readonly 'merge-entry': MergeEntryAnswer;
  readonly 'migrate-to-data-tiers': TierMigration;
  readonly 'note-snapshot-policy': NoteSnapshotPolicyAnswer;
  readonly 'shard-stores': ShardStoresAnswer;
}
