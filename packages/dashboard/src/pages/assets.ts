import fs from 'node:fs';
import path from 'node:path';

/** Files of the pages, made by the build: names carry a hash of the content. */
export interface Assets {
  /** The script and style of an entry, `main` or `login`. */
  entry(name: string): { readonly script: string; readonly style: string };
  readonly icon: string;
  /** The file to serve under a name for what the browser accepts; null if there is no such file. */
  find(name: string, acceptEncoding: string): Asset | null;
}

/** One file as it is served. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  readonly encoding: 'br' | 'gzip' | null;
  readonly bytes: number;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface Manifest {
  readonly entries: Readonly<Record<string, { readonly script: string; readonly style: string }>>;
  readonly icon: string;
  readonly files: readonly string[];
}

/** Opens the folder that the build made. Throws if it is not there. */
export function openAssets(folder: string, isCompressed: boolean): Assets {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const sizes = new Map(
    fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).size] as const),
  );
  const known = new Set(manifest.files);
  return {
    entry: (name) => manifest.entries[name]!,
    icon: manifest.icon,
    find(name, accepted) {
      const type = TYPES[path.extname(name)];
      if (!known.has(name) || type === undefined) return null;
      const variant = isCompressed
        ? ENCODINGS.find(([encoding, end]) => accepted.includes(encoding) && sizes.has(name + end))
        : undefined;
      const served = name + (variant?.[1] ?? '');
      return { file: path.join(folder, served), type, encoding: variant?.[0] ?? null, bytes: sizes.get(served)! };
    },
  };
}
