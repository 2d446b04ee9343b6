// Compares two answers: what cannot be equal (times, identities, addresses) is put away first.
import { FIELDS } from './fields.mjs';

const SCORES = /^(?:_score|max_score|score|value|sort|details|_explanation|explanation)$/;
const VOLATILE = new Set([
  ...[
    'took',
    '_scroll_id',
    'pit_id',
    'uuid',
    'index_uuid',
    'creation_date',
    'creation_date_string',
    'time_in_nanos',
    'breakdown',
    'debug',
  ],
  ...['index.uuid', 'index.creation_date', 'index.version.created', 'allocation_id', 'node', 'nodes', 'phase_took'],
  ...[
    'settings_version',
    'number_of_pending_tasks',
    'state_uuid',
    'cluster_uuid',
    'cluster_name',
    'stack_trace',
    'fetch',
    '_node',
    'node_id',
    'collector',
  ],
]);
/** Names that 8.12 makes up for templates that are only simulated. */
const SIMULATED = /simulate(_index)?_template_[\w-]{22}/g;
const UUID = /\[drill([^\]/]*)\/[\w-]{22}\]/g;
const CONTEXT = /id \[\d+\]/g;
/** Numbers of documents in explanations and in errors of groups: they depend on how the documents lie in segments. */
const DOCUMENT = / in \d+\) \[/g;
const UNMATCHED = / doesn't match id \d+$/;
const GROUPED = /failed to extract doc:\d+/g;
const TIMES = /(?:_in_millis|_millis|_in_bytes|_nanos)$/;

function known(key, value, parent) {
  if (VOLATILE.has(key) || TIMES.test(key)) return '~';
  if (key === 'version' && typeof value === 'object' && value !== null && 'created' in value) return '~';
  if (key === 'id' && typeof value === 'string' && (value.length > 20 || 'searches' in parent)) return '~';
  return undefined;
}

/**
 * Whether the parts of an explanation have no order: the clauses of a dis_max lie in a hash table of Lucene, by hash
 * codes of classes, which each virtual machine draws anew.
 */
const isAnyOrder = ({ description, details }) =>
  Array.isArray(details) &&
  /^(?:max of:|max plus |sum of:$|No matching clause$|\d+ matches for \d+ required matches)/.test(String(description));
const textOf = ({ description, value, details }) => JSON.stringify([description, value, details]);

/** A sum of sums is one sum: Lucene rewrites disjunctions in others, and a dis_max that adds all up. */
const isSum = ({ description, details }) =>
  Array.isArray(details) && /^(?:sum of:|max plus 1\.0 times others of:)$/.test(String(description));
const summands = (node) => (isSum(node) ? node.details.flatMap(summands) : [node]);

/** The parts of an explanation in an order of their own; null for all else. */
export function orderedExplanation(node) {
  if (!isAnyOrder(node)) return null;
  const isOfParts = isSum(node) && node.details.length > 0;
  const details = (isOfParts ? summands(node) : node.details).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return { ...node, description: isOfParts ? 'sum of:' : node.description, details };
}

/**
 * The text of a query with the parts of each dis_max in an order of their own: they lie in a hash table of Lucene, for
 * which all queries that match nothing are equal, so that it prints one of them for all.
 */
export function orderedText(text) {
  let at = 0;
  const group = () => {
    const parts = [''];
    while (at < text.length && text[at] !== ')') {
      if (text.startsWith(' | ', at)) {
        parts.push('');
        at += 3;
      } else if (text[at] === '(') {
        at++;
        const inner = group();
        if (text[at] !== ')') throw new SyntaxError(text);
        parts[parts.length - 1] += `(${inner})`;
        at++;
      } else parts[parts.length - 1] += text[at++];
    }
    return parts.length === 1 ? parts[0] : parts.map(nothing).sort().join(' | ');
  };
  const nothing = (part) => (part.startsWith('MatchNoDocsQuery(') ? 'MatchNoDocsQuery(~)' : part);
  try {
    const ordered = group();
    return at === text.length ? ordered : text;
  } catch {
    return text;
  }
}

/** The answer without what differs by nature; `prefix` of names becomes the same for all. */
export function normalised(value, prefix) {
  if (typeof value === 'string')
    return value
      .replaceAll(prefix, 'drill')
      .replace(UUID, '[drill$1/~]')
      .replace(CONTEXT, 'id [~]')
      .replace(SIMULATED, 'simulate_template_~')
      .replace(DOCUMENT, ' in ~) [')
      .replace(UNMATCHED, " doesn't match id ~")
      .replace(GROUPED, 'failed to extract doc:~');
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => normalised(entry, prefix));
  const ordered = Array.isArray(value.details)
    ? orderedExplanation({ ...value, details: normalised(value.details, prefix) })
    : null;
  if (ordered !== null) return ordered;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key.replaceAll(prefix, 'drill'),
      known(key, entry, value) ?? shown(key, normalised(entry, prefix)),
    ]),
  );
}

