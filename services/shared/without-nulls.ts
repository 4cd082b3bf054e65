type WithoutNulls<Row> = {
  [Name in keyof Row]: null extends Row[Name] ? Exclude<Row[Name], null> | undefined : Row[Name];
};

/** A row of a table as messages have it: what is null there is undefined here. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  const members = Object.entries(row).map(
    ([name, value]) => [name, (value as unknown) ?? undefined] as const,
  );
  return Object.fromEntries(members) as WithoutNulls<Row>;
}
