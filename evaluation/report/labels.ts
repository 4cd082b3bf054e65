import type { Evaluation } from '../evaluation.ts';
import { element, type Markup } from './markup.ts';

/** Said again over every group of figures, so that none can be shown without it. */
export function labelsOf({ labels }: Pick<Evaluation, 'labels'>): Markup[] {
  return labels.map((label) => element('p', { class: 'label' }, label));
}
