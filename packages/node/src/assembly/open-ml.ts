import type { Coordinator } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { InferenceModels } from '@shoal/ingest';
import { openMl as openRoom, type OpenMl } from '@shoal/ml';
import { type Authentication, EVERYBODY, type Security, type Subject } from '@shoal/security';
import type { NodeSettings } from '../settings/load-settings.js';
import { namedLog } from '../log/named-log.js';
import type { Membership } from './membership-api.js';
import type { Placement } from './placement.js';
import type { NodeDoors } from './node-doors.js';

/** Share of the memory of a node that models may have. */
const MODEL_SHARE = 0.3;

/** Least old space of the thread of models, in megabytes, and its share of the memory of the node. */
const HEAP_MB_LEAST = 64;
const HEAP_SHARE = 0.2;

/** Returns the old space of the thread of models in megabytes; pages of series lie outside it. */
export const modelHeapMb = ({ memoryBytes }: { readonly memoryBytes: number }): number =>
  Math.max(HEAP_MB_LEAST, Math.floor((HEAP_SHARE * memoryBytes) / 2 ** 20));

/** Answers processors and searches that ask trained models, once these are open: pipelines run before. */
export function lateInference(): InferenceModels & { serve(models: InferenceModels): void } {
  let models: InferenceModels | null = null;
  const opened = (): InferenceModels => {
    if (models === null) throw errors.illegalState('trained models are not open yet', { status: 503 });
    return models;
  };
  return {
    serve: (served) => void (models = served),
    infer: (request) => opened().infer(request),
    predictor: (modelId) => opened().predictor(modelId),
    rankModel: (modelId) => opened().rankModel(modelId),
  };
}

interface Parts {
  readonly settings: NodeSettings;
  readonly membership: Membership;
  readonly coordinator: Coordinator;
  readonly security: Security | null;
  readonly placement: Placement;
  /** Gets the trained models. */
  readonly inference: ReturnType<typeof lateInference>;
  /** Bytes for the whole node. */
  readonly memoryBytes: number;
}

/** Returns who made something is now. What was made while security was off would run with all rights: it is refused. */
export function makerOf(
  security: Pick<Security, 'subjectOf'> | null,
): (authentication: Authentication | null, what: string) => Subject {
  return (authentication, what) => {
    if (security === null) return EVERYBODY;
    if (authentication !== null) return security.subjectOf(authentication);
    throw errors.security(
      `${what} was made without authentication and cannot run: update it, so that it has your rights`,
    );
  };
}

/** Opens machine learning on the services of a node. */
export function openMl(
  { settings, membership: { cluster, localNode }, coordinator, security, placement, memoryBytes, inference }: Parts,
  { clock, random, log, remoteHttp }: NodeDoors,
): OpenMl & { close(): Promise<void> } {
  const [room, analysisRoom] = [placement.openModels(), placement.openModels()];
  const opened = openRoom({
    ...{ cluster, coordinator, room, analysisRoom, clock, random, log: namedLog(log, 'shoal.ml') },
    ...{ nodeId: localNode.id, nodeName: localNode.name, modelBytes: Math.floor(MODEL_SHARE * memoryBytes) },
    ...{ remoteHttp, webhookHosts: settings.list('shoal.ml.alerts.allowed_hosts') },
    subjectOf: makerOf(security),
  });
  inference.serve(opened.service.models);
  const close = async (): Promise<void> => {
    await Promise.all([room.close(), analysisRoom.close()]);
  };
  return { ...opened, close };
}
