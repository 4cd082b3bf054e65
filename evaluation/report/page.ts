import type { Evaluation } from '../evaluation.ts';
import { calibrationSection } from './calibration-section.ts';
import { labelsOf } from './labels.ts';
import { element, type Markup } from './markup.ts';
import { methodSection } from './method-section.ts';
import { count } from './numbers.ts';
import { partSections } from './part-sections.ts';
import { picksSection } from './picks-section.ts';
import { recoverySection } from './recovery-section.ts';
import { STYLE } from './style.ts';
import { verdict } from './verdict.ts';

/** The evaluation for a person: one file that needs nothing else. Every figure stands in `evaluation.json` too. */
export function evaluationPage(evaluation: Evaluation): string {
  const title = 'Saring: what came of what the models said';
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, title),
    // A style is read as it stands: nothing in it may be escaped.
    { markup: `<style>${STYLE}</style>` },
  );
  const body = element(
    'body',
    {},
    element('h1', {}, title),
    labelsOf(evaluation),
    introduction(evaluation),
    verdictsOf(evaluation),
    picksSection(evaluation),
    ...partSections(evaluation),
    calibrationSection(evaluation),
    recoverySection(evaluation),
    methodSection(evaluation),
  );
  return `<!doctype html>\n${element('html', { lang: 'en' }, head, body).markup}\n`;
}

function introduction({ dataset, span, machine }: Evaluation): Markup {
  const { version, tickers, first_date, last_date } = dataset;
  return element(
    'p',
    {},
    `Every model was run as of the last trading day of each of ${span.weeks} weeks, ${span.from} to ${span.to}, on what was known then, and judged by what came. `,
    `Dataset ${version}: ${count(tickers)} stocks, ${first_date} to ${last_date}. `,
    element('span', { class: 'quiet' }, machine),
  );
}

function verdictsOf({ models }: Evaluation): Markup {
  const items = models.map((model) =>
    element('li', {}, element('strong', {}, model.name), ': ', verdict(model)),
  );
  return element('section', {}, element('h2', {}, 'In short'), element('ul', {}, items));
}
