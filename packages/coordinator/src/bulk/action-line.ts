import { errors, notBoolean } from '@shoal/errors';
import { isPlainObject, parseJson } from '@shoal/json';
import { tokenName } from '../token-names.js';
import type { VersionType, WriteOp } from './write-request.js';

/** Metadata of one bulk item; null for values that the line does not have. */
export interface ActionLine {
  readonly op: WriteOp;
  readonly index: string | null;
  readonly id: string | null;
  readonly routing: string | null;
  readonly pipeline: string | null;
  readonly requireAlias: boolean | null;
  readonly version: number | null;
  readonly versionType: VersionType;
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly retryOnConflict: number;
  readonly source: unknown;
  readonly dynamicTemplates: Readonly<Record<string, unknown>> | null;
  /** `list_executed_pipelines`; null for that of the request. */
  readonly listsPipelines: boolean | null;
}

/** Matches the lines that nearly all clients send: an action with `_index`, `_id`, both or neither, without escapes. */
const PLAIN_LINE =
  /^\{"(index|create|delete|update)":\{(?:"_index":"([^"\\]*)")?(?:(?:^|,)?"_id":"([^"\\]*)")?\}\}\s*$/;

function malformed(line: number, rest: string): never {
  throw errors.illegalArgument(`Malformed action/metadata line [${line}], ${rest}`);
}

function plainLine(text: string): ActionLine | null {
  const match = PLAIN_LINE.exec(text);
  if (!match) return null;
  return { ...EMPTY_LINE, op: match[1] as WriteOp, index: match[2] ?? null, id: match[3] ?? null };
}

const EMPTY_LINE: ActionLine = {
  op: 'index',
  index: null,
  id: null,
  routing: null,
  pipeline: null,
  requireAlias: null,
  version: null,
  versionType: 'internal',
  ifSeqNo: null,
  ifPrimaryTerm: null,
  retryOnConflict: 0,
  source: undefined,
  dynamicTemplates: null,
  listsPipelines: null,
};

/** Parses `internal`, `external`, `external_gt` or `external_gte`. */
export function parseVersionType(text: string): VersionType {
  if (text === 'internal' || text === 'external' || text === 'external_gte') return text;
  if (text === 'external_gt') return 'external';
  throw errors.illegalArgument(`No version type match [${text}]`);
}

function actionEntry(line: number, parsed: unknown): readonly [WriteOp, unknown] {
  if (!isPlainObject(parsed)) malformed(line, `expected START_OBJECT but found [${tokenName(parsed)}]`);
  const [name] = Object.keys(parsed);
  if (name === undefined) malformed(line, 'expected FIELD_NAME but found [END_OBJECT]');
  if (name !== 'index' && name !== 'create' && name !== 'update' && name !== 'delete') {
    malformed(line, `expected field [create], [delete], [index] or [update] but found [${name}]`);
  }
  return [name, parsed[name]];
}

type Draft = { -readonly [K in keyof ActionLine]: ActionLine[K] };

function text(value: unknown): string | null {
  return value === null ? null : String(value);
}

function toBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw notBoolean(String(value));
}

/** 8.12 takes all but `create` for `index`. */
function opType(draft: Draft, value: unknown): void {
  if (value === 'create') draft.op = 'create';
}

/** A whole number, or a text of one. */
function long(value: unknown): number {
  if (typeof value === 'string' && !/^[-+]?\d+(?:\.\d*)?$/.test(value))
    throw errors.illegalArgument(`For input string: "${value}"`);
  return Number(value);
}

type Setter = (draft: Draft, value: unknown) => void;

const SIMPLE_KEYS: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['_index', (draft, value) => (draft.index = text(value))],
  ['_id', (draft, value) => (draft.id = text(value))],
  ['routing', (draft, value) => (draft.routing = text(value))],
  ['pipeline', (draft, value) => (draft.pipeline = text(value))],
  ['op_type', opType],
  ['version', (draft, value) => (draft.version = long(value))],
  ['version_type', (draft, value) => (draft.versionType = parseVersionType(String(value)))],
  ['if_seq_no', (draft, value) => (draft.ifSeqNo = long(value))],
  ['if_primary_term', (draft, value) => (draft.ifPrimaryTerm = long(value))],
  ['retry_on_conflict', (draft, value) => (draft.retryOnConflict = Number(value))],
  ['require_alias', (draft, value) => (draft.requireAlias = toBoolean(value))],
  ['list_executed_pipelines', (draft, value) => (draft.listsPipelines = toBoolean(value))],
]);

function setKey(draft: Draft, line: number, key: string, value: unknown, allowType: boolean): void {
  if (key === '_source') draft.source = value;
  else if (key === 'dynamic_templates' && isPlainObject(value)) draft.dynamicTemplates = value;
  else if (typeof value === 'object' && value !== null) {
    malformed(line, `expected a simple value for field [${key}] but found [${tokenName(value)}]`);
  } else {
    const setter = SIMPLE_KEYS.get(key);
    if (setter) setter(draft, value);
    else if (!(allowType && key === '_type'))
      throw errors.illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`);
  }
}

/** Longest line of an action in bytes: it has names and an id of 512 bytes at most. */
const ACTION_BYTES_MAX = 64 * 1024;

function checkLength({ length }: Uint8Array, line: number): void {
  if (length > ACTION_BYTES_MAX)
    throw errors.illegalArgument(
      `Malformed action/metadata line [${line}], it has [${length}] bytes, which is more than the limit of ` +
        `[${ACTION_BYTES_MAX}]`,
    );
}

/** Parses an action line. Null for a blank line. `allowType`: `_type` is accepted and ignored. */
export function parseActionLine(bytes: Buffer, line: number, allowType: boolean): ActionLine | null {
  checkLength(bytes, line);
  const lineText = bytes.toString('utf8');
  const plain = plainLine(lineText);
  if (plain) return plain;
  if (lineText.trim() === '') return null;
  const [op, metadata] = actionEntry(line, parseJson(bytes));
  if (!isPlainObject(metadata))
    malformed(line, `expected START_OBJECT or END_OBJECT but found [${tokenName(metadata)}]`);
  const draft: Draft = { ...EMPTY_LINE, op };
  for (const [key, value] of Object.entries(metadata)) setKey(draft, line, key, value, allowType);
  if (op === 'update' && (draft.version !== null || draft.versionType !== 'internal'))
    throw errors.illegalArgument(
      'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
    );
  return draft;
}
