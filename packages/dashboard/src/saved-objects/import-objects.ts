import { decodeJson } from '@shoal/json';
import { BodyError, checkJson } from '../guard/strict-json.js';
import { dashboardOfKibana, type PanelObject } from './kibana-dashboard.js';
import { isForeign, isKibanaDashboard, isKibanaSearch, searchOfKibana } from './kibana-objects.js';
import type { NewObject, SavedObjectStore } from './object-store.js';
import {
  isId,
  OBJECT_TYPES,
  type ObjectReference,
  readContent,
  readId,
  SavedObjectError,
  shownName,
} from './object-types.js';

/** Why an object of a file was not taken. */
type ImportFault =
  | { readonly type: 'conflict' | 'unsupported_type' }
  | { readonly type: 'missing_references'; readonly references: readonly ObjectReference[] }
  | { readonly type: 'unknown'; readonly message: string; readonly statusCode: number };

interface ImportError {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly meta: { readonly title: string };
  readonly error: ImportFault;
}

/** Answer of an import, in Kibana's shape. */
export interface ImportResult {
  readonly success: boolean;
  readonly successCount: number;
  readonly successResults: readonly object[];
  readonly errors?: readonly ImportError[];
  readonly warnings: readonly object[];
}

/** A line of a file: an object that may be written, or why it may not; such a one may still be a panel. */
type ImportLine =
  | { readonly object: NewObject; readonly left?: readonly string[]; readonly used?: readonly string[] }
  | { readonly refused: ImportError; readonly panelObject?: PanelObject };

/** Kinds of Kibana's that dashboards refer to. */
const PANEL_TYPES = ['lens', 'visualization'];

const NEWLINE = 10;

/**
 * Writes the objects of a file in NDJSON, as `_export` and Kibana write them. What cannot be taken is told in `errors`;
 * the rest is written. Throws BodyError or SavedObjectError for a file that is none, before anything is written.
 */
export async function importObjects(
  file: Buffer,
  store: SavedObjectStore,
  { isOverwrite, objectsMax }: { readonly isOverwrite: boolean; readonly objectsMax: number },
): Promise<ImportResult> {
  const lines = readLines(file, objectsMax);
  const found = lines.flatMap((line) => ('object' in line ? [line.object] : []));
  const panelObjects = new Map(
    lines.flatMap((line) =>
      'refused' in line && line.panelObject !== undefined
        ? [[`${line.refused.type} ${line.refused.id}`, line.panelObject] as const]
        : [],
    ),
  );
  const kibana = { panelObjects, patternOf: await patternsFor(found, panelObjects, store) };
  const settled = lines.map((line) => ('object' in line ? settle(line.object, kibana) : line));
  const used = new Set(settled.flatMap((line) => ('object' in line ? (line.used ?? []) : [])));
  const objects = settled.flatMap((line) => ('object' in line ? [line.object] : []));
  const outcomes = await store.writeAll(objects, isOverwrite);
  const errors = settled.flatMap((line) =>
    'refused' in line && !used.has(`${line.refused.type} ${line.refused.id}`) ? [line.refused] : [],
  );
  const written: NewObject[] = [];
  for (const [i, object] of objects.entries()) {
    const outcome = outcomes[i]!;
    if (outcome.kind === 'written') written.push(object);
    else if (outcome.kind === 'conflict') errors.push(refuse(object, { type: 'conflict' }));
    else errors.push(refuse(object, { type: 'unknown', message: outcome.reason, statusCode: 400 }));
  }
  return {
    success: errors.length === 0,
    successCount: written.length,
    successResults: written.map(({ type, id, attributes }) => ({
      type,
      id,
      meta: { title: titleOf(attributes) },
      managed: false,
      ...(isOverwrite ? { overwrite: true } : {}),
    })),
    ...(errors.length === 0 ? {} : { errors }),
    warnings: settled.flatMap((line) => ('object' in line ? leftOut(line.object, line.left ?? []) : [])),
  };
}

/** Warnings about the panels of a dashboard that have no counterpart, in Kibana's shape. */
const leftOut = ({ attributes }: NewObject, left: readonly string[]): readonly object[] =>
  left.map((panel) => ({
    type: 'simple',
    message: `The dashboard [${titleOf(attributes)}] is taken without its panel [${panel}].`,
  }));

