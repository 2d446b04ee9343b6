import { type ApiError, type ErrorMeta, errors, toApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { hashOrder } from '@shoal/values';
import { isObject, javaClass, javaText } from './java-values.js';
import { compileTemplate, type Template, type TemplateCompiler } from './template.js';

const MEDIA_TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];

/** Compiler of readers whose options have no templates. */
const asConstant: TemplateCompiler = (text) => () => text;

/** Header fields of errors of a processor's configuration. */
export function processorMeta(type: string | null, tag: string | null, property: string | null): ErrorMeta {
  return {
    ...(type === null ? {} : { processor_type: type }),
    ...(tag === null ? {} : { processor_tag: tag }),
    ...(property === null ? {} : { property_name: property }),
  };
}

/** Makes the parse_exception of a property; `property` null: of the processor itself. */
export function configError(type: string | null, tag: string | null, property: string | null, what: string): ApiError {
  const reason = property === null ? what : `[${property}] ${what}`;
  return errors.parse(reason, { meta: processorMeta(type, tag, property) });
}

/**
 * Returns an error of a configuration with the processor's header fields. An error that is no Elasticsearch exception
 * is wrapped, as Elasticsearch does, but keeps its status: the fault is the client's.
 */
export function withProcessor(thrown: unknown, type: string, tag: string | null, property: string | null): ApiError {
  const error = toApiError(thrown);
  const meta = processorMeta(type, tag, property);
  if (error.isElastic) {
    error.meta = { ...meta, ...error.meta, ...meta };
    return error;
  }
  const reason = `java.lang.IllegalArgumentException: ${error.reason}`;
  return errors.exception(reason, { cause: error, meta, status: error.status });
}

/**
 * Reads the options of one processor or pipeline, with Elasticsearch's errors (`ConfigurationUtils`), and knows which
 * it has read: `finish` refuses the others. An option that is null counts as absent.
 */
export class ConfigReader {
  /** Type of the processor for errors; null for a pipeline itself. */
  readonly type: string | null;
  readonly tag: string | null;
  readonly #config: JsonObject;
  readonly #unread: Set<string>;
  readonly #templates: TemplateCompiler;

  constructor(type: string | null, tag: string | null, config: JsonObject, templates: TemplateCompiler = asConstant) {
    this.type = type;
    this.tag = tag;
    this.#config = config;
    this.#unread = new Set(Object.keys(config));
    this.#templates = templates;
  }

  /** Makes the parse_exception of a property of this processor. */
  error(property: string | null, what: string): ApiError {
    return configError(this.type, this.tag, property, what);
  }

  /** Returns an error thrown by a part of the processor with its header fields. */
  wrap(thrown: unknown, property: string | null = null): ApiError {
    return withProcessor(thrown, this.type ?? '', this.tag, property);
  }

  /** Whether an option is there; it may be null. Does not count as reading it. */
  has(name: string): boolean {
    return Object.hasOwn(this.#config, name);
  }

  /** Any JSON value; null if absent. */
  optional(name: string): unknown {
    this.#unread.delete(name);
    return Object.hasOwn(this.#config, name) ? (this.#config[name] ?? null) : null;
  }

  /** Any JSON value but null. */
  value(name: string): unknown {
    const value = this.optional(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  string(name: string): string {
    return this.#string(name, this.value(name));
  }

  optionalString(name: string): string | null {
    const value = this.optional(name);
    return value === null ? null : this.#string(name, value);
  }

  stringOr(name: string, fallback: string): string {
    return this.optionalString(name) ?? fallback;
  }

  /** A string that was read as part of an option. */
  textOf(name: string, value: unknown): string {
    return this.#string(name, value);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.optional(name);
    if (value === null) return fallback;
    if (typeof value === 'boolean') return value;
    throw this.#wrongType(name, value, 'a boolean');
  }

  /** A 32-bit integer; also a string of digits. */
  integer(name: string, fallback: number): number {
    return this.optionalInteger(name) ?? fallback;
  }

  optionalInteger(name: string): number | null {
    const value = this.optional(name);
    if (value === null) return null;
    const text = javaText(value);
    const number = Number(text);
    if (/^[+-]?\d+$/.test(text) && number === (number | 0)) return number;
    throw this.error(name, `property cannot be converted to an int [${text}]`);
  }

  /** A double; also a string that is one. */
  double(name: string): number {
    const text = javaText(this.value(name));
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isNaN(number) || text === 'NaN') return number;
    throw this.error(name, `property cannot be converted to a double [${text}]`);
  }

  list(name: string): readonly unknown[] {
    return this.#list(name, this.value(name));
  }

  optionalList(name: string): readonly unknown[] | null {
    const value = this.optional(name);
    return value === null ? null : this.#list(name, value);
  }

  /** A list of strings. */
  strings(name: string): readonly string[] {
    return this.#strings(name, this.list(name));
  }

  optionalStrings(name: string): readonly string[] | null {
    const list = this.optionalList(name);
    return list === null ? null : this.#strings(name, list);
  }

  map(name: string): JsonObject {
    return this.#map(name, this.value(name));
  }

  optionalMap(name: string): JsonObject | null {
    const value = this.optional(name);
    return value === null ? null : this.#map(name, value);
  }

  /** A string with snippets: `{{field}}`. */
  template(name: string): Template {
    return this.compile(name, this.string(name));
  }

  /** Compiles a template; its errors name the option, if there is one. */
  compile(name: string | null, text: string, mediaType?: string): Template {
    try {
      return compileTemplate(text, this.#templates, mediaType);
    } catch (thrown) {
      throw this.wrap(thrown, name);
    }
  }

  /** How values that templates insert are escaped. */
  mediaType(name: string, fallback = 'application/json'): string {
    const value = this.stringOr(name, fallback);
    if (MEDIA_TYPES.includes(value)) return value;
    throw this.error(name, `property does not contain a supported media type [${value}]`);
  }

  /** Names of the options that were not read, in the order in which Elasticsearch lists them. */
  unread(): readonly string[] {
    return hashOrder(this.#unread);
  }

  /** Refuses options that were not read. */
  finish(): void {
    if (this.#unread.size === 0) return;
    const names = this.unread().join(', ');
    throw this.error(
      null,
      `processor [${this.type}] doesn't support one or more provided configuration parameters [${names}]`,
    );
  }

  #string(name: string, value: unknown): string {
    if (typeof value === 'string') return value;
    throw this.#wrongType(name, value, 'a string');
  }

  #list(name: string, value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value;
    throw this.#wrongType(name, value, 'a list');
  }

  #strings(name: string, list: readonly unknown[]): readonly string[] {
    return list.map((item) => this.#string(name, item));
  }

  #map(name: string, value: unknown): JsonObject {
    if (isObject(value)) return value;
    throw this.#wrongType(name, value, 'a map');
  }

  #wrongType(name: string, value: unknown, wanted: string): ApiError {
    return this.error(name, `property isn't ${wanted}, but of type [${javaClass(value)}]`);
  }
}
