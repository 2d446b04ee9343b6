import type { Decider } from './decider.js';

const NAME = 'node_replacement';

/** Named in explanations as Elasticsearch does; replacing one node by another is asked for by filters. */
export const nodeReplacement: Decider = {
  name: NAME,
  canAllocate: (_copy, _node, allocation) => (allocation.explains ? allocation.decide(NAME, 'YES', () => 'there are no ongoing node replacements') : null),
};
