import type { Job } from '#client/index.ts';
import { day, fixed, signed } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';

type Evidence = NonNullable<Job['evidence']>;

const words = inLanguages({
  en: {
    span: (from: string, to: string) => `On the real market, ${from} to ${to},`,
    excess: (points: string, isLess: boolean) =>
      `a pick of this model returned ${points}% ${isLess ? 'less' : 'more'} than the average stock after costs`,
    lift: (times: string) => `a pick of this model won ${times} times as often as the average stock`,
    skill: (points: string, isWorse: boolean) =>
      `a forecast of this model was ${points}% ${isWorse ? 'worse' : 'better'} than what is usual`,
    interval: (low: string, high: string) => `95%: ${low} to ${high}`,
    verdicts: {
      better_than_chance: 'better than chance',
      not_shown: 'not shown to be better than chance',
      worse: 'worse than chance',
    },
    itself: (points: string) => `For itself, a pick returned ${points}% after costs:`,
    itselfVerdicts: {
      gain: 'a gain.',
      not_shown: 'its interval holds 0, so that neither a gain nor a loss is shown.',
      loss: 'a loss.',
    },
    anyDay: 'These positions were sold on any day, also where nobody bid.',
  },
  id: {
    span: (from: string, to: string) => `Di pasar nyata, ${from} sampai ${to},`,
    excess: (points: string, isLess: boolean) =>
      `hasil satu pilihan model ini setelah biaya ${points}% lebih ${isLess ? 'rendah' : 'tinggi'} daripada saham rata-rata`,
    lift: (times: string) => `pilihan model ini berhasil ${times} kali sesering saham rata-rata`,
    skill: (points: string, isWorse: boolean) =>
      `perkiraan model ini ${points}% lebih ${isWorse ? 'buruk' : 'baik'} daripada kebiasaan`,
    interval: (low: string, high: string) => `95%: ${low} sampai ${high}`,
    verdicts: {
      better_than_chance: 'lebih baik daripada kebetulan',
      not_shown: 'belum terbukti lebih baik daripada kebetulan',
      worse: 'lebih buruk daripada kebetulan',
    },
    itself: (points: string) => `Hasil satu pilihan itu sendiri setelah biaya ${points}%:`,
    itselfVerdicts: {
      gain: 'untung.',
      not_shown: 'selangnya memuat 0, jadi belum terbukti untung ataupun rugi.',
      loss: 'rugi.',
    },
    anyDay: 'Posisi-posisi ini dijual pada hari apa pun, juga saat tidak ada penawaran beli.',
  },
});

/** What a model's picks were worth on the real market: against the average stock, and for themselves. */
export function Worth({ of }: { of: Evidence }) {
  const say = words.value;
  const { from, to, low, high, verdict, net_return_pct, net_return_verdict, exits } = of;
  return (
    <p>
      {say.span(day(from), day(to))} {figureOf(of)} ({say.interval(fixed(low, 2), fixed(high, 2))}):{' '}
      {say.verdicts[verdict]}.{' '}
      {net_return_pct !== null && (
        <>
          {say.itself(signed(net_return_pct, 2))} {say.itselfVerdicts[net_return_verdict ?? 'not_shown']}{' '}
        </>
      )}
      {exits === 'any_day' && say.anyDay}
    </p>
  );
}

function figureOf({ statistic, value }: Evidence): string {
  const say = words.value;
  const size = fixed(Math.abs(value), 2);
  if (statistic === 'lift') return say.lift(size);
  return (statistic === 'excess_net_return_pct' ? say.excess : say.skill)(size, value < 0);
}
