/** What rules of role mappings look at: `username`, `dn`, `groups`, `realm.name`, `metadata.x`. */
export type UserFacts = ReadonlyMap<string, unknown>;

/** Whether rules hold for a user; null if a browser cannot tell, `problem` for rules that are none. */
export type Verdict = { readonly holds: boolean | null } | { readonly problem: string };

/** Characters that mean more in an expression of Lucene than in one of a browser. */
const LUCENE_ONLY = /[~<>&@#"]/;
const DEPTH_MAX = 50;

class RuleProblem extends Error {}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The expression of a browser for a pattern with `*` and `?`, or between slashes; null if there is none. */
function expressionOf(pattern: string): RegExp | null {
  const isExpression = pattern.length > 1 && pattern.startsWith('/') && pattern.endsWith('/');
  if (!isExpression) {
    const source = pattern.replace(/\\(.)|[*?]|[.+^${}()|[\]\\/]/gs, (part, escaped?: string) => {
      if (escaped !== undefined) return escaped.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
      return part === '*' ? '.*' : part === '?' ? '.' : `\\${part}`;
    });
    return new RegExp(`^${source}$`, 'su');
  }
  const inner = pattern.slice(1, -1);
  if (LUCENE_ONLY.test(inner)) return null;
  try {
    return new RegExp(`^(?:${inner})$`, 'su');
  } catch {
    return null;
  }
}

function valueHolds(pattern: unknown, fact: unknown): boolean | null {
  if (typeof pattern !== 'string') return pattern === fact || (typeof pattern === 'number' && Number(fact) === pattern);
  if (typeof fact !== 'string') return false;
  const expression = expressionOf(pattern);
  return expression === null ? null : expression.test(fact);
}

/** Or over three values: true wins, then what cannot be told. */
const anyOf = (parts: readonly (boolean | null)[]): boolean | null =>
  parts.includes(true) ? true : parts.includes(null) ? null : false;

const not = (value: boolean | null): boolean | null => (value === null ? null : !value);

function fieldHolds(body: unknown, facts: UserFacts): boolean | null {
  const [entry, ...others] = isObject(body) ? Object.entries(body) : [];
  if (entry === undefined || others.length > 0) throw new RuleProblem('A rule “field” has one field.');
  const values = listOf(facts.get(entry[0]) ?? null);
  return anyOf(listOf(entry[1]).flatMap((pattern) => values.map((value) => valueHolds(pattern, value))));
}

function rulesHold(rules: unknown, facts: UserFacts, depth: number): boolean | null {
  const [entry, ...others] = isObject(rules) ? Object.entries(rules) : [];
  if (entry === undefined || others.length > 0)
    throw new RuleProblem('Rules are an object with one of field, any, all.');
  if (depth > DEPTH_MAX) throw new RuleProblem('The rules are nested too deep.');
  const [type, body] = entry;
  const parts = (): readonly (boolean | null)[] => {
    if (!Array.isArray(body)) throw new RuleProblem(`A rule “${type}” has a list of rules.`);
    return body.map((rule) => rulesHold(rule, facts, depth + 1));
  };
  if (type === 'field') return fieldHolds(body, facts);
  if (type === 'any') return anyOf(parts());
  if (type === 'all') return not(anyOf(parts().map(not)));
  if (type === 'except') return not(rulesHold(body, facts, depth + 1));
  throw new RuleProblem(`There is no rule “${type}”.`);
}

/** Whether the rules of a mapping hold for a user. */
export function testRules(rules: unknown, facts: UserFacts): Verdict {
  try {
    return { holds: rulesHold(rules, facts, 0) };
  } catch (error) {
    if (error instanceof RuleProblem) return { problem: error.message };
    throw error;
  }
}

/** A user as a form describes it. */
export interface TestedUser {
  readonly username: string;
  readonly dn: string;
  /** One a line. */
  readonly groups: string;
  readonly realm: string;
  /** An object in JSON, or nothing. */
  readonly metadata: string;
}

/** The facts of a user; a text says what is wrong with its metadata. */
export function factsOf({ username, dn, groups, realm, metadata }: TestedUser): UserFacts | string {
  let read: unknown = {};
  try {
    read = metadata.trim() === '' ? {} : JSON.parse(metadata);
  } catch {
    return 'The metadata are no JSON.';
  }
  if (!isObject(read)) return 'The metadata are no object.';
  const lines = groups.split('\n').map((line) => line.trim());
  return new Map<string, unknown>([
    ['username', username],
    ['dn', dn.trim() || null],
    ['groups', lines.filter((line) => line !== '')],
    ['realm.name', realm.trim() || null],
    ...Object.entries(read).map(([name, value]) => [`metadata.${name}`, value] as const),
  ]);
}

/** What a mapping gives a user, a sentence. */
export function mappingResult(mapping: Readonly<Record<string, unknown>>, facts: UserFacts): string {
  const verdict = testRules(mapping['rules'], facts);
  if ('problem' in verdict) return verdict.problem;
  if (verdict.holds === null) return 'Not known: only the cluster reads an expression of the rules.';
  if (!verdict.holds) return 'The rules do not hold.';
  const roles = listOf(mapping['roles'] ?? []).map(String);
  const hasTemplates = listOf(mapping['role_templates'] ?? []).length > 0;
  const given = [...roles, ...(hasTemplates ? ['what the templates make of the user'] : [])].join(', ');
  return mapping['enabled'] === true
    ? `Gives ${given || 'no role'}.`
    : `Would give ${given || 'no role'}, but is switched off.`;
}
