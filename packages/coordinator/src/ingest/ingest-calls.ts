import { grokBank, type IngestStats, type SimulateRequest } from '@shoal/ingest';
import { type JsonObject, keepDoublesInTurns } from '@shoal/json';
import { section } from '@shoal/state';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { checkProcessors } from './check-processors.js';
import { ingestUser } from './ingest-user.js';
import { takeTurns } from '../turns.js';
import type { SimulateBody } from './simulate-body.js';
import { simulateIndex, type SimulateIndexRequest } from './simulate-index.js';

/** A `_simulate` call of one pipeline. */
type SimulateCall = Omit<SimulateRequest, 'body' | 'user'> & { readonly body: SimulateBody };

/** Calls about pipelines that change no document. */
export interface IngestCalls {
  /** Returns the named patterns of grok; with names of the Elastic Common Schema if `isEcs`. */
  grokPatterns(isEcs: boolean): Readonly<Record<string, string>>;
  /** Compiles the body of a pipeline, and checks that all ingest nodes have its processors. Throws its errors. */
  check(name: string, body: JsonObject): Promise<void>;
  /** Answers `_simulate` of one pipeline. */
  simulate(request: SimulateCall, call: CallContext): Promise<Record<string, unknown>>;
  /** Answers `_ingest/_simulate`: documents with the pipelines of their indices. */
  simulateIndex(request: SimulateIndexRequest, call: CallContext): Promise<Record<string, unknown>>;
  /** Statistics of the pipelines that ran on this node. */
  stats(): IngestStats;
  /** Names of the types of processors. */
  readonly processorTypes: readonly string[];
}

/** Makes the calls of a coordinator. */
export function ingestCalls(context: CoordinatorContext): IngestCalls {
  const { ingest, cluster } = context;
  const pipelines = (): JsonObject => section(cluster.state(), 'pipelines');
  return {
    grokPatterns: grokBank,
    async check(name, body) {
      await ingest.check(name, body);
      await checkProcessors(context, body);
    },
    async simulate(request, { subject, signal }) {
      const { parsed, bytes } = request.body;
      const turns = takeTurns(context.clock, signal);
      await keepDoublesInTurns(parsed, bytes, async () => void (await turns.pause()));
      return ingest.simulate({ ...request, body: parsed, user: ingestUser(subject) }, pipelines(), signal);
    },
    simulateIndex: (request, call) => simulateIndex(context, request, call),
    stats: () => ingest.stats(pipelines()),
    processorTypes: ingest.processorTypes,
  };
}
