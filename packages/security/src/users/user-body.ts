import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { checkKeys, failValidation } from '../body-checks.js';
import { passwordProblem } from '../passwords/password-rule.js';
import { isPasswordHash, type Passwords } from '../passwords/passwords.js';
import { isPrincipalName } from '../principal-name.js';
import type { StoredUser } from './stored-user.js';

const USER_KEYS = ['username', 'password', 'password_hash', 'roles', 'full_name', 'email', 'metadata', 'enabled'];

const NAME_RULE =
  'User names must be at least 1 and no more than 507 characters. They can contain alphanumeric characters (`a-z`, ' +
  '`A-Z`, `0-9`), spaces, punctuation, and printable symbols in the Basic Latin (ASCII) block. Leading or trailing ' +
  'whitespace is not allowed.';

/** Throws for names that a native user cannot have. */
export function checkUsername(username: string): void {
  if (!isPrincipalName(username)) failValidation([NAME_RULE], 'validation');
}

function textOf(body: JsonObject, key: string): string | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw errors.parse(`expected field [${key}] to be of type string`);
  return value;
}

/** Hash of `password` or `password_hash` in a body; null if absent. */
export async function passwordOf(body: JsonObject, passwords: Passwords): Promise<string | null> {
  const password = textOf(body, 'password');
  const hash = textOf(body, 'password_hash');
  if (password !== null && hash !== null) throw errors.illegalArgument('password_hash and password cannot both be set');
  const problem = password === null ? null : passwordProblem(password);
  if (problem !== null) failValidation([problem], 'validation');
  if (hash !== null && !isPasswordHash(hash))
    throw errors.illegalArgument(
      'The provided password hash is not a hash or it could not be resolved to a supported hash algorithm. The ' +
        'supported password hash algorithms are [scrypt, bcrypt, pbkdf2, pbkdf2_stretch]',
    );
  return password === null ? hash : passwords.hash(password);
}

function rolesOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.split(',').filter((role) => role !== '');
  if (Array.isArray(value) && value.every((role) => typeof role === 'string')) return value as readonly string[];
  throw errors.parse('expected field [roles] to be a list of strings');
}

function metadataOf(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isPlainObject(value)) throw errors.parse('expected field [metadata] to be an object');
  if (Object.keys(value).some((key) => key.startsWith('_'))) failValidation(['metadata keys may not start with [_]']);
  return value;
}

/** Parses the body of `PUT /_security/user/{name}`, without its password. */
export function parseUser(body: JsonObject, username: string): Omit<StoredUser, 'hash'> {
  checkKeys(body, USER_KEYS, (key) => errors.parse(`failed to parse add user request. unexpected field [${key}]`));
  const named = textOf(body, 'username');
  if (named !== null && named !== username)
    throw errors.illegalArgument(`[username] in source does not match the username provided [${username}]`);
  const roles = rolesOf(body['roles']);
  if (roles === null) failValidation(['roles are missing']);
  const { enabled = true } = body;
  if (typeof enabled !== 'boolean') throw errors.parse('expected field [enabled] to be of type boolean');
  return {
    roles: roles ?? [],
    fullName: textOf(body, 'full_name'),
    email: textOf(body, 'email'),
    metadata: metadataOf(body['metadata']),
    enabled,
  };
}
