import type { Schemas } from '#client/index.ts';

type Judged = Pick<Schemas['ScreenPast'], 'verdict' | 'verdict_text'>;

const CLASSES: Record<Judged['verdict'], string> = {
  worse: 'failed',
  not_shown: '',
  shown_before_costs_only: '',
  shown: 'succeeded',
};

/** Whether the past of picks shows that they are worth something, before any figure. */
export function Verdict({ of }: { of: Judged }) {
  return (
    <p>
      <strong class={CLASSES[of.verdict]}>{of.verdict_text}</strong>
    </p>
  );
}
