/** Members that a message leaves out are said to be null. */
export function withNulls(message: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, (value as unknown) ?? null]),
  );
}
