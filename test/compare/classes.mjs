// Groups what differs into classes: the same kind of difference, for requests that shrink to the same keys.
import { AREAS } from './areas.mjs';
import { skeleton } from './differ.mjs';
import { relevantSetup, shrink } from './shrink.mjs';

const READ_TRIES = 80;
const WRITE_TRIES = 15;
const SETUP_TRIES = 30;
/** So many requests of one kind of difference are shrunk; the others are only counted. */
const SHRUNK_OF_A_KIND = 3;

const isStep = (step) => typeof step?.method === 'string' && typeof step.path === 'string' && step.body !== null;

/** Classes of one drill over a pair of servers. */
export function classesOf(both, { isShrinking }) {
  const classes = new Map();
  const shrunk = new Map();
  const differs = async (steps, kind) => {
    const found = await both.run(steps);
    return found?.kind === kind && !found.allowed;
  };

  async function smallSteps(area, steps, found) {
    const kept = steps.slice(0, found.at + 1);
    const times = shrunk.get(found.kind) ?? 0;
    shrunk.set(found.kind, times + 1);
    if (!isShrinking || times >= SHRUNK_OF_A_KIND) return kept;
    const reads = AREAS[area]?.reads === true;
    const holds = async (candidate) => {
      if (candidate.length === 0 || !candidate.every(isStep)) return false;
      if (!reads) await both.clean(area === 'templates');
      return differs(candidate, found.kind);
    };
    return shrink(kept, holds, reads ? READ_TRIES : WRITE_TRIES);
  }

  return {
    /** Takes in that the last of `steps` differs. */
    async add(area, setup, steps, found, seed) {
      if (found.allowed) return;
      const small = await smallSteps(area, steps, found);
      const keys = [...skeleton(small.at(-1).body ?? {})].sort().join(' ');
      const id = `${area}: ${found.kind} | ${small.at(-1).path.split('/').at(-1)} ${keys}`;
      const old = classes.get(id);
      const one = {
        id,
        area,
        count: 1,
        setup,
        steps: small,
        seed,
        kind: found.kind,
        theirs: found.theirs,
        ours: found.ours,
      };
      const isSmaller = old === undefined || JSON.stringify(small).length < JSON.stringify(old.steps).length;
      classes.set(id, { ...(isSmaller ? one : old), count: (old?.count ?? 0) + 1 });
    },
    /** Leaves documents and fields out of the setups, as far as the requests still differ. */
    async shrinkSetups(max) {
      for (const group of this.list()
        .slice(0, max)
        .filter(({ setup }) => setup.length > 0)) {
        const holds = async (setup) => {
          if (!setup.every(isStep)) return false;
          await both.clean();
          return (await both.run(setup)) === null && (await differs(group.steps, group.kind));
        };
        const relevant = relevantSetup(group.setup, group.steps);
        const start = (await holds(relevant)) ? relevant : group.setup;
        group.setup = await shrink(start, holds, SETUP_TRIES);
        await both.clean();
        await both.run(group.setup);
        const again = await both.run(group.steps);
        if (again !== null) Object.assign(group, { theirs: again.theirs, ours: again.ours });
      }
    },
    list: () => [...classes.values()].sort((a, b) => b.count - a.count),
  };
}
