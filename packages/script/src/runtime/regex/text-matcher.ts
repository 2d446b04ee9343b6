/** A compiled regular expression of Java. */
export interface TextRegex {
  /** `count` is told the steps of a matcher that backtracks, and ends it by throwing (`stepLimit`). */
  matcher(text: string, count: (steps: number) => void): TextMatcher;
  namedGroups(): Readonly<Record<string, number>>;
}

/** A regular expression over a text. Groups are known by number, or by name. */
export interface TextMatcher {
  find(from?: number): boolean;
  matches(): boolean;
  lookingAt(): boolean;
  reset(): unknown;
  group(group?: number | string): string | null;
  start(group?: number | string): number;
  end(group?: number | string): number;
  groupCount(): number;
}
