/** JSON with the members of every object sorted by name, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, withSortedMembers);
}

function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
