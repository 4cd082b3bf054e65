import { readFileSync } from 'node:fs';

const RULES = new URL('../../deploy/observability/alerts.yaml', import.meta.url);

/**
 * What is shorter than in production, so that a fault of a minute fires what otherwise takes an hour. Conditions, labels and
 * names stay as they are; so do thresholds that are no time.
 */
const SUBSTITUTIONS: { what: string; found: RegExp; instead: string }[] = [
  { what: 'how long a condition has to hold', found: /^( +for: )\w+$/gm, instead: '$12s' },
  { what: 'over how long rates are taken', found: /\[(5|15)m\]/g, instead: '[20s]' },
  { what: 'how long a canary may be away', found: /> 1800\b/g, instead: '> 25' },
  { what: 'how long a run may wait', found: /> 300\b/g, instead: '> 10' },
  { what: 'how far the ledger may lag', found: /> 120\b/g, instead: '> 5' },
];

/** @throws Error for a substitution that finds nothing, as after a change of the rules */
export function shortenedRules(): string {
  return SUBSTITUTIONS.reduce(
    (rules, { what, found, instead }) => {
      if (rules.search(found) === -1) throw new Error(`alerts.yaml has nothing that says ${what}`);
      return rules.replaceAll(found, instead);
    },
    readFileSync(RULES, 'utf8'),
  );
}

/** A line for each substitution. */
export function describeSubstitutions(): string[] {
  return SUBSTITUTIONS.map(({ what, instead }) => `${what}: ${instead.replace('$1', '').trim()}`);
}