const shown = (key, value) =>
  (key === 'explanation' || key === 'description') && typeof value === 'string' ? orderedText(value) : value;

function sameNumber(a, b, path) {
  if (a === b) return true;
  const scale = Math.max(Math.abs(a), Math.abs(b));
  const isScore = path.some((key) => SCORES.test(key));
  return Math.abs(a - b) <= scale * (isScore ? 1e-5 : 1e-12);
}

/** The first difference of two normalised values as { path, theirs, ours }, or null. */
export function difference(theirs, ours, path = []) {
  if (typeof theirs === 'number' && typeof ours === 'number')
    return sameNumber(theirs, ours, path) ? null : { path, theirs, ours };
  if (theirs === null || ours === null || typeof theirs !== 'object' || typeof ours !== 'object')
    return theirs === ours ? null : { path, theirs, ours };
  if (Array.isArray(theirs) !== Array.isArray(ours)) return { path, theirs, ours };
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  for (const key of keys) {
    const at = [...path, Array.isArray(theirs) ? '*' : key];
    if (!(key in theirs) || !(key in ours)) return { path: at, theirs: theirs[key], ours: ours[key] };
    const found = difference(theirs[key], ours[key], at);
    if (found !== null) return found;
  }
  return null;
}

const general = (text) =>
  text
    .replace(/\[[^\]]*\]/g, '[]')
    .replace(/\d+/g, '0')
    .slice(0, 120);
const failure = (body) =>
  body?.error?.type ? `${body.error.type}: ${general(String(body.error.reason))}` : typeof body;

/** What kind of difference two answers have, without the values in it. Null when they agree. */
export function signature(theirs, ours, found) {
  if (found === null && theirs.status === ours.status) return null;
  if (theirs.status !== ours.status)
    return `${theirs.status} ${failure(theirs.body)} ≠ ${ours.status} ${failure(ours.body)}`;
  const side = (value) =>
    value === undefined
      ? 'absent'
      : value === null
        ? 'null'
        : typeof value === 'string'
          ? general(value)
          : typeof value;
  const texts =
    theirs.status >= 400
      ? `: ${side(found.theirs)} ≠ ${side(found.ours)}`
      : ` ${sort(found.theirs)} ≠ ${sort(found.ours)}`;
  return `${theirs.status} ${found.path.join('.').replace(/\d+/g, '0')}${texts}`;
}
const sort = (value) =>
  value === undefined ? 'absent' : value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** Paths of keys of a request, with names of fields replaced by their kinds: what a shrunk request is about. */
export function skeleton(value, at = '', found = new Set()) {
  if (value === null || typeof value !== 'object') found.add(at);
  else {
    const entries = Object.entries(value);
    if (entries.length === 0) found.add(at);
    for (const [key, entry] of entries)
      skeleton(entry, Array.isArray(value) ? at : `${at}.${FIELDS[key.replace(/^.\./, '')]?.kind ?? key}`, found);
  }
  return found;
}
