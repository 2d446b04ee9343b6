import { type ApiError, errors } from '@shoal/errors';
import { type ClusterState, section } from '@shoal/state';
import { matchesWildcard, parseByteSize } from '@shoal/values';
import { s3Folder } from './s3-place.js';
import type { RepositoryPlace } from './snapshot-requests.js';

/** Settings of a node: flat names, texts or lists of texts. */
export type NodeSettingTexts = Readonly<Record<string, string | readonly string[]>>;

/** A registered snapshot repository. */
export interface Repository {
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Registered repositories by name. */
export function repositories(state: ClusterState): Readonly<Record<string, Repository>> {
  return section(state, 'repositories') as Record<string, Repository>;
}

/** Directories in which repositories may be: `path.repo`. */
function repositoryRoots(settings: NodeSettingTexts): readonly string[] {
  const roots = settings['path.repo'];
  return typeof roots === 'string'
    ? roots
        .split(',')
        .map((root) => root.trim())
        .filter((root) => root !== '')
    : (roots ?? []);
}

/** An error of a repository that cannot be registered or used. */
function unusable(name: string, why: string): Error {
  return errors.repository(`[${name}] failed to create repository`, {
    status: 400,
    cause: errors.repository(`[${name}] ${why}`),
  });
}

/** Whether a path is a folder or below it, by its text alone. Symbolic links are followed when the path is used. */
function isBelow(path: string, roots: readonly string[]): boolean {
  if (path.includes('\0') || path.split('/').includes('..')) return false;
  return roots.some((root) => path === root || path.startsWith(`${root.replace(/\/$/, '')}/`));
}

/** Folder of an `fs` repository: below one of `path.repo`; a relative location is below the first. */
function fsFolder(settings: NodeSettingTexts, name: string, repository: Repository): string {
  const location = repository.settings['location'];
  if (typeof location !== 'string') throw unusable(name, 'missing location');
  const roots = repositoryRoots(settings);
  const folder = location.startsWith('/') ? location : `${roots[0] ?? ''}/${location}`;
  if (isBelow(folder, roots)) return folder;
  const why = `location [${location}] doesn't match any of the locations specified by path.repo`;
  throw unusable(name, roots.length === 0 ? `${why} because this setting is empty` : why);
}

/** Whether a URL is in the list `repositories.url.allowed_urls`; `*` there stands for any text. */
function isAllowedUrl(settings: NodeSettingTexts, url: string): boolean {
  const allowed = settings['repositories.url.allowed_urls'] ?? [];
  return [allowed].flat().some((pattern) => matchesWildcard(pattern, url));
}

/** Folder of a `url` repository, which may be read: an allowed `file:` URL, or one below `path.repo`. */
function urlFolder(settings: NodeSettingTexts, name: string, repository: Repository): string {
  const text = repository.settings['url'];
  if (typeof text !== 'string') throw unusable(name, 'missing url');
  if (!URL.canParse(text)) throw unusable(name, `cannot parse the specified url [${text}]`);
  const url = new URL(text);
  if (url.protocol !== 'file:')
    throw unusable(name, `unsupported url protocol [${url.protocol.slice(0, -1)}] from URL [${text}]`);
  const folder = decodedPath(url)?.replace(/(.)\/+$/, '$1') ?? null;
  if (folder !== null && isBelow(folder, isAllowedUrl(settings, `file:${folder}`) ? ['/'] : repositoryRoots(settings)))
    return folder;
  throw unusable(
    name,
    `file url [${text}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`,
  );
}

/** Path of a `file:` URL on this machine; null for a host, and for what is no text after decoding. */
function decodedPath({ host, pathname }: URL): string | null {
  try {
    return host === '' ? decodeURIComponent(pathname) : null;
  } catch {
    return null;
  }
}

/** Rate of a repository in bytes per second; undefined for none. */
function rateOf(name: string, { settings }: Repository, key: string, fallback: string | null): number | undefined {
  const text = settings[key] ?? fallback;
  if (text === null) return undefined;
  try {
    const rate = parseByteSize(String(text), key);
    return rate > 0 ? rate : undefined;
  } catch (error) {
    throw errors.repository(`[${name}] failed to create repository`, { status: 400, cause: error as ApiError });
  }
}

/** `max_snapshot_bytes_per_sec` (40mb) and `max_restore_bytes_per_sec` (none) of a repository. */
function ratesOf(name: string, repository: Repository): Pick<RepositoryPlace, 'snapshotRate' | 'restoreRate'> {
  const snapshotRate = rateOf(name, repository, 'max_snapshot_bytes_per_sec', '40mb');
  const restoreRate = rateOf(name, repository, 'max_restore_bytes_per_sec', null);
  return {
    ...(snapshotRate === undefined ? {} : { snapshotRate }),
    ...(restoreRate === undefined ? {} : { restoreRate }),
  };
}

/** The repository in which one of type `source` keeps what it keeps. */
function delegateOf(name: string, { settings }: Repository): Repository {
  const { delegate_type: type, ...rest } = settings;
  if (typeof type !== 'string') throw unusable(name, 'delegate_type must be specified');
  if (type !== 'fs' && type !== 's3' && type !== 'url')
    throw unusable(name, `delegate_type [${type}] does not exist or cannot be one`);
  return { type, settings: rest };
}

/** Folder of a repository in an object store. */
function storeFolder(name: string, { settings }: Repository): string {
  try {
    return s3Folder(settings);
  } catch (error) {
    throw errors.repository(`[${name}] failed to create repository`, { status: 400, cause: error as ApiError });
  }
}

/**
 * Where a repository keeps its files. Throws repository_exception (400) unless the settings allow the place now: they
 * may have changed since the repository was registered.
 */
export function repositoryPlace(settings: NodeSettingTexts, name: string, repository: Repository): RepositoryPlace {
  if (repository.type === 'source')
    return { ...repositoryPlace(settings, name, delegateOf(name, repository)), isSourceOnly: true };
  const rates = ratesOf(name, repository);
  if (repository.type === 'url')
    return { repository: name, folder: urlFolder(settings, name, repository), isReadOnly: true, ...rates };
  const folder = repository.type === 's3' ? storeFolder(name, repository) : fsFolder(settings, name, repository);
  const isReadOnly = repository.settings['readonly'] === 'true';
  return { repository: name, folder, ...rates, ...(isReadOnly ? { isReadOnly } : {}) };
}

/** Where a registered repository keeps its files; throws repository_missing_exception if it does not exist. */
export function registeredPlace(state: ClusterState, settings: NodeSettingTexts, name: string): RepositoryPlace {
  const all = repositories(state);
  if (!Object.hasOwn(all, name)) throw errors.repositoryMissing(`[${name}] missing`);
  return repositoryPlace(settings, name, all[name]!);
}
