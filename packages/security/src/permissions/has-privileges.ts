import type { JsonObject } from '@shoal/json';
import type { ClusterState } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { errors } from '@shoal/errors';
import { type ActionPatterns, coversTogether } from '../privileges/action-patterns.js';
import { actionsOf } from '../privileges/application-privileges.js';
import { clusterPrivilege } from '../privileges/cluster-privileges.js';
import { indexPrivilege } from '../privileges/index-privileges.js';
import type { Permissions, Subject } from '../subject.js';
import type { Grants } from './grants.js';
import { namePatterns } from './name-patterns.js';
import { isRestricted } from './restricted-names.js';

interface IndexQuestion {
  readonly names: readonly string[];
  readonly privileges: readonly string[];
  readonly restrictedToo: boolean;
}

interface ApplicationQuestion {
  readonly application: string;
  readonly privileges: readonly string[];
  readonly resources: readonly string[];
}

/** Privileges that a `_has_privileges` request asks about. */
export interface PrivilegeQuestions {
  readonly cluster: readonly string[];
  readonly index: readonly IndexQuestion[];
  readonly application: readonly ApplicationQuestion[];
}

/** Most pairs of name and privilege in one request. */
const QUESTIONS_MAX = 10_000;

function list(json: JsonObject, key: string): readonly string[] {
  const value = json[key];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw errors.parse(
      `failed to parse privileges check [has_privileges]. expected field [${key}] to be an array of strings`,
    );
  return value as string[];
}

function entries(json: JsonObject, key: string, known: readonly string[]): readonly JsonObject[] {
  const value = json[key] ?? [];
  if (!Array.isArray(value))
    throw errors.parse(`failed to parse privileges check [has_privileges]. expected field [${key}] to be an array`);
  return value.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null)
      throw errors.parse(
        `failed to parse privileges check [has_privileges]. expected field [${key}] to be an array of objects`,
      );
    const unexpected = Object.keys(entry).find((name) => !known.includes(name));
    if (unexpected !== undefined)
      throw errors.parse(`failed to parse privileges check [has_privileges]. unexpected field [${unexpected}]`);
    return entry as JsonObject;
  });
}

/**
 * Parses the body of `_has_privileges`. Throws parse errors; unknown privileges are refused later, by `hasPrivileges`.
 */
export function parsePrivilegeQuestions(body: unknown): PrivilegeQuestions {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.parse('failed to parse privileges check [has_privileges]. expected an object');
  const json = body as JsonObject;
  const unexpected = Object.keys(json).find((key) => !['cluster', 'index', 'application'].includes(key));
  if (unexpected !== undefined)
    throw errors.parse(`failed to parse privileges check [has_privileges]. unexpected field [${unexpected}]`);
  const questions = {
    cluster: json['cluster'] === undefined ? [] : list(json, 'cluster'),
    index: entries(json, 'index', ['names', 'privileges', 'allow_restricted_indices']).map((entry) => ({
      names: list(entry, 'names'),
      privileges: list(entry, 'privileges'),
      restrictedToo: entry['allow_restricted_indices'] === true,
    })),
    application: entries(json, 'application', ['application', 'privileges', 'resources']).map((entry) => ({
      application: applicationName(entry['application']),
      privileges: list(entry, 'privileges'),
      resources: list(entry, 'resources'),
    })),
  };
  const asked =
    questions.cluster.length +
    [
      ...questions.index.map(({ names, privileges }) => names.length * privileges.length),
      ...questions.application.map(({ resources, privileges }) => resources.length * privileges.length),
    ].reduce((a, b) => a + b, 0);
  if (asked > QUESTIONS_MAX)
    throw errors.illegalArgument(`more than [${QUESTIONS_MAX}] privileges were asked for at once`);
  if (questions.cluster.length + questions.index.length + questions.application.length === 0) {
    throw errors.actionRequestValidation('Validation Failed: 1: must specify at least one privilege;');
  }
  return questions;
}

