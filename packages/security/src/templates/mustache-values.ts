import { errors } from '@shoal/errors';
import { stringify } from '@shoal/json';

/** A section whose name is a function of its content, an extension of Elasticsearch. */
export type SpecialSection =
  | { readonly kind: 'toJson' }
  | { readonly kind: 'join'; readonly delimiter: string }
  | { readonly kind: 'url' };

/**
 * Parses the name of a section as a function; null for an ordinary section. Throws illegal_argument for unknown
 * attributes.
 */
export function specialSection(name: string): SpecialSection | null {
  if (name === 'toJson' || name === 'url') return { kind: name };
  if (name === 'join') return { kind: 'join', delimiter: ',' };
  if (!/^(toJson|url|join)\s/.test(name)) return null;
  const delimiter = /^join\s+delimiter='(.*)'$/s.exec(name)?.[1];
  if (delimiter === undefined)
    throw errors.illegalArgument(
      `a template has the section [${name}]: only [join] takes an attribute, delimiter='...'`,
    );
  return { kind: 'join', delimiter };
}

/** Renders such a section; its content is a path, or a text for `url`. Texts within `join` are escaped for JSON. */
export function renderSpecial(section: SpecialSection, content: string, scopes: readonly unknown[]): string {
  if (section.kind === 'url') return encodeURIComponent(content).replaceAll('%20', '+');
  const value = valueIn(scopes, content.trim());
  if (section.kind === 'toJson') return value === undefined ? 'null' : stringify(value);
  if (value === undefined || value === null) return '';
  return escapeJson((Array.isArray(value) ? (value as unknown[]) : [value]).map(shown).join(section.delimiter));
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value))
    return key === 'size' ? value.length : /^\d{1,9}$/.test(key) ? (value as unknown[])[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/**
 * Resolves a dotted path: its first name in the innermost scope that has it, further names within that value. `.` is
 * the scope itself.
 */
export function valueIn(scopes: readonly unknown[], path: string): unknown {
  if (path === '.') return scopes.at(-1);
  const [first, ...rest] = path.split('.');
  const scope = scopes.findLast((candidate) => own(candidate, first!) !== undefined);
  return rest.reduce<unknown>(own, own(scope, first!));
}

/** Renders a value as text. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' ? stringify(value) : String(value as string | number | boolean);
}

/** Escapes a text to stand between the quotes of a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
