/** A made-up secret for each name, long enough for any check. */
export function secretsBy<Name extends string>(names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, `secret-of-${name}-in-tests`])) as Record<
    Name,
    string
  >;
}
