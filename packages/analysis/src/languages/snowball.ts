import { createRequire } from 'node:module';

interface Stemmer {
  stem(word: string): string;
}

interface SnowballFactory {
  newStemmer(language: string): Stemmer;
}

const snowball = createRequire(import.meta.url)('snowball-stemmers') as SnowballFactory;

/** Names of Snowball algorithms in Elasticsearch's settings, in lower case. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'irish',
  'italian',
  'norwegian',
  'porter',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'turkish',
]);

/** Stemmer of a Snowball algorithm; null for an unknown name. */
export function snowballStemmer(language: string): ((word: string) => string) | null {
  if (!ALGORITHMS.has(language)) return null;
  const stemmer = snowball.newStemmer(language);
  return (word) => stemmer.stem(word);
}
