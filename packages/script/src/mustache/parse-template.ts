import { type ApiError, errors } from '@shoal/errors';
import { atLine, compileError } from './template-error.js';
import type { Part, TemplateFunction, TemplateName } from './template-part.js';
import { type Tag, TemplateScanner } from './template-scanner.js';

/** Limit for sections within sections. Deeper ones are refused, because rendering calls itself once a section. */
const SECTION_DEPTH_MAX = 50;
const JOIN = /^join(?: delimiter='(.*)')?$/i;

/**
 * Parses a template: `{{x}}`, `{{{x}}}`, `{{&x}}`, `{{#x}}…{{/x}}`, `{{^x}}…{{/x}}`, `{{$x}}…{{/x}}`, `{{! … }}`,
 * `{{=<% %>=}}` and Elasticsearch's functions `toJson`, `join` and `url`. Blanks and line breaks around a tag of a
 * section over several lines that is alone in its line are dropped. Rules and errors are those of the library
 * mustache.java 0.9, which Elasticsearch uses. Throws script_exception (400).
 */
export function parseTemplate(source: string): readonly Part[] {
  const fail = (reason: string, cause?: ApiError): ApiError => compileError(source, reason, cause);
  return new TemplateParser(new TemplateScanner(source, fail), fail).parts(null, 0, false);
}

/** Text since the last tag or line break, and what the parser knows of the present line. */
interface LineState {
  pending: string;
  /** Whether the line has only blanks so far, besides tags. */
  isBlank: boolean;
  /** Whether no tag precedes in the line. */
  isStart: boolean;
  /** Whether the line begins with the end of a section over several lines: its line break is dropped if it is blank. */
  afterSection: boolean;
}

class TemplateParser {
  readonly #scanner: TemplateScanner;
  readonly #fail: (reason: string, cause?: ApiError) => ApiError;

  constructor(scanner: TemplateScanner, fail: (reason: string, cause?: ApiError) => ApiError) {
    this.#scanner = scanner;
    this.#fail = fail;
  }

  /** Parses to the closing tag of the section `name`, or to the end of the template if that is null. */
  parts(name: string | null, depth: number, isStart: boolean): Part[] {
    if (depth > SECTION_DEPTH_MAX)
      throw this.#fail(`sections of a template may be nested [${SECTION_DEPTH_MAX}] deep, but [${name}] is deeper`);
    const parts: Part[] = [];
    const state: LineState = {
      pending: '',
      isBlank: true,
      isStart: isStart || name === null,
      afterSection: name !== null,
    };
    while (!this.#scanner.isAtEnd) {
      const lineBreak = this.#scanner.takeLineBreak();
      if (lineBreak !== null) {
        endLine(parts, state, lineBreak);
        continue;
      }
      const { text, isBlank } = this.#scanner.takeText();
      state.pending += text;
      state.isBlank &&= isBlank;
      if (text !== '') continue;
      const tag = this.#scanner.takeTag();
      if (tag.sign === '/') {
        this.#checkClosing(tag.name, name);
        if (!state.isStart || !state.isBlank) flush(parts, state);
        return parts;
      }
      this.#addTag(parts, state, tag, depth);
      state.isStart = false;
    }
    flush(parts, state);
    if (name !== null) throw this.#fail(`Failed to close '${name}' tag ${atLine(this.#scanner.line)}`);
    return parts;
  }

  #checkClosing(closing: string, open: string | null): void {
    if (closing === open) return;
    const { line } = this.#scanner;
    throw this.#fail(`Mismatched start/end tags: ${open} != ${closing} in query-template:${line} ${atLine(line)}`);
  }

  #addTag(parts: Part[], state: LineState, tag: Tag, depth: number): void {
    if ('#^$<'.includes(tag.sign) && tag.sign !== '') {
      this.#addSection(parts, state, tag, depth);
      return;
    }
    flush(parts, state);
    const { sign, name } = tag;
    if (sign === '=') this.#scanner.setDelimiters(name);
    else if (sign === '>') throw this.#notFound(name);
    else if (sign === '' || sign === '&' || sign === '{')
      parts.push({ kind: 'variable', name: nameAt(name, this.#scanner.line), isRaw: sign !== '' });
  }

  #addSection(parts: Part[], state: LineState, { sign, name }: Tag, depth: number): void {
    const { line } = this.#scanner;
    this.#scanner.startSection();
    const inner = this.parts(name, depth + 1, state.isStart && state.isBlank);
    const isOneLine = this.#scanner.line === line;
    if (!state.isBlank || isOneLine) flush(parts, state);
    state.pending = '';
    state.afterSection = !isOneLine;
    if (sign === '<') throw this.#notFound(name);
    if (sign === '$') parts.push(...inner);
    else parts.push(sign === '#' ? this.#section(name, inner, line) : inverted(name, inner, line));
  }

  #section(name: string, parts: readonly Part[], line: number): Part {
    if (name.toLowerCase() === 'url') return { kind: 'url', parts };
    const function_ = functionOf(name);
    if (function_ === null) return { kind: 'section', name: nameAt(name, line), isInverted: false, parts };
    const [argument] = parts;
    if (parts.length !== 1 || argument === undefined)
      throw this.#fail(`Mustache function [${function_.name}] must contain one and only one identifier`);
    // A tag instead of a name is not resolved: no value has such a name.
    return {
      kind: 'function',
      function: function_,
      argument: nameAt(argument.kind === 'text' ? argument.text : '', line),
    };
  }

  #notFound(name: string): ApiError {
    const reason = `Template ${name} not found`;
    return this.#fail(reason, errors.mustacheNotFound(reason));
  }
}

function functionOf(name: string): TemplateFunction | null {
  if (name.toLowerCase() === 'tojson') return { name: 'toJson' };
  const join = JOIN.exec(name);
  return join === null ? null : { name: 'join', delimiter: join[1] ?? ',' };
}

const nameAt = (text: string, line: number): TemplateName => ({ text, steps: text.split('.'), line });

const inverted = (name: string, parts: readonly Part[], line: number): Part => ({
  kind: 'section',
  name: nameAt(name, line),
  isInverted: true,
  parts,
});

function flush(parts: Part[], state: LineState): void {
  const last = parts.at(-1);
  if (state.pending !== '' && last?.kind === 'text')
    parts[parts.length - 1] = { kind: 'text', text: last.text + state.pending };
  else if (state.pending !== '') parts.push({ kind: 'text', text: state.pending });
  state.pending = '';
}

function endLine(parts: Part[], state: LineState, lineBreak: string): void {
  if (!state.afterSection || !state.isBlank) state.pending += lineBreak;
  flush(parts, state);
  state.afterSection = false;
  state.isBlank = true;
  state.isStart = true;
}
