import { errors } from '@shoal/errors';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Regions with a name that are no countries of ISO 3166. */
const NO_COUNTRIES = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(' '),
);

const isLanguage = (text: string): boolean =>
  /^[a-z]{3}$/i.test(text) || (/^[a-z]{2}$/i.test(text) && LANGUAGES.of(text.toLowerCase()) !== undefined);

function isCountry(text: string): boolean {
  const code = text.toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) && REGIONS.of(code) !== undefined;
}

/**
 * Reads the option `locale` of processors: `de`, `en-US`, `fr_CA`, `ROOT`. Returns its tag of BCP 47, or null for
 * English names. Throws illegal_argument_exception for a language or a country that ISO does not know.
 */
export function localeTag(name: string): string | null {
  const parts = name.split(/[_-]/);
  if (parts.length > 3)
    throw errors.illegalArgument(`Locales can have at most 3 parts but got ${parts.length}: [${parts.join(', ')}]`);
  const [language, country] = parts as [string, string | undefined];
  if (/^root$/i.test(name)) return null;
  if (language !== '' && !isLanguage(language)) throw errors.illegalArgument(`Unknown language: ${language}`);
  if (country && !isCountry(country)) throw errors.illegalArgument(`Unknown country: ${country}`);
  if (language === '' || /^en$/i.test(language)) return null;
  return country ? `${language.toLowerCase()}-${country.toUpperCase()}` : language.toLowerCase();
}
