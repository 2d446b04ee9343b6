// Both sides of the comparison, asked the same.
import { difference, normalised, signature } from './differ.mjs';
import { allowed } from './may-differ.mjs';

/** Compares answers to one step: null, or the difference with its kind and the row that allows it. */
export function compared(step, theirs, ours, prefix) {
  const sides = [theirs, ours].map(({ status, body }) => ({ status, body: normalised(body, prefix) }));
  const found = difference(sides[0].body, sides[1].body);
  const kind = signature(...sides, found);
  if (kind === null) return null;
  const row = allowed({ step, theirs: sides[0], ours: sides[1], found });
  return { kind, step, theirs: sides[0], ours: sides[1], raw: { theirs, ours }, allowed: row };
}

/** Elasticsearch and a node; names of indices and templates begin with `prefix`. */
export function pair(peer, node, prefix) {
  return {
    prefix,
    async clean(templates = false) {
      await Promise.all([peer.clean(prefix, { templates }), node.clean(prefix, { templates })]);
    },
    /** Sends the steps to both, up to the first that differs; `count(theirs, found)` is told of each. */
    async run(steps, count = () => undefined) {
      const answers = [[], []];
      for (const step of steps) {
        const [theirs, ours] = await Promise.all([peer.send(step, answers[0]), node.send(step, answers[1])]);
        answers[0].push(theirs);
        answers[1].push(ours);
        const found = compared(step, theirs, ours, prefix);
        count(theirs, found);
        if (found !== null) return { ...found, at: answers[0].length - 1 };
      }
      return null;
    },
  };
}
