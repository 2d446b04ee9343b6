const LENGTH_MIN = 6;

/** What is wrong with a password that somebody chose, or null. The rule is that of Elasticsearch 8. */
export function passwordProblem(password: string): string | null {
  return password.length < LENGTH_MIN ? `passwords must be at least [${LENGTH_MIN}] characters long` : null;
}