function readLines(file: Buffer, objectsMax: number): readonly ImportLine[] {
  const lines: ImportLine[] = [];
  let number = 0;
  for (let at = 0; at < file.length; ) {
    const newline = file.indexOf(NEWLINE, at);
    const end = newline === -1 ? file.length : newline;
    const line = file.subarray(at, end);
    at = end + 1;
    number++;
    if (line.every((byte) => byte <= 32)) continue;
    const value = parseLine(line, number);
    // The last line of an export tells how many objects it has.
    if (Object.hasOwn(value, 'exportedCount')) continue;
    if (lines.length === objectsMax) throw new SavedObjectError(400, `Can't import more than ${objectsMax} objects`);
    lines.push(readLine(value, line.length));
  }
  return lines;
}

function parseLine(line: Uint8Array, number: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = decodeJson(line);
  } catch (error) {
    throw new BodyError(`Line ${number} of the file is no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BodyError(`Line ${number} of the file is no object.`);
  checkJson(value);
  return value as Record<string, unknown>;
}

function readLine({ type, id, attributes, references }: Readonly<Record<string, unknown>>, size: number): ImportLine {
  const shown = { type: shownName(type), id: shownName(id), attributes: (attributes ?? {}) as NewObject['attributes'] };
  const known = OBJECT_TYPES.find((one) => one === type);
  const isPanel = PANEL_TYPES.some((one) => one === type);
  if (known === undefined && !isPanel) return { refused: refuse(shown, { type: 'unsupported_type' }) };
  try {
    if (known === undefined)
      return {
        refused: refuse(shown, { type: 'unsupported_type' }),
        panelObject: readContent(attributes, references, size),
      };
    const object = { type: known, id: readId(id), ...readContent(attributes, references, size) };
    return isForeign(object) ? { refused: refuse(shown, { type: 'unsupported_type' }) } : { object };
  } catch (error) {
    if (!(error instanceof SavedObjectError)) throw error;
    return { refused: refuse(shown, { type: 'unknown', message: error.message, statusCode: error.status }) };
  }
}

const titleOf = (attributes: NewObject['attributes']): string => {
  const { title } = attributes as { title?: unknown };
  return typeof title === 'string' ? title : '';
};

const refuse = (
  {
    type,
    id,
    attributes,
  }: { readonly type: string; readonly id: string; readonly attributes: NewObject['attributes'] },
  error: ImportFault,
): ImportError => ({ id, type, title: titleOf(attributes), meta: { title: titleOf(attributes) }, error });

/** Titles of the index patterns that objects of Kibana refer to: from the file, else those that are kept. */
async function patternsFor(
  objects: readonly NewObject[],
  panelObjects: ReadonlyMap<string, PanelObject>,
  store: SavedObjectStore,
): Promise<(id: string) => string | null> {
  const titles = new Map<string, string>();
  for (const { type, id, attributes } of objects) if (type === 'index-pattern') titles.set(id, titleOf(attributes));
  const wanted = new Set<string>();
  const collect = (id: string): null => {
    if (!titles.has(id)) wanted.add(id);
    return null;
  };
  for (const object of objects)
    if (isKibanaSearch(object)) searchOfKibana(object, collect);
    else if (isKibanaDashboard(object)) dashboardOfKibana(object, objectIn(panelObjects), collect);
  for (const id of wanted) {
    const kept = isId(id) ? await store.get('index-pattern', id).catch(absent) : null;
    if (kept !== null) titles.set(id, titleOf(kept.attributes));
  }
  return (id) => titles.get(id) ?? null;
}

function absent(error: unknown): null {
  if (error instanceof SavedObjectError && error.status === 404) return null;
  throw error;
}

const objectIn = (objects: ReadonlyMap<string, PanelObject>) => (type: string, id: string) =>
  objects.get(`${type} ${id}`);

/** What objects of Kibana refer to. */
interface KibanaFile {
  readonly panelObjects: ReadonlyMap<string, PanelObject>;
  readonly patternOf: (id: string) => string | null;
}

function settle(object: NewObject, { panelObjects, patternOf }: KibanaFile): ImportLine {
  if (isKibanaDashboard(object))
    return (
      dashboardOfKibana(object, objectIn(panelObjects), patternOf) ?? {
        refused: refuse(object, { type: 'unsupported_type' }),
      }
    );
  if (!isKibanaSearch(object)) return { object };
  const settled = searchOfKibana(object, patternOf);
  if (!('missing' in settled)) return { object: settled };
  return { refused: refuse(object, { type: 'missing_references', references: [settled.missing] }) };
}
