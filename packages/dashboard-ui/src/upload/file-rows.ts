import { type Column, columnNames, documentOf, typeOfValues } from './column-types.js';
import { DelimitedReader, delimiterOf } from './delimited-reader.js';

/** Rows that types are guessed from. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_BYTES = 1024 * 1024;
const SLICE_BYTES = 1024 * 1024;

/** What the first rows of a file tell. */
export interface FileSample {
  /** Null for NDJSON. */
  readonly delimiter: string | null;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads the first rows of a file. Throws a sentence for a file that is none of the kinds. */
export async function sampleOf(file: Blob): Promise<FileSample> {
  const text = new TextDecoder().decode(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  if (text.includes('\0')) throw new Error('The file is no text: a CSV, TSV or NDJSON file is expected.');
  if (text.trim() === '') throw new Error('The file is empty.');
  return text.trimStart().startsWith('{') ? sampleOfLines(text) : sampleOfCells(text, file.size > SAMPLE_BYTES);
}

function sampleOfCells(text: string, isCut: boolean): FileSample {
  const delimiter = delimiterOf(text);
  const reader = new DelimitedReader(delimiter);
  const records = [...reader.push(text), ...(isCut ? [] : reader.finish())];
  const [header, ...all] = records;
  const rows = all.slice(0, SAMPLE_ROWS);
  if (header === undefined || rows.length === 0) throw new Error('The file has no rows below its first line.');
  const names = columnNames(header);
  return {
    delimiter,
    rows,
    columns: names.map((name, i) =>
      typeOfValues(
        name,
        rows.map((row) => row[i] ?? ''),
      ),
    ),
  };
}

function sampleOfLines(text: string): FileSample {
  const lines = text.split('\n').slice(0, SAMPLE_ROWS);
  const documents: Record<string, unknown>[] = [];
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      documents.push(JSON.parse(line) as Record<string, unknown>);
    } catch (error) {
      // The last line may be cut.
      if (i < lines.length - 1 || documents.length === 0)
        throw new Error(`Line ${i + 1} is no JSON: ${(error as Error).message}`, { cause: error });
    }
  }
  const isPlain = (name: string): boolean =>
    documents.every((document) => typeof document[name] !== 'object' || document[name] === null);
  // The cluster finds the types of objects and lists by itself.
  const names = [...new Set(documents.flatMap(Object.keys))].filter(isPlain);
  const cell = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
  const rows = documents.map((document) => names.map((name) => cell(document[name])));
  const columns = names.map((name, i) =>
    typeOfValues(
      name,
      rows.map((row) => row[i]!),
    ),
  );
  return { delimiter: null, columns, rows };
}

/** Documents of a file as JSON, in pieces of a slice. */
export async function* documentsOf(
  file: Blob,
  { delimiter }: FileSample,
  columns: readonly Column[],
): AsyncGenerator<{ readonly documents: readonly string[]; readonly bytesRead: number }> {
  const decoder = new TextDecoder();
  const reader = delimiter === null ? new LineReader() : new DelimitedReader(delimiter);
  let isHeader = delimiter !== null;
  const toDocuments = (records: readonly (readonly string[])[]): readonly string[] => {
    const rows = isHeader ? records.slice(1) : records;
    if (records.length > 0) isHeader = false;
    return delimiter === null ? rows.map(([line]) => line!) : rows.map((row) => documentOf(columns, row));
  };
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const slice = await file.slice(at, at + SLICE_BYTES).arrayBuffer();
    const records = reader.push(decoder.decode(slice, { stream: true }));
    yield { documents: toDocuments(records), bytesRead: Math.min(file.size, at + SLICE_BYTES) };
  }
  const rest = [...reader.push(decoder.decode()), ...reader.finish()];
  yield { documents: toDocuments(rest), bytesRead: file.size };
}

/** Splits text into lines that are not empty. */
class LineReader {
  #rest = '';

  push(text: string): readonly (readonly string[])[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => (line.trim() === '' ? [] : [[line.trim()]]));
  }

  finish(): readonly (readonly string[])[] {
    return this.#rest.trim() === '' ? [] : [[this.#rest.trim()]];
  }
}
