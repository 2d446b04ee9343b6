// Damages inputs: JSON values by their structure, texts and bytes as what they are.

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  255,
  256,
  1e3,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e19,
  1e300,
  1e-300,
  -1e19,
];
const TEXTS = [
  '',
  ' ',
  '*',
  '?',
  '_all',
  '_id',
  '-',
  '--',
  '.',
  '..',
  '...',
  '/',
  '\\',
  '"',
  "'",
  '\u0000',
  '\ud800',
  '\u202e',
  '日本',
  '😀',
  'é',
  'ß',
  'İ',
  'a'.repeat(300),
  '0',
  '-1',
  '1e400',
  'NaN',
  'Infinity',
  'null',
  'true',
  '1d',
  '-1d',
  '1',
  '100%',
  '-5%',
  '0ms',
  '999999999999999999999d',
  '10gb',
  'now',
  'now/d',
  'now-1d/M',
  'now||',
  '2024-02-30',
  '2024-01-01||+1M/d',
  'epoch_millis',
  'yyyy-MM-dd',
  "yyyy-'",
  'uuuu-DDD',
  '[[[[',
  '(((',
  '(a+)+',
  '[a-',
  '{1,9999}',
  'a{1000}',
  '#',
  '@',
  '~',
  '<1-5>',
  '<logs-{now/d}>',
  'a:b',
  'a:(b OR',
  '"a b"~3',
  'a~2',
  '[a TO b}',
  '>=5',
  'a^2',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a.b.c',
  '.a',
  'a.',
  'a..b',
  '127.0.0.1',
  '::1',
  '10.0.0.0/8',
  'POINT (1 2)',
  'drm3btev3e86',
  '2/1/1',
  'UTC',
  '+25:00',
  'America/New_York',
  '{{a}}',
  '%00',
  '%',
  '${jndi:x}',
  '2<75%',
  '75%',
  'open',
  'none',
  'auto',
  'AUTO:3,6',
];

/** A copy of a value; null for one that is nested deeper than a copy is made. */
function clone(value) {
  try {
    return structuredClone(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function places(value, found = [], container = null, key = null) {
  found.push({ container, key, value });
  if (value !== null && typeof value === 'object')
    for (const inner of Object.keys(value)) places(value[inner], found, value, inner);
  return found;
}

/** A small value of any kind. */
export function anyValue(random, depth = 0) {
  const kind = random.below(depth > 2 ? 5 : 8);
  if (kind === 0) return random.pick(NUMBERS);
  if (kind === 1) return random.pick(TEXTS);
  if (kind === 2) return random.chance(0.5);
  if (kind === 3) return null;
  if (kind === 4) return random.chance(0.5) ? [] : {};
  if (kind === 5) return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(TEXTS), anyValue(random, depth + 1)]),
  );
}

function nested(random, value) {
  let inner = value;
  const key = random.pick(['a', 'bool', 'query', 'aggs', 'properties', 'filter', 'must']);
  for (let depth = random.pick([1, 5, 30, 100, 600]); depth > 0; depth--)
    inner = random.chance(0.5) ? { [key]: inner } : [inner];
  return inner;
}

function rename(container, key, name) {
  const entries = Object.entries(container).map(([old, value]) => [old === key ? name : old, value]);
  for (const old of Object.keys(container)) delete container[old];
  for (const [old, value] of entries)
    Object.defineProperty(container, old, { value, enumerable: true, configurable: true, writable: true });
}

function step(random, root, others) {
  const all = places(root);
  const { container, key, value } = random.pick(all);
  if (container === null) return random.chance(0.9) ? root : anyValue(random);
  switch (random.below(9)) {
    case 0:
      container[key] = anyValue(random);
      break;
    case 1:
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete container[key];
      break;
    case 2:
      container[key] = clone(random.pick(all).value);
      break;
    case 3:
      if (!Array.isArray(container)) rename(container, key, random.pick(TEXTS));
      break;
    case 4:
      container[key] = [value, anyValue(random)];
      break;
    case 5:
      container[key] = nested(random, value);
      break;
    case 6:
      container[key] = clone(random.pick(places(random.pick(others))).value);
      break;
    case 7:
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        value[random.pick(TEXTS)] = anyValue(random);
      break;
    default:
      container[key] = typeof value === 'number' ? random.pick(NUMBERS) : random.pick(TEXTS);
  }
  return root;
}

/** A copy of a JSON value with some places changed; `others` are values that pieces are taken from. */
export function mutateValue(random, value, others) {
  let changed = clone(value);
  for (let steps = random.pick([0, 1, 1, 1, 2, 3, 6]); steps > 0; steps--) changed = step(random, changed, others);
  return changed;
}

/** A copy of bytes with some of them changed, cut, doubled or put in. */
export function mutateBytes(random, bytes) {
  let out = Uint8Array.from(bytes);
  for (let steps = random.pick([1, 1, 2, 4]); steps > 0; steps--) {
    const at = random.below(out.length + 1);
    const kind = random.below(5);
    if (kind === 0 && at < out.length) out[at] = random.below(256);
    else if (kind === 1) out = out.slice(0, at);
    else if (kind === 2)
      out = Uint8Array.from([...out.subarray(0, at), ...random.bytes(1 + random.below(8)), ...out.subarray(at)]);
    else if (kind === 3) out = Uint8Array.from([...out.subarray(0, at), ...out.subarray(random.below(out.length + 1))]);
    else if (at < out.length) out[at] ^= 1 << random.below(8);
  }
  return out;
}

/** A copy of a text with pieces changed. */
export function mutateText(random, text) {
  if (random.chance(0.15)) return random.pick(TEXTS);
  let out = text;
  for (let steps = random.pick([0, 1, 1, 2, 3]); steps > 0; steps--) {
    const at = random.below(out.length + 1);
    const kind = random.below(4);
    if (kind === 0) out = out.slice(0, at) + random.pick(TEXTS) + out.slice(at);
    else if (kind === 1) out = out.slice(0, at) + out.slice(at + 1 + random.below(3));
    else if (kind === 2) out = out.slice(0, at) + String.fromCharCode(random.below(0x300)) + out.slice(at);
    else out = out.slice(0, at) + out.slice(random.below(out.length + 1));
  }
  return out;
}

/** JSON text of a value, now and then damaged as text: duplicate keys, cut, bad bytes. */
export function jsonText(random, value) {
  const text = JSON.stringify(value) ?? 'null';
  if (random.chance(0.9)) return Buffer.from(text);
  if (random.chance(0.3)) return Buffer.from(text.replace(/\{("[^"]*":[^,{}[\]]*)/, '{$1,$1'));
  return Buffer.from(mutateBytes(random, Buffer.from(text)));
}
