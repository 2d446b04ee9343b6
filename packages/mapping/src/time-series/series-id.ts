import { errors } from '@shoal/errors';

/** Value of a dimension: a text, or a whole number. */
export type DimensionValue = string | bigint;

const NAME_BYTES_MAX = 512;
const VALUE_BYTES_MAX = 1024;
const SERIES_BYTES_MAX = 32 * 1024;

const TEXT = 's'.charCodeAt(0);
const LONG = 'l'.charCodeAt(0);
const UNSIGNED = 'u'.charCodeAt(0);
const LONG_MAX = 2n ** 63n - 1n;

function pushLength(bytes: number[], length: number): void {
  let rest = length;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}

function pushText(bytes: number[], text: Buffer): void {
  pushLength(bytes, text.length);
  for (const byte of text) bytes.push(byte);
}

function pushValue(bytes: number[], value: DimensionValue): void {
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8');
    if (text.length > VALUE_BYTES_MAX)
      throw errors.illegalArgument(
        `Dimension fields must be less than [${VALUE_BYTES_MAX}] bytes but was [${text.length}].`,
      );
    bytes.push(TEXT);
    pushText(bytes, text);
    return;
  }
  bytes.push(value > LONG_MAX ? UNSIGNED : LONG);
  for (let shift = 56n; shift >= 0n; shift -= 8n) bytes.push(Number((value >> shift) & 255n));
}

/**
 * Returns the id of a time series, a character for each byte: number of dimensions, then name and value of each, by
 * name. The bytes are those of Elasticsearch 8.12 (`TimeSeriesIdFieldMapper`), so that ids and orders are the same.
 * Throws illegal_argument_exception if a name, a value or the whole is too long, or if there are no dimensions.
 */
export function encodeSeries(dimensions: ReadonlyMap<string, DimensionValue>): string {
  if (dimensions.size === 0) throw errors.illegalArgument('Dimensions are missing.');
  const named = [...dimensions].map(([name, value]) => ({ name: Buffer.from(name, 'utf8'), value }));
  named.sort((a, b) => Buffer.compare(a.name, b.name));
  const bytes: number[] = [];
  pushLength(bytes, named.length);
  for (const { name, value } of named) {
    if (name.length > NAME_BYTES_MAX)
      throw errors.illegalArgument(
        `Dimension name must be less than [${NAME_BYTES_MAX}] bytes but [${name.toString()}] was [${name.length}].`,
      );
    pushText(bytes, name);
    pushValue(bytes, value);
  }
  if (bytes.length > SERIES_BYTES_MAX)
    throw errors.illegalArgument(`_tsid longer than [${SERIES_BYTES_MAX}] bytes [${bytes.length}].`);
  return Buffer.from(bytes).toString('latin1');
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(series: string) {
    this.#bytes = Buffer.from(series, 'latin1');
  }

  length(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const length = this.length();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  value(): DimensionValue {
    const kind = this.#bytes.readUInt8(this.#at++);
    if (kind === TEXT) return this.text();
    this.#at += 8;
    return kind === UNSIGNED ? this.#bytes.readBigUInt64BE(this.#at - 8) : this.#bytes.readBigInt64BE(this.#at - 8);
  }
}

/** Returns the dimensions of a time series, by name: the reverse of `encodeSeries`. */
export function decodeSeries(series: string): Map<string, DimensionValue> {
  const reader = new Reader(series);
  const count = reader.length();
  const dimensions = new Map<string, DimensionValue>();
  for (let i = 0; i < count; i++) {
    const name = reader.text();
    dimensions.set(name, reader.value());
  }
  return dimensions;
}

/** The dimensions of a time series as answers show them: an object, by name. */
export function seriesJson(series: string): Record<string, unknown> {
  const entries = [...decodeSeries(series)].map(([name, value]): [string, unknown] => {
    if (typeof value === 'string') return [name, value];
    return [name, Number.isSafeInteger(Number(value)) ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The dimensions of a time series as messages show them: `{host=a, n=5}`. */
export function seriesText(series: string): string {
  return `{${[...decodeSeries(series)].map(([name, value]) => `${name}=${value}`).join(', ')}}`;
}
