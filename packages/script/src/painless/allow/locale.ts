import { hashCode } from '@shoal/values';
import { ScriptObject } from '../../runtime/script-object.js';
import type { AllowTable } from './class-row.js';

/** java.util.Locale: a language and a region. */
export class LocaleValue extends ScriptObject {
  readonly javaClass = 'java.util.Locale';
  readonly language: string;
  readonly country: string;

  constructor(language: string, country: string) {
    super();
    this.language = language;
    this.country = country;
  }

  /** The tag of BCP 47; empty for the root. */
  get tag(): string {
    return [this.language, this.country].filter((part) => part !== '').join('-');
  }

  /** The tag by which names and characters of the language are found; null for English ones. */
  get namesTag(): string | null {
    if (this.language === '' || this.language === 'en') return null;
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(this.tag)[0] ?? null;
    } catch {
      return null;
    }
  }

  toText(): string {
    return [this.language, this.country].filter((part) => part !== '').join('_');
  }

  equalTo(other: unknown): boolean {
    return other instanceof LocaleValue && other.tag === this.tag;
  }

  hash(): number {
    return hashCode(this.tag);
  }

  get identity(): string {
    return this.tag;
  }
}

const CONSTANTS: Readonly<Record<string, string>> = {
  ROOT: '',
  ENGLISH: 'en',
  US: 'en-US',
  UK: 'en-GB',
  CANADA: 'en-CA',
  CANADA_FRENCH: 'fr-CA',
  FRENCH: 'fr',
  FRANCE: 'fr-FR',
  GERMAN: 'de',
  GERMANY: 'de-DE',
  ITALIAN: 'it',
  ITALY: 'it-IT',
  JAPANESE: 'ja',
  JAPAN: 'ja-JP',
  KOREAN: 'ko',
  KOREA: 'ko-KR',
  CHINESE: 'zh',
  CHINA: 'zh-CN',
  PRC: 'zh-CN',
  SIMPLIFIED_CHINESE: 'zh-CN',
  TRADITIONAL_CHINESE: 'zh-TW',
  TAIWAN: 'zh-TW',
};

function ofTag(tag: string): LocaleValue {
  const [, language = '', country = ''] = /^([A-Za-z]{2,8})?(?:[-_]([A-Za-z]{2}|\d{3}))?/.exec(tag)!;
  return new LocaleValue(language.toLowerCase(), country.toUpperCase());
}

/** Languages with cases of their own: Turkish, Azeri and Lithuanian. */
const OWN_CASES = new Set(['tr', 'az', 'lt']);

export function lowerCase(text: string, locale: LocaleValue): string {
  return OWN_CASES.has(locale.language) ? text.toLocaleLowerCase(locale.language) : text.toLowerCase();
}

export function upperCase(text: string, locale: LocaleValue): string {
  return OWN_CASES.has(locale.language) ? text.toLocaleUpperCase(locale.language) : text.toUpperCase();
}

/** Locales of java.util. */
export const LOCALES: AllowTable = [
  {
    name: 'java.util.Locale',
    constructors: {
      '(String)': (language: string) => new LocaleValue(language.toLowerCase(), ''),
      '(String,String)': (language: string, country: string) =>
        new LocaleValue(language.toLowerCase(), country.toUpperCase()),
    },
    constants: Object.fromEntries(Object.entries(CONSTANTS).map(([name, tag]) => [`Locale ${name}`, ofTag(tag)])),
    statics: {
      'Locale forLanguageTag(String)': ofTag,
      'Locale getDefault()': () => ofTag('en'),
    },
    methods: {
      'String getLanguage()': (locale: LocaleValue) => locale.language,
      'String getCountry()': (locale: LocaleValue) => locale.country,
      'String toLanguageTag()': (locale: LocaleValue) => locale.tag || 'und',
    },
  },
];
