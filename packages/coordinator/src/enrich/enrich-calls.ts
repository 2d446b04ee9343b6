import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { readsPattern } from '@shoal/security';
import { OPEN_ONLY, resolveDateMath, searchTargets } from '@shoal/state';
import { ACTIONS, accessOf } from '../access.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { TaskInfo } from '../tasks/task-registry.js';
import { indicesOfPolicy } from './enrich-index.js';
import { checkSourceMapping, type EnrichPolicy, parsePolicy, storedPolicy } from './enrich-policy.js';
import type { EnrichStats, PolicySources } from './enrich-sources.js';
import { executePolicy } from './execute-policy.js';

/** Action of the tasks that execute policies. */
const EXECUTION = 'policy_execution';

const LIMITED =
  'Enrich policies are not allowed for users when field or document level security is enabled on one of their indices';

/** What a node tells of enrich. */
export interface NodeEnrichStats {
  readonly cache: EnrichStats;
  /** Executions that run on the node; their description is the name of the policy. */
  readonly executing: readonly TaskInfo[];
}

/** Calls about enrich policies. */
export interface EnrichCalls {
  /** Reads the body of a new policy. Throws if the caller may not read its indices, or they lack its fields. */
  parse(name: string, body: JsonObject, call: CallContext): EnrichPolicy;
  /** Starts to execute a policy as a task of this node and returns its id. Throws if the node executes it already. */
  execute(name: string, headers: Readonly<Record<string, string>>): number;
  /** Resolves when a task of `execute` has ended; rejects with its error. */
  executed(id: number): Promise<void>;
  /** Deletes a policy and its indices. */
  remove(name: string, submit: (name: string) => Promise<unknown>): Promise<unknown>;
  stats(): NodeEnrichStats;
}

/** A pattern of the policy as executions read it. */
const resolved = (pattern: string, nowMs: number): string =>
  pattern === '_all' ? '*' : resolveDateMath(pattern, nowMs);

/** Makes the calls of a coordinator. */
export function enrichCalls(context: CoordinatorContext, sources: PolicySources): EnrichCalls {
  const { cluster, clock, tasks } = context;
  const executing = (): TaskInfo[] => tasks.list().filter(({ action }) => action === EXECUTION);
  return {
    parse(name, body, call) {
      const policy = parsePolicy(name, body);
      const access = accessOf(call, ACTIONS.search);
      const targets = searchTargets(cluster.state(), policy.indices, OPEN_ONLY, null, access, clock.now());
      // Executions read as the node itself: the policy would show what is hidden from its maker.
      if (targets.some(({ limits }) => limits !== null)) throw errors.security(LIMITED, { status: 400 });
      for (const { index } of targets) checkSourceMapping(name, policy, index);
      // The patterns themselves: executions find indices that the caller may not read, and those that come later.
      const patterns = policy.indices.filter((index) => !index.startsWith('-'));
      if (!patterns.every((pattern) => readsPattern(call.subject.permissions, resolved(pattern, clock.now()))))
        throw errors.security(
          'unable to store policy because no indices match with the specified index patterns ' +
            `[${policy.indices.join(', ')}]`,
        );
      return policy;
    },
    execute(name, headers) {
      if (storedPolicy(cluster.state(), name) === null)
        throw errors.resourceNotFound(`policy [${name}] does not exist`);
      if (executing().some(({ description }) => description === name)) {
        throw errors.rejectedExecution(
          `Could not obtain lock because policy execution for [${name}] is already in progress.`,
        );
      }
      const ending = new AbortController();
      const cancel = (reason: string): void => ending.abort(new Error(reason));
      return tasks.runBehind({ action: EXECUTION, description: name, headers, cancel }, async () => {
        await executePolicy(context, name, ending.signal);
        return { phase: 'COMPLETE' };
      });
    },
    async executed(id) {
      await tasks.ended(id);
      const { outcome } = tasks.finished(id)!;
      if ('error' in outcome) throw outcome.error;
    },
    async remove(name, submit) {
      const indices = indicesOfPolicy(cluster.state(), name);
      const answer = await submit(name);
      if (indices.length > 0) await cluster.submit('delete-index', { uuids: indices.map(({ uuid }) => uuid) });
      return answer;
    },
    stats: () => ({ cache: sources.stats(), executing: executing() }),
  };
}
