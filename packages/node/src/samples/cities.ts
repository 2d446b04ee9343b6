import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyword, type SampleDocument, type SampleSet, textAndRaw } from './sample-set.js';

/** A city as cities.tsv has it. */
export interface City {
  readonly id: string;
  readonly name: string;
  /** Two letters of ISO 3166. */
  readonly country: string;
  readonly isCapital: boolean;
  readonly population: number;
  readonly lat: number;
  readonly lon: number;
}

/** The world's cities of more than 100,000 people, largest first (GeoNames, CC BY 4.0). */
export const cities: SampleSet = {
  index: 'sample-cities',
  about: 'cities of more than 100,000 people, with their places (GeoNames, CC BY 4.0)',
  size: 4442,
  properties: {
    name: textAndRaw,
    country: keyword,
    is_capital: { type: 'boolean' },
    population: { type: 'long' },
    location: { type: 'geo_point' },
  },
  *documents(): Generator<SampleDocument> {
    for (const { id, name, country, isCapital, population, lat, lon } of readCities())
      yield { id, source: { name, country, is_capital: isCapital, population, location: { lat, lon } } };
  },
};

/** Reads cities.tsv, largest city first. */
export function readCities(): City[] {
  const rows = fs
    .readFileSync(path.join(packageFolder(), 'samples', 'cities.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.slice(1).map((row) => {
    const [id, name, country, isCapital, population, lat, lon] = row.split('\t') as [
      string,
      string,
      string,
      ...string[],
    ];
    return {
      id,
      name,
      country,
      isCapital: isCapital === '1',
      population: Number(population),
      lat: Number(lat),
      lon: Number(lon),
    };
  });
}

/** The folder of this package, wherever below it this code runs: as a module of its own or joined into one file. */
function packageFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!fs.existsSync(path.join(folder, 'package.json')) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}