function applicationName(value: unknown): string {
  if (typeof value === 'string' && !value.includes('*')) return value;
  throw errors.parse(
    'failed to parse privileges check [has_privileges]. expected field [application] to be the name of an application',
  );
}

function hasCluster({ grants, allowsOwnKeys }: Permissions, name: string): boolean {
  const asked = clusterPrivilege(name);
  if (name === 'manage_own_api_key') return allowsOwnKeys('cluster:admin/xpack/security/api_key/create');
  return grants.every((part) => coversTogether(part.cluster, asked));
}

/** Whether a pattern can match restricted names, which begin with a dot: not if the pattern begins with a letter. */
function mayBeRestricted(pattern: string): boolean {
  return /^[.*?/]/.test(pattern);
}

/** Actions that roles grant on every name that a pattern matches. */
function grantedOn(part: Grants, pattern: string, restrictedToo: boolean): readonly ActionPatterns[] {
  const needsRestricted = restrictedToo ? mayBeRestricted(pattern) : isRestricted(pattern) && !pattern.includes('*');
  return part.indices
    .filter((grant) => (grant.restrictedToo || !needsRestricted) && grant.names.coversPattern(pattern))
    .flatMap(({ actions }) => actions);
}

function hasApplication(
  part: Grants,
  state: ClusterState,
  application: string,
  resource: string,
  name: string,
): boolean {
  const asked = actionsOf(state, application, name);
  const held = part.applications.filter(
    (entry) => matchesWildcard(entry.application, application) && namePatterns(entry.resources).coversPattern(resource),
  );
  if (held.some((entry) => entry.application === application && entry.privileges.includes(name))) return true;
  // `*` stands for privileges that are not registered, too, and so grants what has no actions.
  if (held.some(({ privileges }) => privileges.includes('*'))) return true;
  const granted = held.flatMap((entry) =>
    entry.privileges.flatMap((privilege) => actionsOf(state, application, privilege)),
  );
  return asked.length > 0 && asked.every((action) => granted.some((pattern) => matchesWildcard(pattern, action)));
}

type Answers = Map<string, boolean>;

/** The answer of `_has_privileges`: true or false for each question. Throws for unknown privileges. */
export function hasPrivileges(
  { authentication, permissions }: Subject,
  questions: PrivilegeQuestions,
  state: ClusterState,
): JsonObject {
  const cluster: Answers = new Map(questions.cluster.map((name) => [name, hasCluster(permissions, name)]));
  const index = new Map<string, Answers>();
  for (const { names, privileges, restrictedToo } of questions.index) {
    for (const name of names) {
      const granted = permissions.grants.map((part) => grantedOn(part, name, restrictedToo));
      for (const privilege of privileges)
        answersOf(index, name).set(
          privilege,
          granted.every((actions) => coversTogether(actions, indexPrivilege(privilege))),
        );
    }
  }
  const application = new Map<string, Map<string, Answers>>();
  for (const question of questions.application) {
    const resources = application.get(question.application) ?? new Map<string, Answers>();
    application.set(question.application, resources);
    for (const resource of question.resources) {
      for (const privilege of question.privileges)
        answersOf(resources, resource).set(
          privilege,
          permissions.grants.every((part) => hasApplication(part, state, question.application, resource, privilege)),
        );
    }
  }
  const all = [
    cluster,
    ...index.values(),
    ...[...application.values()].flatMap((resources) => [...resources.values()]),
  ].every((answers) => [...answers.values()].every(Boolean));
  return {
    username: authentication?.user.username ?? '_system',
    has_all_requested: all,
    cluster: Object.fromEntries(cluster),
    index: Object.fromEntries([...index].map(([name, answers]) => [name, Object.fromEntries(answers)])),
    application: Object.fromEntries(
      [...application].map(([name, resources]) => [
        name,
        Object.fromEntries([...resources].map(([resource, answers]) => [resource, Object.fromEntries(answers)])),
      ]),
    ),
  };
}

function answersOf(all: Map<string, Answers>, name: string): Answers {
  const answers = all.get(name) ?? new Map<string, boolean>();
  all.set(name, answers);
  return answers;
}
