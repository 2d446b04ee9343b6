import { type ApiError, errors } from '@shoal/errors';
import { encodeUrl, escapeOf } from './escape-text.js';
import { parseTemplate } from './parse-template.js';
import { compileError } from './template-error.js';
import type { Part, TemplateName } from './template-part.js';
import { isFalsy, joinText, jsonOf, renderedText, toJsonText, valueIn } from './template-values.js';

/** A compiled template. */
export interface Template {
  /**
   * Renders the template with parameters. Throws script_exception if the text gets longer than
   * `RENDERED_CHARS_MAX`, mustache_exception for an index beyond the end of a list.
   */
  render(params: Readonly<Record<string, unknown>>): string;
}

/** Limit for the text that a template renders, in characters. */
export const RENDERED_CHARS_MAX = 1 << 20;
/** Limit for the parts that one rendering writes: sections over lists within each other multiply. */
const RENDERED_PARTS_MAX = 200_000;

/** Options of a template. */
export interface TemplateOptions {
  /** Decides how variables are escaped; `application/json` if absent. */
  readonly mediaType?: string | undefined;
  /**
   * Whether `join` escapes its text and `toJson` quotes texts. Elasticsearch does neither: with a template of a role,
   * a user whose metadata has a quote could change the query that says which documents that user sees.
   */
  readonly escapesFunctions?: boolean;
}

/** Compiles a mustache template. Throws script_exception (400) for a malformed template. */
export function compileTemplate(source: string, options: TemplateOptions = {}): Template {
  const parts = parseTemplate(source);
  const escape = escapeOf(options.mediaType ?? 'application/json');
  const escapesFunctions = options.escapesFunctions ?? false;
  return {
    render(params) {
      const writer = new TemplateWriter(source, escape, escapesFunctions);
      writer.write(parts, [params]);
      return writer.text;
    },
  };
}

const asIs = (text: string): string => text;

class TemplateWriter {
  readonly #source: string;
  readonly #escape: (text: string) => string;
  readonly #escapesFunctions: boolean;
  #parts = 0;
  text = '';

  constructor(source: string, escape: (text: string) => string, escapesFunctions: boolean) {
    this.#source = source;
    this.#escape = escape;
    this.#escapesFunctions = escapesFunctions;
  }

  /** Appends what the parts render. `scopes`: the values whose members variables name, the innermost last. */
  write(parts: readonly Part[], scopes: readonly unknown[]): void {
    for (const part of parts) {
      if (part.kind === 'section') this.#writeSection(part, scopes);
      else if (part.kind === 'url') this.#writeUrl(part.parts, scopes);
      else this.#append(this.#leafText(part, scopes));
    }
  }

  #leafText(part: Exclude<Part, { kind: 'section' | 'url' }>, scopes: readonly unknown[]): string {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'variable') {
      const text = renderedText(this.#valueOf(part.name, scopes));
      return part.isRaw ? text : this.#escape(text);
    }
    const value = this.#valueOf(part.argument, scopes);
    if (part.function.name === 'toJson') return this.#escapesFunctions ? jsonOf(value) : toJsonText(value);
    // Items are counted, because empty ones without delimiter would make no text that reaches the limit.
    if (Array.isArray(value)) this.#count(value.length);
    return joinText(value, part.argument, part.function.delimiter, this.#escapesFunctions ? this.#escape : asIs);
  }

  /** Looks a name up, whose steps count as parts. */
  #valueOf(name: TemplateName, scopes: readonly unknown[]): unknown {
    this.#count(name.steps.length);
    return valueIn(scopes, name);
  }

  #writeSection(section: Extract<Part, { kind: 'section' }>, scopes: readonly unknown[]): void {
    const value = this.#valueOf(section.name, scopes);
    if (section.isInverted) {
      if (isFalsy(value)) this.write(section.parts, scopes);
      return;
    }
    if (isFalsy(value)) return;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      this.#count(1);
      this.write(section.parts, item === null ? scopes : [...scopes, item]);
    }
  }

  #writeUrl(parts: readonly Part[], scopes: readonly unknown[]): void {
    const start = this.text.length;
    this.write(parts, scopes);
    const encoded = encodeUrl(this.text.slice(start));
    this.text = this.text.slice(0, start);
    this.#append(encoded);
  }

  #append(text: string): void {
    this.#count(1);
    if (this.text.length + text.length > RENDERED_CHARS_MAX) throw this.#tooMuch();
    this.text += text;
  }

  /** Counts parts that were written, sections and items without text too: they are work. */
  #count(parts: number): void {
    this.#parts += parts;
    if (this.#parts > RENDERED_PARTS_MAX) throw this.#tooMuch();
  }

  #tooMuch(): ApiError {
    const reason = `a template renders more than [${RENDERED_CHARS_MAX}] characters or [${RENDERED_PARTS_MAX}] parts`;
    return compileError(this.#source, reason, errors.illegalArgument(reason));
  }
}
