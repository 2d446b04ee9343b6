// Makes a request that differs smaller, as long as it differs in the same way.

/** All values that are `value` with one part left out or replaced by a part of it; the largest steps first. */
export function* smaller(value) {
  if (value === null || typeof value !== 'object') return;
  const keys = Object.keys(value);
  if (Array.isArray(value)) {
    for (let size = value.length >> 1; size >= 1; size >>= 1)
      for (let at = 0; at < value.length; at += size) yield [...value.slice(0, at), ...value.slice(at + size)];
  } else for (const key of keys) yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  for (const key of keys) {
    const part = value[key];
    // bool → its clause, function_score → its query, a compound → what is inside it.
    if (part !== null && typeof part === 'object')
      for (const inner of Object.values(part))
        if (isNode(inner) && !Array.isArray(value)) yield* hoisted(value, key, inner);
    for (const less of smaller(part)) {
      if (Array.isArray(value)) yield value.map((entry, i) => (String(i) === key ? less : entry));
      else yield { ...value, [key]: less };
    }
    if (typeof part === 'string' && part.includes(' '))
      for (const word of [part.slice(0, part.lastIndexOf(' ')), part.slice(part.indexOf(' ') + 1)])
        yield Array.isArray(value)
          ? value.map((entry, i) => (String(i) === key ? word : entry))
          : { ...value, [key]: word };
  }
}
const isNode = (value) => value !== null && typeof value === 'object';
function* hoisted(value, key, inner) {
  const candidates = Array.isArray(inner) ? inner : [inner];
  for (const candidate of candidates) {
    if (!isNode(candidate)) continue;
    if (Object.keys(value).length === 1) yield candidate;
    yield { ...value, [key]: candidate };
  }
}

/** Takes smaller values as long as `stillDiffers` says so, for `tries` of them at most. */
export async function shrink(value, stillDiffers, tries) {
  let best = value;
  let left = tries;
  for (let again = true; again && left > 0; ) {
    again = false;
    for (const candidate of smaller(best)) {
      if (left-- <= 0) break;
      if (!(await stillDiffers(candidate))) continue;
      best = candidate;
      again = true;
      break;
    }
  }
  return best;
}

/** The setup with only those fields that the steps name. */
export function relevantSetup(setup, steps) {
  const text = JSON.stringify(steps);
  const named = (name) => name !== 'all' && new RegExp(`[^\\w]${name}[^\\w]`).test(text);
  const only = (object, isKept) => Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => isKept(name)));
  return setup.map((step) => {
    if (Array.isArray(step.body))
      return { ...step, body: step.body.map(([action, doc]) => [action, only(doc, named)]) };
    const properties = step.body?.mappings?.properties;
    if (properties === undefined) return step;
    const targets = new Set(
      Object.keys(properties)
        .filter(named)
        .flatMap((name) => properties[name].path ?? []),
    );
    const kept = only(properties, (name) => named(name) || targets.has(name));
    return { ...step, body: { ...step.body, mappings: { ...step.body.mappings, properties: kept } } };
  });
}
