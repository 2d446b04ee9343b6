// Makes worlds and requests of a seed, asks both servers, and counts what agrees.
import { AREAS } from './areas.mjs';
import { chooser } from './chooser.mjs';
import { madeInvalid } from './invalid.mjs';
import { compared } from './pair.mjs';
import { makeWorld } from './world.mjs';

const REQUESTS_OF_A_WORLD = 60;
const SCENARIOS_BETWEEN_WORLDS = 6;
const INVALID_SHARE = 0.15;
const WORLD_ATTEMPTS = 4;

const emptyShare = () => ({ valid: 0, validEqual: 0, invalid: 0, invalidEqual: 0, allowed: 0 });

/** Counts of answers by area; a request that 8.12 refuses is an invalid one. */
export function makeShares() {
  const shares = {};
  return {
    shares,
    sent: 0,
    counter(area) {
      const share = (shares[area] ??= emptyShare());
      return (theirs, found) => {
        this.sent++;
        const valid = theirs.status < 400 ? 'valid' : 'invalid';
        share[valid]++;
        if (found === null || found.allowed) share[`${valid}Equal`]++;
        if (found?.allowed) share.allowed++;
      };
    },
  };
}

/** Leaves out documents that the two took differently; false when nothing is left to go on with. */
function leaveOut(found, prefix) {
  const { theirs, ours } = found.raw;
  if (!Array.isArray(found.step.body) || !theirs.body?.items || !ours.body?.items) return false;
  found.step.body = found.step.body.filter((_, i) => {
    const sides = [theirs, ours].map(({ body }) => ({ status: 200, body: body.items[i] }));
    return sides[0].body.index?.status === 201 && compared(found.step, ...sides, prefix) === null;
  });
  return found.step.body.length > 0;
}

/** Sends `requests` requests of the seed to both; returns shares by area. `classes` takes what differs. */
export async function drill({ both, seed, requests, areas = Object.keys(AREAS), classes, counts = makeShares() }) {
  const r = chooser(seed);
  const table = (reads) =>
    areas.filter((name) => AREAS[name].reads === reads).map((name) => [AREAS[name].weight, name]);
  const [readTable, writeTable] = [table(true), table(false)];
  const end = counts.sent + requests;

  async function openWorld() {
    const world = makeWorld(r, both.prefix);
    for (let attempt = 0; attempt < WORLD_ATTEMPTS; attempt++) {
      await both.clean();
      const found = await both.run(world.setup, attempt === 0 ? counts.counter('documents') : undefined);
      if (found === null) return world;
      if (attempt === 0) await classes.add('documents', [], structuredClone(world.setup), found, seed);
      if (!leaveOut(found, both.prefix)) return null;
    }
    return null;
  }
  async function ask(area, world) {
    const made = AREAS[area].make(r, world);
    const steps = r.chance(INVALID_SHARE) ? madeInvalid(r, made) : made;
    const found = await both.run(steps, counts.counter(area));
    if (found !== null) await classes.add(area, world.setup, steps, found, seed);
  }
  while (counts.sent < end) {
    const world = readTable.length > 0 ? await openWorld() : null;
    for (let i = 0; world !== null && i < REQUESTS_OF_A_WORLD && counts.sent < end; i++)
      await ask(r.weighted(readTable), world);
    for (let i = 0; writeTable.length > 0 && i < SCENARIOS_BETWEEN_WORLDS && counts.sent < end; i++) {
      const area = r.weighted(writeTable);
      await both.clean(area === 'templates');
      await ask(area, { prefix: both.prefix, setup: [] });
      if (area === 'templates') await both.clean(true);
    }
  }
  await both.clean(true);
}
