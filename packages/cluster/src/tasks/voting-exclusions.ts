import { errors } from '@shoal/errors';
import { clusterSetting, type ClusterState, type NodeInfo, section } from '@shoal/state';
import { withSection } from '../metadata/edit-state.js';
import { defineTask } from './task.js';

/** A node that an operator excluded from voting. */
export interface VotingExclusion {
  readonly node_id: string;
  readonly node_name: string;
}

/** Body of `addVotingExclusions`. */
export interface AddVotingExclusionsBody {
  readonly nodeIds: readonly string[];
  readonly nodeNames: readonly string[];
}

/** Returns the voting exclusions of a state (section `votingExclusions`). */
export function votingExclusions(state: ClusterState): readonly VotingExclusion[] {
  return Object.values(section(state, 'votingExclusions')) as VotingExclusion[];
}

function exclusion(nodes: readonly NodeInfo[], id: string | null, name: string | null): VotingExclusion {
  const node = nodes.find((candidate) => (id === null ? candidate.name === name : candidate.id === id));
  return { node_id: node?.id ?? id ?? '_absent_', node_name: node?.name ?? name ?? '_absent_' };
}

/** Adds voting exclusions. The answer is sent when none of the nodes is in the voting configuration. */
export const addVotingExclusions = defineTask<AddVotingExclusionsBody>({
  name: 'add-voting-exclusions',
  priority: 'URGENT',
  source: ({ nodeIds, nodeNames }) => `add-voting-config-exclusions [${[...nodeIds, ...nodeNames].join(',')}]`,
  apply(state, { nodeIds, nodeNames }) {
    const nodes = [...state.nodes.values()];
    const added = [
      ...nodeIds.map((id) => exclusion(nodes, id, null)),
      ...nodeNames.map((name) => exclusion(nodes, null, name)),
    ];
    const all = new Map(
      [...votingExclusions(state), ...added].map((item) => [`${item.node_id}/${item.node_name}`, item]),
    );
    const max = Number(clusterSetting(state, 'cluster.max_voting_config_exclusions'));
    if (all.size > max) {
      const list = added.map((item) => `{${item.node_name}}{${item.node_id}}`).join(', ');
      throw errors.illegalArgument(
        `add voting config exclusions request for nodes named ${list} would add [${added.length}] exclusions to ` +
          `the existing [${votingExclusions(state).length}] which would exceed the maximum of [${max}] set by ` +
          '[cluster.max_voting_config_exclusions]',
      );
    }
    const ids = new Set(added.map((item) => item.node_id));
    const until = ({ votingConfiguration }: ClusterState): boolean => !votingConfiguration.some((id) => ids.has(id));
    return {
      state: withSection(state, 'votingExclusions', Object.fromEntries(all)),
      answer: { timedOut: false },
      until,
      answerUnmet: { timedOut: true },
    };
  },
});

/** Removes all voting exclusions. */
export const clearVotingExclusions = defineTask<Record<string, never>>({
  name: 'clear-voting-exclusions',
  priority: 'URGENT',
  source: () => 'clear-voting-config-exclusions',
  apply: (state) => ({ state: withSection(state, 'votingExclusions', {}), answer: {} }),
});
