// Cases that once differed, with the answers of 8.12: one file an area below corpus/.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'corpus');
/** Names of indices in kept cases begin with this; as long as those of a drill. */
export const KEPT_PREFIX = 'drillzz';

const fileOf = (area) => path.join(folder, `${area.replaceAll(' ', '-')}.json`);

/** All cases: { id, area, setup, steps, answers }. */
export function readCorpus() {
  if (!fs.existsSync(folder)) return [];
  const files = fs.readdirSync(folder).sort();
  return files.flatMap((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')));
}

/** Writes the cases of each area, a line a case, so that a diff shows which came. */
export function writeCorpus(cases) {
  fs.mkdirSync(folder, { recursive: true });
  for (const area of new Set(cases.map((one) => one.area))) {
    const lines = cases.filter((one) => one.area === area).map((one) => JSON.stringify(one));
    fs.writeFileSync(fileOf(area), `[\n${lines.join(',\n')}\n]\n`);
  }
}
