/** The parts of a day that the address of a source can contain, in braces. */
const PARTS: Record<string, (day: string) => string> = {
  'yyyy-mm-dd': (day) => day,
  yyyymmdd: (day) => day.replaceAll('-', ''),
  yyyy: (day) => day.slice(0, 4),
  mm: (day) => day.slice(5, 7),
  dd: (day) => day.slice(8),
};

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** How placeholders are written, for messages. */
const PLACEHOLDERS = Object.keys(PARTS)
  .map((name) => `{${name}}`)
  .join(', ');

/** The address of a day: a URL or path with its placeholders replaced. */
export function placeOfDay(template: string, day: string): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => PARTS[name]?.(day) ?? whole);
}

/** What is wrong with an address, in words; undefined if it names every day of the year in its own way. */
export function mistakeInPlace(template: string): string | undefined {
  const names = Array.from(template.matchAll(PLACEHOLDER), ([, name]) => name!);
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0) return `has the unknown placeholder {${unknown[0]}}; allowed: ${PLACEHOLDERS}`;
  const isWhole = ['yyyy-mm-dd', 'yyyymmdd'].some((name) => names.includes(name));
  const isInParts = ['yyyy', 'mm', 'dd'].every((name) => names.includes(name));
  if (isWhole || isInParts) return undefined;
  return `must contain the day, because each day is asked for by itself: ${PLACEHOLDERS}`;
}
