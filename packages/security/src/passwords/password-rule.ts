const LENGTH_MIN = 6;

/** Why a chosen password is not accepted, or null. The rule of Elasticsearch 8. */
export function passwordProblem(password: string): string | null {
  return password.length < LENGTH_MIN ? `passwords must be at least [${LENGTH_MIN}] characters long` : null;
}
