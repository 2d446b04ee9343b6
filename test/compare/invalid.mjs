// Makes a valid request slightly invalid: an unknown or misspelt option, a value of another type, a key too few.

function places(value, found = []) {
  if (value === null || typeof value !== 'object') return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}
const misspelt = (key) => (key.length > 3 ? key.slice(0, -1) : `${key}x`);
const OTHERS = ['x', '', -1, 1.5, 0, true, null, [], {}, ['a', 'b'], { a: 1 }, 1e12];

/** Places that 8.12 never comes back from when they hold another type: its parser loops and the thread is lost. */
const isEndless = (parent, key) => key === 'filter' || key === 'per_field_analyzer' || 'max_num_terms' in parent;

function damage(r, body, isSpared) {
  const all = places(body).filter(([parent, key]) => !isSpared || !isEndless(parent, key));
  if (all.length === 0) return;
  const [parent, key] = r.pick(all);
  const kind = r.below(4);
  if (kind === 0) parent[key] = r.pick(OTHERS);
  else if (Array.isArray(parent)) parent[key] = r.pick(OTHERS);
  else if (kind === 1) parent.unknown_key = r.pick(OTHERS);
  else if (kind === 2) {
    const entries = Object.entries(parent).map(([name, value]) => [name === key ? misspelt(name) : name, value]);
    for (const name of Object.keys(parent)) delete parent[name];
    Object.assign(parent, Object.fromEntries(entries));
  } else delete parent[key];
}

/** The steps with one of them damaged. */
export function madeInvalid(r, steps) {
  const copy = structuredClone(steps);
  const step = r.pick(copy);
  const bulk = Array.isArray(step.body);
  if (step.body !== undefined && !bulk && r.chance(0.85)) damage(r, step.body, step.path.includes('termvectors'));
  else
    step.query = {
      ...step.query,
      [r.pick(['unknown', 'siz', 'pretty', 'timeout', 'preference'])]: r.pick(['x', '-1', 'true', '']),
    };
  return copy;
}
